package trace_test

import (
	"bytes"
	"cmp"
	"math/bits"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/internal/test/maze"
	"jacquard/observe/trace"
	"jacquard/simt"
	"jacquard/simt/branch"
	"jacquard/simt/lane"
)

// want collects the issues that an observer sees, as steps.
type want struct {
	values trace.Values
	blocks map[int][]trace.Step
}

type wantBlock struct {
	*want
	number int
}

func (o *want) Block(b *simt.Block) simt.BlockObserver { return &wantBlock{o, b.Number()} }
func (o *wantBlock) End()                              {}

func (o *wantBlock) Issue(i *simt.Issue) {
	s := trace.Step{Block: o.number, Time: i.Time, Mixed: i.Mixed, Vetoed: i.Vetoed}
	s.Index = -1
	var effects simt.Effects
	for k := range i.Block.Program().Kernel.Code {
		if &i.Block.Program().Kernel.Code[k] == i.Instruction {
			s.Index, effects = k, i.Block.Program().Effects(k)
		}
	}
	for w := range i.Warps() {
		s.Warp[s.N], s.Active[s.N], s.Executed[s.N] = uint8(w.Warp), w.Active, w.Executed
		s.N++
		if w.Executed == 0 {
			continue
		}
		add := func(kind trace.SlotKind, number int, row lane.Row) {
			for l := range row {
				if w.Executed>>l&1 == 0 {
					row[l] = 0
				}
			}
			s.Values = append(s.Values, trace.Value{Slot: trace.Slot{Kind: kind, Number: number}, Warp: w.Warp, Lanes: w.Executed, Row: row})
		}
		if o.values.Registers {
			for _, r := range effects.Registers {
				add(trace.Register, r, i.Block.Register(r, w.Warp))
			}
			for _, a := range effects.AddressRegisters {
				add(trace.AddressRegister, a, i.Block.AddressRegister(uint8(a), w.Warp))
			}
			for _, c := range effects.Conditions {
				f, row := i.Block.Condition(uint8(c), w.Warp), lane.Row{}
				for l := range row {
					row[l] = uint32(f.Z>>l&1 + f.S>>l&1*2 + f.C>>l&1*4 + f.O>>l&1*8)
				}
				add(trace.Condition, c, row)
			}
		}
		if o.values.Addresses && w.Addresses != nil {
			add(trace.Address, 0, *w.Addresses)
		}
		if o.values.Data {
			for _, r := range effects.Data {
				add(trace.Data, r, i.Block.Register(r, w.Warp))
			}
		}
	}
	o.blocks[o.number] = append(o.blocks[o.number], s)
}

// record runs a maze under a policy and returns the trace, the expected steps, and the statistics.
func record(t testing.TB, seed uint64, policy string, o trace.Options) ([]byte, *want, *simt.Stats, bool) {
	t.Helper()
	var out bytes.Buffer
	r, err := trace.NewRecorder(&out, o, func(err error) { require.NoError(t, err) })
	require.NoError(t, err)
	w := &want{values: o.Values, blocks: map[int][]trace.Step{}}
	stats, err := watch(r, 0, maze.New(seed), policy, w)
	if _, refused := maze.Refusal(err); refused {
		return nil, nil, nil, false
	}
	require.NoError(t, err)
	require.NoError(t, r.Close())
	return out.Bytes(), w, stats, true
}

// watch runs a maze with a recorder and another observer; number is the launch's.
func watch(r *trace.Recorder, number int, m *maze.Maze, policy string, o simt.Observer) (*simt.Stats, error) {
	var end func(error)
	stats, err := m.With(policy, func(l *simt.Launch) {
		l.Observer = o
		end = r.Attach(l, "", number)
	})
	if end != nil {
		end(err)
	}
	return stats, err
}

func open(t testing.TB, data []byte) *trace.File {
	t.Helper()
	f, err := trace.NewFile(bytes.NewReader(data), int64(len(data)))
	require.NoError(t, err)
	return f
}

// steps reads all steps that a filter selects.
func steps(t testing.TB, f *trace.File, filter trace.Filter) []trace.Step {
	t.Helper()
	var list []trace.Step
	for s, err := range f.Steps(&filter) {
		require.NoError(t, err)
		c := *s
		c.Values = append([]trace.Value(nil), s.Values...)
		c.States = nil
		for _, state := range s.States {
			c.States = append(c.States, slices.Clone(state))
		}
		list = append(list, c)
	}
	return list
}

// normal returns a step with the arrays beyond N cleared.
func normal(s trace.Step) trace.Step {
	for k := s.N; k < lane.MaxWarps; k++ {
		s.Warp[k], s.Active[k], s.Executed[k] = 0, 0, 0
	}
	return s
}

// together returns the issues of a block in the order of a trace: neighbouring warps that issue one
// instruction at a time are one step.
func together(issues []trace.Step) (list []trace.Step) {
	slices.SortStableFunc(issues, func(a, b trace.Step) int {
		return cmp.Or(cmp.Compare(a.Time, b.Time), cmp.Compare(a.Warp[0], b.Warp[0]))
	})
	for _, s := range issues {
		n := len(list) - 1
		if n < 0 || s.Mixed || list[n].Time != s.Time || list[n].Index != s.Index || (list[n].Active[0] == 0) != (s.Active[0] == 0) {
			list = append(list, s)
			continue
		}
		t := &list[n]
		t.Warp[t.N], t.Active[t.N], t.Executed[t.N] = s.Warp[0], s.Active[0], s.Executed[0]
		t.N++
		t.Vetoed |= s.Vetoed
		t.Values = append(t.Values, s.Values...)
	}
	return list
}

// Under every policy a trace equals the issues that an observer saw, and adds up to the
// statistics.
func TestRecorded(t *testing.T) {
	for _, policy := range branch.Policies() {
		ran := 0
		for seed := range uint64(5) {
			all := trace.Options{Values: trace.Values{Registers: true, Addresses: true, Data: true}}
			data, w, stats, ok := record(t, seed, policy.Name, all)
			if !ok {
				continue
			}
			ran++
			f := open(t, data)
			require.Nil(t, f.Damage)
			require.Len(t, f.Launches, 1)
			require.True(t, f.Launches[0].Ended)
			got := steps(t, f, trace.Filter{})
			var want []trace.Step
			for b := range f.Launches[0].Grid[0] {
				want = append(want, together(w.blocks[b])...)
			}
			require.Equal(t, len(want), len(got), "%s, seed %d", policy.Name, seed)
			for i := range want {
				require.Equal(t, want[i], normal(got[i]), "%s, seed %d, step %d", policy.Name, seed, i)
			}
			requireCounts(t, stats, f, got)
		}
		require.Positive(t, ran, policy.Name)
	}
}

// requireCounts asserts that the steps of a trace add up to the statistics of the run.
func requireCounts(t testing.TB, stats *simt.Stats, f *trace.File, list []trace.Step) {
	t.Helper()
	by := make([]simt.InstructionStats, len(stats.ByInstruction))
	var total uint64
	for i := range by {
		by[i].PC = f.Launches[0].Kernel.PCs[i]
	}
	for _, s := range list {
		in := &by[s.Index]
		total += uint64(s.Count())
		in.Issues += uint64(s.Count())
		var columns lane.Mask
		for k := range s.N {
			columns |= s.Active[k]
			if !s.Mixed {
				in.Active[bits.OnesCount32(uint32(s.Active[k]))]++
			}
			if s.Vetoed>>s.Warp[k]&1 != 0 {
				in.Vetoed++
				continue
			}
			threads := f.Launches[0].Kernel.Threads(&s, k)
			in.Threads += uint64(bits.OnesCount32(uint32(threads)))
			in.Off += uint64(bits.OnesCount32(uint32(s.Active[k] &^ threads)))
		}
		if s.Mixed {
			in.Active[bits.OnesCount32(uint32(columns))]++
		}
	}
	require.Equal(t, stats.WarpInstructions, total)
	require.Equal(t, stats.WarpInstructions, f.Launches[0].Count)
	for i := range by {
		by[i].Branch, by[i].Memory = stats.ByInstruction[i].Branch, stats.ByInstruction[i].Memory
		require.Equal(t, stats.ByInstruction[i], by[i])
	}
}
