package variables

import (
	"encoding/binary"
	"errors"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"jacquard/cubin"
	"jacquard/debug"
	"jacquard/internal/test/stops"
	"jacquard/simt"
	"jacquard/simt/load"
	"jacquard/simt/mem"
	"jacquard/tesla"
)

// compiled returns the machine code that nvcc makes of a source.
func compiled(t *testing.T, source string, options ...string) *cubin.Image {
	t.Helper()
	image, err := stops.Compile("../../..", source, options...)
	if errors.Is(err, os.ErrNotExist) {
		t.Skip("no build/toolkit/bin/nvcc: make toolkit builds it")
	}
	require.NoError(t, err)
	return image
}

// stop is what is expected when the thread comes to a line for the visit-th time.
type stop struct {
	line, visit int
	frames      string // functions and lines, innermost first
	values      map[string]string
}

// condition is of the thread whose variables are looked at.
const condition = "threadIdx.x == 1"

// launch returns a launch of the kernel of an image, as a session knows it.
func launch(t *testing.T, im *cubin.Image) debug.Kernel {
	t.Helper()
	k := &im.Kernels[0]
	space := mem.NewSpace(1 << 20)
	data, err := load.Place(im, space, space.Alloc)
	require.NoError(t, err)
	out, err := space.Alloc(64)
	require.NoError(t, err)
	p, err := load.Program(tesla.SM13, k, simt.Host{})
	require.NoError(t, err)
	return debug.Kernel{Image: k, Variables: data.Variables, Request: &simt.Launch{
		Program: p, Grid: [2]int{1, 1}, Block: [3]int{3, 1, 1}, Policy: "nvidia", Const: data.Const(k),
		Params: parameters(out), Global: space, Watchdog: 1 << 20, Workers: 1, Dynamic: 16}}
}

// look compares frames and variables with what is expected at a stop.
func (s *stop) look(t *testing.T, target debug.Target, at debug.Focus) {
	list, err := target.Frames(at)
	require.NoError(t, err)
	var frames []string
	for _, f := range list {
		frames = append(frames, f.Function+":"+strconv.Itoa(f.Line))
	}
	assert.Equal(t, s.frames, strings.Join(frames, " "), "line %d", s.line)
	for expression, want := range s.values {
		e := debug.Expression{Text: expression, Focus: at}
		if inner, ok := strings.CutPrefix(expression, outer); ok {
			e.Text, e.Frame = inner, 1
		}
		v, err := target.Evaluate(e)
		require.NoError(t, err, "line %d: %s", s.line, expression)
		assert.Equal(t, want, v.Text, "line %d: %s", s.line, expression)
	}
}

// firsts returns the lines of a file, by the address where the code of each begins.
func firsts(k *cubin.Kernel, name string) map[uint32]int {
	seen, first := map[int]bool{}, map[uint32]int{}
	for _, l := range k.Lines {
		if filepath.Base(l.File) == name && !seen[l.Line] {
			seen[l.Line], first[l.Offset] = true, l.Line
		}
	}
	return first
}

// parameters are those of the kernel.
func parameters(out uint32) (b []byte) {
	le := binary.LittleEndian
	b = le.AppendUint64(b, uint64(out))
	b = le.AppendUint32(b, 4) // by: kind, weight, corner, next, low and high
	b = le.AppendUint32(b, math.Float32bits(1.5))
	b = le.AppendUint32(b, math.Float32bits(-2))
	b = append(b, 0xff, 0xff, 9, 0)
	b = le.AppendUint64(b, 0)
	b = le.AppendUint64(b, 6|21<<3)
	b = le.AppendUint32(b, 6) // c
	b = append(b, make([]byte, -len(b)&15)...)
	for i := range 4 {
		b = le.AppendUint32(b, math.Float32bits(float32(i)+0.25))
	}
	b = append(b, 'A', 0, 0, 0, 0, 0, 0, 0)
	b = le.AppendUint64(b, math.Float64bits(2.25))
	return append(b, 3, 0, 4, 0)
}

// outer is in front of an expression of the function around.
const outer = "outer_"

// expected are what the thread finds. The kernel has fields of its own type for each kind of types.
var expected = []stop{
	{12, 1, "twice:12 kernel:36", map[string]string{"v": "11", "doubled": "22", "outer_t": "1"}},
	{46, 1, "kernel:46", map[string]string{"i": "0", "here": "0"}},
	{46, 3, "kernel:46", map[string]string{
		"i": "2", "here": "2", "t": "1", "w": "3", "yes": "true", "*ps": "22", "ps": "(@shared int *) 0x68", "tile[1]": "22",
		"local[1]": "{4, 5, 0}", "*pc": "2.5", "pc[1]": "3", "pc": "(@const const float *) 0x4", "wide": "-1099511627776",
		"factor": "{1, 2.5, 3, 4}", "total": "7", "c": "blue", "letter": "65 'A'", "d": "2.25", "moved": "{x = 4, y = 4}",
		"vec":    "{x = 0.25, y = 1.25, z = 2.25, w = 3.25}",
		"by":     "{kind = 4, weight = {1.5, -2}, corner = {x = -1, y = 9}, next = (const shape *) 0x0, low = 6, high = 21}",
		"out[0]": "0",
	}},
	{53, 1, "kernel:53", map[string]string{"local[1]": "{4, 5, 6}", "v2.x": "-1.75", "copy.next->weight[0]": "1.5",
		"copy.corner.y": "9", "(*copy.next).high": "21"}},
	{27, 1, "far:27 kernel:54", map[string]string{"by.weight[1]": "-1", "by.kind": "4", "result": "-1.5", "by.next->kind": "4",
		"outer_copy.weight[1]": "-2"}},
	{19, 2, "sum:19 kernel:55", map[string]string{"i": "1", "s": "4", "p[2]": "6", "n": "3", "outer_t": "-1.5"}},
	{55, 1, "kernel:55", map[string]string{"t": "-1.5", "v2.y": "-1.5", "copy.weight[1]": "-2"}},
	{57, 1, "kernel:57", map[string]string{"t": "1", "out[1]": "29"}},
	{59, 1, "kernel:59", map[string]string{"total": "34"}},
}

// At each line, each variable has the value that the source gives it.
func TestVariables(t *testing.T) {
	source := "testdata/variables.cu"
	im := compiled(t, source, "-g", "-G", "-arch=sm_13")
	k := launch(t, im)
	session := debug.NewSession()
	var list []debug.Breakpoint
	for pc, line := range firsts(k.Image, filepath.Base(source)) {
		list = append(list, debug.Breakpoint{ID: line, PC: &pc, Condition: condition})
	}
	require.NoError(t, session.SetBreakpoints(list))
	ended := make(chan error, 1)
	go func() {
		defer session.End()
		session.Begin()
		_, err := session.Run(k, simt.Run)
		ended <- err
	}()
	t.Cleanup(func() { require.NoError(t, session.Detach()) })
	met, visits := 0, map[int]int{}
	for {
		here, err := session.Resume(debug.Order{Kind: debug.Continue})
		if errors.Is(err, debug.ErrGone) {
			break
		}
		require.NoError(t, err)
		require.Equal(t, debug.ReasonBreakpoint, here.Reason)
		line := here.Breakpoints[0]
		visits[line]++
		for _, s := range expected {
			if s.line == line && s.visit == visits[line] {
				met++
				s.look(t, session, here.Focus)
			}
		}
	}
	require.NoError(t, <-ended)
	require.Equal(t, len(expected), met, "lines that were met: %v", visits)
}

// An instruction of a header's function names the line of the user that calls it, through functions of
// the user; and line information changes no code.
func TestInlined(t *testing.T) {
	source := "testdata/inlined.cu"
	plain := compiled(t, source, "-arch=sm_12")
	im := compiled(t, source, "-arch=sm_12", "-lineinfo")
	require.Equal(t, plain.Kernels[0].Code, im.Kernels[0].Code)
	require.Nil(t, plain.Kernels[0].Debug)
	require.Empty(t, plain.Kernels[0].Lines)
	kernel := load.Kernel(tesla.SM12, &im.Kernels[0])
	seen := map[string]bool{}
	for pc := uint32(0); pc < uint32(4*len(im.Kernels[0].Code)); pc += 4 {
		frames := kernel.Frames(pc)
		require.Equal(t, "kernel", frames[len(frames)-1].Function)
		require.False(t, frames[len(frames)-1].System, "pc 0x%x: %v", pc, frames)
		var text []string
		for _, f := range frames {
			where := strconv.Itoa(f.Line.Line)
			if f.System {
				where = "header"
			}
			text = append(text, f.Function+":"+where)
		}
		seen[strings.Join(text, " ")] = true
	}
	for _, want := range []string{"atomicAdd:header counted:5 kernel:13", "atomicMax:header kernel:14", "__fdividef:header kernel:16"} {
		require.True(t, seen[want], "%s: %v", want, seen)
	}
	require.True(t, slices.ContainsFunc(slices.Collect(maps.Keys(seen)), func(text string) bool {
		return strings.HasSuffix(text, "tex1Dfetch<float>:header kernel:15")
	}))
}
