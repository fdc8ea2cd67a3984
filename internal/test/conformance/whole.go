package conformance

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/internal/test/maze"
	"jacquard/observe/trace"
	"jacquard/simt"
	"jacquard/simt/engine"
	"jacquard/simt/engine/interp"
	"jacquard/simt/engine/reference"
	"jacquard/simt/engine/translate"
)

var sample = flag.Int("sample", 0, "of how many launches of whole kernels one runs; 1 runs all (0: as the test says)")

// Whole compares the engines on launches of whole kernels.
type Whole struct {
	// Sample says of how many launches and policies one runs, unless the flag -sample does. It is a
	// prime, so that launches run under different policies.
	Sample int

	Policies []string // nil: maze.Policies

	seen, ran, refused int
}

// Each runs a launch on every engine, under the policies of the sample. It builds the launch only
// if the sample has a policy. A watchdog limits the launch to one worker, so only a launch that
// may not end, or whose blocks race, should have one.
func (w *Whole) Each(t *testing.T, name string, launch func() *simt.Launch) {
	t.Helper()
	var l *simt.Launch
	var on []translation
	policies := w.Policies
	if policies == nil {
		policies = maze.Policies()
	}
	for _, policy := range policies {
		if w.seen++; w.seen%w.oneOf() != 0 {
			continue
		}
		if l == nil {
			l = launch()
			on = translations(t, l.Program.Kernel)
		}
		l.Policy = policy
		w.ran++
		if !agree(t, name, l, on, w.ran) {
			w.refused++
		}
	}
}

// oneOf returns of how many launches one runs.
func (w *Whole) oneOf() int { return cmp.Or(*sample, w.Sample) }

// Report logs what ran, and why the rest did not.
func (w *Whole) Report(t *testing.T) {
	t.Helper()
	t.Logf("%d of %d launches ran on the reference, the interpreter and the translator (%v), policies refused %d of them",
		w.ran, w.seen, simt.SIMDs()[1:], w.refused)
	if n := w.oneOf(); n > 1 {
		t.Logf("one launch of %d ran: -sample 1 runs all", n)
	}
	for _, simd := range []string{"avx2", "avx512"} {
		if err := simt.CheckSIMD(simd); err != nil {
			t.Logf("no code for %s ran: %v", simd, err)
		}
	}
	require.NotZero(t, w.ran-w.refused)
}

// translation is a kernel made ready by an engine.
type translation struct {
	name    string
	program *simt.Program
}

// translations makes a kernel ready by every engine, the reference first. Code of the translator is
// hot from the start.
func translations(t *testing.T, k simt.Kernel) (on []translation) {
	t.Helper()
	add := func(name, simd string, compile Compile) {
		k.Host.SIMD = simd
		p, err := simt.LowerFor(k, compile)
		require.NoError(t, err)
		on = append(on, translation{name, p})
	}
	add("reference", engine.Off, reference.Compile)
	add("interpreter", engine.Off, interp.Compile)
	for _, simd := range simt.SIMDs()[1:] {
		add("translator with "+simd, simd, translate.CompileHot)
	}
	return on
}

// workers are the numbers of workers of a launch.
var workers = [...]int{1, 2, 7}

// agree runs a launch on every engine with every number of workers, and reports whether its policy
// takes it. Then it records the launch, for which the translator uses the interpreter: there each
// engine has one number of workers, which changes with turn.
func agree(t *testing.T, name string, l *simt.Launch, on []translation, turn int) bool {
	t.Helper()
	check := func(want *remains, e *translation, workers int, recorded bool) {
		got := leave(t, l, e, workers, recorded)
		if d := want.difference(got, workers); d != "" {
			require.Failf(t, "the engine differs from the reference", "%s under %s on the %s with %d workers, recorded: %t: %s",
				name, l.Policy, e.name, workers, recorded, d)
		}
	}
	want := leave(t, l, &on[0], 1, false)
	if errors.As(want.err, &refused) {
		return false
	}
	for i := range on[1:] {
		for _, n := range workers {
			check(want, &on[1+i], n, false)
		}
	}
	want = leave(t, l, &on[0], 1, true)
	for i := range on[1:] {
		check(want, &on[1+i], workers[(i+turn)%len(workers)], true)
	}
	return true
}

// remains is the state after a launch.
type remains struct {
	err    error
	stats  string   // JSON
	memory [][]byte // by allocation
	trace  []byte
}

// leave runs a launch on a copy of its memory. Only recorded launches are checked for lanes that rely
// on each other, because the translator leaves that to the interpreter, too.
func leave(t *testing.T, l *simt.Launch, on *translation, workers int, recorded bool) *remains {
	t.Helper()
	r, run := &remains{}, *l
	run.Program, run.Workers, run.InStep = on.program, workers, simt.InStepOff
	run.Global = l.Global.Clone(func(_ uint32, data []byte) []byte {
		data = bytes.Clone(data)
		r.memory = append(r.memory, data)
		return data
	})
	var stats *simt.Stats
	if recorded {
		run.InStep = simt.InStepAuto
		var out bytes.Buffer
		recorder, err := trace.NewRecorder(&out, trace.Options{Values: trace.Values{Registers: true, Addresses: true, Data: true}}, nil)
		require.NoError(t, err)
		end := recorder.Attach(&run, "", 0)
		stats, r.err = simt.Run(&run)
		end(r.err)
		require.NoError(t, recorder.Close())
		r.trace = out.Bytes()
	} else {
		stats, r.err = simt.Run(&run)
	}
	if stats != nil {
		stats.Elapsed = 0
		text, err := json.Marshal(stats)
		require.NoError(t, err)
		r.stats = string(text)
	}
	return r
}

// difference says where got differs, "" if nowhere. After a fault, several workers leave any memory.
func (r *remains) difference(got *remains, workers int) string {
	switch {
	case fmt.Sprint(r.err) != fmt.Sprint(got.err):
		return fmt.Sprintf("error: %v, want %v", got.err, r.err)
	case r.stats != got.stats:
		return fmt.Sprintf("statistics: %s, want %s", got.stats, r.stats)
	case (r.err == nil || workers == 1) && !slices.EqualFunc(r.memory, got.memory, bytes.Equal):
		return "memory differs"
	case !bytes.Equal(r.trace, got.trace):
		return "traces differ"
	}
	return ""
}
