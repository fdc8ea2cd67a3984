package main_test

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/libcuda/driver"
	"jacquard/tesla"
)

// kernelTest is the part of a test.json that this test needs; testdata/mesa-kernels/README.md
// describes the format.
type kernelTest struct {
	Name       string
	Block      [3]int
	Grid       [2]int
	ParamBytes int `json:"param_bytes"`
	Params     []kernelParam
	Builds     map[string]struct{ File string }
}

type kernelParam struct {
	Name         string
	Kind         string
	Offset       int `json:"param_offset"`
	Size         int
	Value        string
	Init, Expect string
	Compare      string
	RTol, ATol   float64
}

// deviceFor returns the device knob for builds of an architecture.
func deviceFor(t *testing.T, arch string) string {
	t.Helper()
	a, err := tesla.ParseArch(arch)
	require.NoError(t, err)
	return "JACQUARD_DEVICE=" + driver.ModelFor(a)
}

// TestKernels runs every build of every kernel through a C program, and compares the buffers.
func TestKernels(t *testing.T) {
	exe := compile(t, "kernelrun.c")
	tests, err := filepath.Glob("../testdata/mesa-kernels/*/test.json")
	require.NoError(t, err)
	require.NotEmpty(t, tests)
	for _, path := range tests {
		data, err := os.ReadFile(path)
		require.NoError(t, err)
		var k kernelTest
		require.NoError(t, json.Unmarshal(data, &k), "%s", path)
		for arch, build := range k.Builds {
			for _, style := range []string{"old", "new"} {
				t.Run(k.Name+"/"+arch+"/"+style, func(t *testing.T) {
					dir := t.TempDir()
					job := k.job(t, dir, filepath.Join(filepath.Dir(path), build.File), style)
					requirePassed(t, []string{deviceFor(t, arch)}, exe, job)
					for _, p := range k.Params {
						if p.Kind == "buffer" {
							p.requireResult(t, filepath.Join(dir, p.Name))
						}
					}
				})
			}
		}
	}
}

// job writes the steps for kernelrun and the buffers' contents to dir.
func (k *kernelTest) job(t *testing.T, dir, cubin, style string) string {
	t.Helper()
	var b strings.Builder
	fmt.Fprintf(&b, "module %s\nfunction %s\n", cubin, k.Name)
	fmt.Fprintf(&b, "block %d %d %d\ngrid %d %d\nparams %d\n", k.Block[0], k.Block[1], k.Block[2], k.Grid[0], k.Grid[1], k.ParamBytes)
	for _, p := range k.Params {
		if p.Kind == "value" {
			fmt.Fprintf(&b, "value %d %d %s\n", p.Offset, p.Size, p.Value)
			continue
		}
		file := filepath.Join(dir, p.Name)
		require.NoError(t, os.WriteFile(file, words(t, p.Init), 0o666))
		fmt.Fprintf(&b, "buffer %d %s\n", p.Offset, file)
	}
	fmt.Fprintf(&b, "launch %s\nsave\n", style)
	path := filepath.Join(dir, "job")
	require.NoError(t, os.WriteFile(path, []byte(b.String()), 0o666))
	return path
}

// words reads hex words separated by blanks, as little-endian bytes.
func words(t *testing.T, text string) []byte {
	t.Helper()
	var b []byte
	for _, w := range strings.Fields(text) {
		n, err := strconv.ParseUint(w, 16, 32)
		require.NoError(t, err)
		b = binary.LittleEndian.AppendUint32(b, uint32(n))
	}
	return b
}

// requireResult compares a buffer's final content with the expected content.
func (p *kernelParam) requireResult(t *testing.T, path string) {
	t.Helper()
	got, err := os.ReadFile(path)
	require.NoError(t, err)
	expect := p.Expect
	if expect == "unchanged" {
		expect = p.Init
	}
	want := words(t, expect)
	require.Len(t, got, len(want))
	size := 4
	if p.Compare == "float64" {
		size = 8
	}
	var wrong []string
	for i := 0; i < len(want); i += size {
		if g, w := got[i:i+size], want[i:i+size]; !p.agree(g, w) {
			wrong = append(wrong, fmt.Sprintf("%s[%d]: got % x, want % x", p.Name, i/size, g, w))
		}
	}
	allowed := 0
	if p.Compare == "exact_but_2_percent" {
		allowed = len(want) / size * 2 / 100
	}
	require.LessOrEqual(t, len(wrong), allowed, "%s", strings.Join(wrong, "\n"))
}

// agree compares one element.
func (p *kernelParam) agree(got, want []byte) bool {
	var g, w float64
	switch p.Compare {
	case "float32":
		g = float64(math.Float32frombits(binary.LittleEndian.Uint32(got)))
		w = float64(math.Float32frombits(binary.LittleEndian.Uint32(want)))
	case "float64":
		g = math.Float64frombits(binary.LittleEndian.Uint64(got))
		w = math.Float64frombits(binary.LittleEndian.Uint64(want))
	default:
		return string(got) == string(want)
	}
	switch {
	case g == w, math.IsNaN(g) && math.IsNaN(w):
		return true
	case math.IsInf(w, 0):
		return false
	}
	return math.Abs(g-w) <= p.ATol+p.RTol*math.Abs(w)
}
