package conformance

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/internal/test/conformance/random"
	"jacquard/internal/test/maze"
	"jacquard/simt"
	"jacquard/simt/engine"
	"jacquard/simt/mem"
	"jacquard/simt/program"
)

// mode is a set of ways to watch a launch, which change the paths that engines take.
type mode uint8

const (
	inStep    mode = 1 << iota // look for code that relies on lanes running in lockstep
	recorded                   // record every value
	uncounted                  // do not count
)

// modeOf returns the mode of the nth launch.
func modeOf(n uint64) mode { return mode(n % (2 * uint64(uncounted))) }

// watchdog is more warp-instructions than a kernel issues, unless it never ends.
const watchdog = 1 << 18

// launch is a kernel under a policy.
type launch struct {
	*random.Kernel
	policy string
	mode   mode
}

// outcome is the result of a launch.
type outcome struct {
	simd   string
	trail  trail
	record record
	checks checked
	memory []byte
	stats  *simt.Stats
	err    error
}

// refused is the target of errors.As.
var refused *simt.RefusedError

// run runs the launch on an engine.
func (l *launch) run(t *testing.T, compile Compile, simd string) *outcome {
	t.Helper()
	o := &outcome{}
	p := l.lower(t, simd, func(p *program.Program) (engine.Code, error) {
		code, err := compile(p)
		return watched{code, &o.trail, false}, err
	})
	space, err := l.Space()
	require.NoError(t, err)
	at := l.on(p, space)
	if l.mode&inStep != 0 {
		at.InStep = simt.InStepOn
	}
	if l.mode&recorded != 0 {
		o.record.program = p
		at.Recorder = &o.record
		at.Checker = &o.checks
	}
	o.stats, o.err = simt.Run(at)
	o.simd, o.memory = p.SIMD(), space.Reach(random.Base)
	return o
}

// lower returns the kernel's program.
func (l *launch) lower(t *testing.T, simd string, compile Compile) *simt.Program {
	t.Helper()
	k := l.Kernel.Kernel
	k.Host.SIMD = simd
	p, err := simt.LowerFor(k, compile)
	require.NoError(t, err)
	return p
}

// on returns the launch of a program, without listeners.
func (l *launch) on(p *simt.Program, space *mem.Space) *simt.Launch {
	return &simt.Launch{
		Program: p, Grid: l.Grid, Block: l.Block, Params: l.Params, Global: space, Const: l.Const, Textures: l.Textures,
		Policy: l.policy, Watchdog: watchdog, Workers: 1, InStep: simt.InStepOff, NoStats: l.mode&uncounted != 0,
	}
}

// runsOn runs the launch on an engine that runs on by itself, and says where it differs, "" if
// nowhere. Other engines have nothing more to show.
func (l *launch) runsOn(t *testing.T, compile Compile, simd string, want *outcome) string {
	t.Helper()
	got := &outcome{}
	runs := false
	p := l.lower(t, simd, func(p *program.Program) (engine.Code, error) {
		code, err := compile(p)
		if err == nil {
			_, runs = code.New(1).(engine.Runner)
		}
		return watched{code, &got.trail, true}, err
	})
	if !runs {
		return ""
	}
	l.unobserved(t, p, want, got)
	alone := want.alone()
	alone.trail.ends = want.trail.ends
	return alone.difference(got)
}

// runsBare runs the launch on an engine as launches of programs do: registers keep what earlier
// blocks left in them. It says where it differs, "" if nowhere.
func (l *launch) runsBare(t *testing.T, compile Compile, simd string, want *outcome) string {
	t.Helper()
	got := &outcome{}
	l.unobserved(t, l.lower(t, simd, compile), want, got)
	return want.alone().difference(got)
}

// runsRecorded runs the launch as runsBare does, with recorders of issues alone and of values. It says
// where a record differs, "" if nowhere.
func (l *launch) runsRecorded(t *testing.T, compile Compile, simd string, want *outcome) string {
	t.Helper()
	if want.record.program == nil || want.err != nil {
		return ""
	}
	for _, bare := range []bool{true, false} {
		p := l.lower(t, simd, compile)
		space, err := l.Space()
		require.NoError(t, err)
		at, got := l.on(p, space), &record{program: p, bare: bare}
		at.Watchdog, at.Recorder = 0, got
		if _, err = simt.Run(at); err != nil {
			return err.Error()
		}
		if d := want.record.difference(got); d != "" {
			return "recorded, " + d
		}
	}
	p := l.lower(t, simd, compile)
	space, err := l.Space()
	require.NoError(t, err)
	at, got := l.on(p, space), &checked{}
	at.Watchdog, at.Checker = 0, got
	if _, err = simt.Run(at); err != nil {
		return err.Error()
	}
	return different("checked accesses", want.checks.sum, got.sum)
}

// unobserved runs a program's launch without listeners.
func (l *launch) unobserved(t *testing.T, p *simt.Program, want, got *outcome) {
	t.Helper()
	space, err := l.Space()
	require.NoError(t, err)
	at := l.on(p, space)
	if want.err == nil { // it ends without the watchdog, which has to see every event
		at.Watchdog = 0
	}
	got.stats, got.err = simt.Run(at)
	got.memory = space.Reach(random.Base)
}

// alone returns a copy of the outcome without results of listeners.
func (o *outcome) alone() *outcome {
	alone := &outcome{memory: o.memory, stats: o.stats, err: o.err}
	if alone.stats != nil {
		stats := *alone.stats
		stats.InStep = nil
		alone.stats = &stats
	}
	return alone
}

// difference says where got differs, "" if nowhere.
func (o *outcome) difference(got *outcome) string {
	if d := o.trail.difference(&got.trail); d != "" {
		return d
	}
	if d := different("fault", fault(o.err), fault(got.err)); d != "" || o.stats == nil {
		return d
	}
	if !bytes.Equal(o.memory, got.memory) {
		return "memory differs"
	}
	if d := different("statistics", o.comparable(), got.comparable()); d != "" || o.err != nil {
		return d
	}
	if d := o.record.difference(&got.record); d != "" {
		return d
	}
	if d := different("checked accesses", o.checks.sum, got.checks.sum); d != "" {
		return d
	}
	return o.trail.differentEnds(&got.trail)
}

// comparable returns the statistics on which engines agree: all but the time.
func (o *outcome) comparable() simt.Stats {
	s := *o.stats
	s.Elapsed = 0
	return s
}

// fault returns the fault of a launch without its words; another error as it is.
func fault(err error) any {
	var f *simt.Fault
	if !errors.As(err, &f) {
		return err
	}
	plain := *f
	plain.Detail = ""
	return plain
}

// different says which fields of two structures differ, "" if none does.
func different(what string, want, got any) string {
	if reflect.DeepEqual(want, got) {
		return ""
	}
	w, g := reflect.ValueOf(want), reflect.ValueOf(got)
	if want == nil || got == nil || w.Type() != g.Type() || w.Kind() != reflect.Struct {
		return fmt.Sprintf("%s: %v, want %v", what, got, want)
	}
	text := what + ":"
	for i := range w.NumField() {
		if v, other := fmt.Sprint(w.Field(i)), fmt.Sprint(g.Field(i)); v != other {
			text += fmt.Sprintf(" %s %.200s, want %.200s;", w.Type().Field(i).Name, other, v)
		}
	}
	return text
}

// text lists the code.
func (l *launch) text() string {
	var b strings.Builder
	for i := range l.Code {
		fmt.Fprintf(&b, "%3d  %s\n", i, &l.Code[i])
	}
	return b.String()
}

// mazeKernel returns the maze of a seed with its launch.
func mazeKernel(seed uint64) (*random.Kernel, error) {
	m := maze.New(seed)
	kernel, err := m.Kernel()
	k := &random.Kernel{Kernel: kernel, Grid: [2]int{m.Grid, 1}, Block: [3]int{m.Block, 1, 1}, Memory: make([]byte, m.MemoryBytes())}
	k.Params = binary.LittleEndian.AppendUint32(nil, random.Base)
	k.Const[0] = m.Constants()
	return k, err
}
