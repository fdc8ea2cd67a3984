package view

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/internal/test/maze"
	"jacquard/observe/trace"
	"jacquard/simt"
)

// all selects values of every kind.
var all = trace.Values{Registers: true, Addresses: true, Data: true}

// record records launches of mazes under a policy, and returns the trace and their statistics.
func record(t testing.TB, o trace.Options, policy string, seeds ...uint64) (*trace.File, []*simt.Stats) {
	t.Helper()
	data, list := recordAll(t, o, policy, seeds...)
	f, err := trace.NewFile(bytes.NewReader(data), int64(len(data)))
	require.NoError(t, err)
	t.Cleanup(func() { f.Close() })
	return f, list
}

// recordAll is record, and returns the bytes of the trace.
func recordAll(t testing.TB, o trace.Options, policy string, seeds ...uint64) (data []byte, list []*simt.Stats) {
	t.Helper()
	var out bytes.Buffer
	r, err := trace.NewRecorder(&out, o, func(err error) { require.NoError(t, err) })
	require.NoError(t, err)
	for i, seed := range seeds {
		m := maze.New(seed)
		var end func(error)
		s, err := m.With(policy, func(l *simt.Launch) { end = r.Attach(l, "gtx280", i) })
		require.NoError(t, err)
		end(nil)
		list = append(list, s)
	}
	require.NoError(t, r.Close())
	return out.Bytes(), list
}

func TestDiff(t *testing.T) {
	everything := &trace.Filter{}
	a, s := record(t, trace.Options{Values: all}, "", 9, 3)
	b, _ := record(t, trace.Options{}, "", 9, 3)
	d, count, err := Diff(a, a, everything, Ignore{})
	require.NoError(t, err)
	require.Nil(t, d)
	require.Equal(t, s[0].WarpInstructions+s[1].WarpInstructions, count)
	d, _, err = Diff(a, b, everything, Ignore{})
	require.NoError(t, err)
	require.Nil(t, d, "values that only one has are not compared")

	// one launch less
	b, _ = record(t, trace.Options{}, "", 9)
	d, _, err = Diff(a, b, everything, Ignore{})
	require.NoError(t, err)
	require.Equal(t, s[0].WarpInstructions, d.Same)
	require.Equal(t, "one trace is longer", d.What)
	require.Equal(t, "the trace ends", d.B)

	// a policy that mixes warps
	mixed, s := record(t, trace.Options{}, "tbc", 9, 3)
	_, count, err = Diff(mixed, mixed, everything, Ignore{})
	require.NoError(t, err)
	require.Equal(t, s[0].WarpInstructions+s[1].WarpInstructions, count)

	// another policy
	b, _ = record(t, trace.Options{}, "mimd", 9, 3)
	d, _, err = Diff(a, b, everything, Ignore{})
	require.NoError(t, err)
	require.NotNil(t, d)
	require.Equal(t, "active lanes", d.What)
	require.NotEqual(t, d.A, d.B)

	// another kernel
	b, _ = record(t, trace.Options{Values: all}, "", 8, 3)
	d, _, err = Diff(a, b, everything, Ignore{})
	require.NoError(t, err)
	require.Equal(t, &Difference{0, "kernel", d.A, d.B}, d)
	require.Regexp(t, `^launch 0, maze9, block 0: 0 w0  0000 [0-9a-f]{8}  \S`, d.A)
	require.Regexp(t, `^launch 0, maze8, block 0: 0 w0  0000 [0-9a-f]{8}  \S`, d.B)
}

// Diff names what differs.
func TestDiffers(t *testing.T) {
	f, _ := record(t, trace.Options{Values: all}, "", 9)
	next := func() (*walk, *trace.Step) {
		w := newWalk(f, &trace.Filter{})
		t.Cleanup(w.stop)
		for w.advance() && len(w.step.Values) == 0 {
		}
		s := *w.step
		s.Values = append([]trace.Value(nil), s.Values...)
		w.step = &s
		return w, &s
	}
	a, _ := next()
	for want, change := range map[string]func(*trace.Step){
		"":                                     func(*trace.Step) {},
		"block":                                func(s *trace.Step) { s.Block++ },
		"time":                                 func(s *trace.Step) { s.Time++ },
		"warp":                                 func(s *trace.Step) { s.Warp[0]++ },
		"pc":                                   func(s *trace.Step) { s.Index++ },
		"active lanes":                         func(s *trace.Step) { s.Active[0] ^= 2 },
		"lanes that executed":                  func(s *trace.Step) { s.Executed[0] ^= 2 },
		fmt.Sprintf("%s of lane 1, ", slot(a)): func(s *trace.Step) { s.Values[0].Row[1]++ },
	} {
		b, s := next()
		change(s)
		got := a.differs(b, Ignore{})
		require.Contains(t, got, want)
		require.Equal(t, want == "", got == "")
		if want == "time" {
			require.Empty(t, a.differs(b, Ignore{Time: true}))
		}
	}
}

func slot(w *walk) string { return w.step.Values[0].Name() }
