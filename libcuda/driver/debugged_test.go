package driver_test

import (
	"cmp"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/debug"
	"jacquard/libcuda/driver"
	"jacquard/libcuda/driver/knobs"
	"jacquard/observe/findings"
	"jacquard/simt/check"
)

// mistaken is a program whose kernels, of testdata/ptx/mistakes.ptx, have mistakes.
type mistaken struct {
	kernels []string
	kinds   string
	streams bool   // each kernel has a stream
	written int    // bytes of the data that have values; the others have none
	first   string // what stops first, with its line
}

var mistakenPrograms = map[string]mistaken{
	"race":        {kernels: []string{"races", "adds", "races"}, kinds: "race", written: 1024, first: "race read-write 12"},
	"barrier":     {kernels: []string{"adds", "ends"}, kinds: "sync", written: 1024, first: "sync partial 22"},
	"init":        {kernels: []string{"adds", "depends", "depends"}, kinds: "init", first: "init branch 31"},
	"init itself": {kernels: []string{"depends"}, kinds: "init", written: 4, first: "init branch 31"},
	"all":         {kernels: []string{"depends", "races", "ends"}, kinds: "race,sync,init", written: 4, first: "init branch 31"},
	"streams":     {kernels: []string{"adds", "adds", "races"}, kinds: "race", streams: true, written: 1024, first: "race read-write 51"},
	"bounds":      {kernels: []string{"adds", "leaves"}, kinds: "memory,race", written: 1024, first: "race write-write 40"},
}

// run runs the program, under a session unless it is nil. It returns what the data are at the end,
// and the report.
func (m mistaken) run(t *testing.T, s *debug.Session) (data []byte, list []check.Finding) {
	report := filepath.Join(t.TempDir(), "report")
	d := driver.New(driver.Config{Settings: knobs.Settings{Check: m.kinds, CheckReport: report}, Output: new(output), Debug: s})
	th := d.Thread(1)
	require.NoError(t, th.Init(0))
	create(t, th)
	module, err := th.ModuleLoadData(append(ptx(t, "mistakes"), 0))
	require.NoError(t, err)
	at := alloc(t, th, 1024)
	if m.written > 0 {
		require.NoError(t, th.MemcpyHtoD(at, make([]byte, m.written)))
	}
	for _, name := range m.kernels {
		f, err := th.ModuleGetFunction(module, name)
		require.NoError(t, err)
		blocks, stream := uint32(4), driver.Stream(0)
		if name == "leaves" {
			blocks = 5
		}
		if m.streams {
			stream, err = th.StreamCreate(driver.StreamNonBlocking)
			require.NoError(t, err)
		}
		require.NoError(t, th.LaunchKernel(f, [3]uint32{blocks, 1, 1}, [3]uint32{64, 1, 1}, 0, stream, driver.Arguments{Packed: words(uint32(at))}))
	}
	data = make([]byte, 1024)
	if !slices.Contains(m.kernels, "leaves") { // after a fault nothing is copied
		require.NoError(t, th.MemcpyDtoH(data, at))
	}
	d.End()
	r, err := findings.Read(report)
	require.NoError(t, err)
	return data, r.Findings
}

// user goes on from stop to stop until the program ends, by going, and returns the stops for findings.
func user(t *testing.T, s *debug.Session, at func(*debug.Stop)) (stops []*debug.Stop) {
	for {
		stop, err := s.Resume(debug.Order{Kind: debug.Continue})
		if errors.Is(err, debug.ErrGone) {
			return stops
		}
		require.NoError(t, err)
		stops = append(stops, stop)
		at(stop)
	}
}

// Each error stops a kernel once, before the issue that makes it, with its thread. What the program
// leaves and what the report says are as without the debugger, whichever way the user goes.
func TestFindingsStop(t *testing.T) {
	ways := map[string]struct {
		breakpoint bool
		at         func(t *testing.T, s *debug.Session, stop *debug.Stop)
	}{
		"on":              {false, func(*testing.T, *debug.Session, *debug.Stop) {}},
		"with breakpoint": {true, func(*testing.T, *debug.Session, *debug.Stop) {}},
		"back": {false, func(t *testing.T, s *debug.Session, stop *debug.Stop) {
			back, err := s.Resume(debug.Order{Kind: debug.ReverseStepInst, Focus: stop.Focus})
			require.NoError(t, err)
			require.Equal(t, stop.Launch.Number, back.Launch.Number)
			again, err := s.Resume(debug.Order{Kind: debug.Continue})
			require.NoError(t, err)
			require.Equal(t, stop.Position, again.Position)
			require.Equal(t, stop.Findings, again.Findings)
			if stop.Reason != debug.ReasonFinding {
				return
			}
			next := stop
			for i := 0; i == 0 || i < 6 && next.Reason == debug.ReasonStep && next.Launch.Number == stop.Launch.Number; i++ {
				next, err = s.Resume(debug.Order{Kind: debug.StepInstruction, Focus: next.Focus})
				require.NoError(t, err)
			}
			if next.Launch.Number != stop.Launch.Number { // there is no way back into an earlier launch
				return
			}
			back, err = s.Resume(debug.Order{Kind: debug.ReverseContinue, Focus: next.Focus})
			require.NoError(t, err)
			require.Equal(t, stop.Position, back.Position)
			require.Equal(t, stop.Findings, back.Findings)
		}},
	}
	for name, m := range mistakenPrograms {
		data, report := m.run(t, nil)
		for way, w := range ways {
			t.Run(name+" "+way, func(t *testing.T) {
				s := debug.NewSession()
				require.NoError(t, s.SetCatch(debug.Catch{Faults: true, Findings: check.All}))
				if w.breakpoint {
					require.NoError(t, s.SetBreakpoints([]debug.Breakpoint{{ID: 1, File: "mistakes.cu", Line: 10, Condition: "blockIdx.x == 9"}}))
				}
				done := make(chan []*debug.Stop)
				go func() {
					defer close(done)
					defer s.Detach()
					done <- user(t, s, func(stop *debug.Stop) { w.at(t, s, stop) })
				}()
				s.Begin()
				got, again := m.run(t, s)
				s.End()
				want, stops, first := map[string]bool{}, map[string]bool{}, ""
				for _, f := range report {
					if f.Level == check.Error && f.At.Device != nil {
						want[f.Key()] = true
					}
				}
				for _, stop := range <-done {
					require.Equal(t, stop.Findings[0].At.Where[0].Warp, stop.Focus.Warp)
					for _, f := range stop.Findings {
						require.False(t, stops[f.Key()], f.String())
						stops[f.Key()] = true
						place, _ := f.At.User()
						first = cmp.Or(first, fmt.Sprintf("%s %s %d", f.Kind, f.What, place.Line))
					}
				}
				for key := range want { // the report may leave out what follows from another mistake
					require.True(t, stops[key], "%q", key)
				}
				require.Equal(t, m.first, first)
				require.Equal(t, data, got)
				require.Equal(t, report, again)
			})
		}
	}
}
