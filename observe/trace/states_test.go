package trace_test

import (
	"bytes"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/internal/test/maze"
	"jacquard/observe/trace"
	"jacquard/simt"
	"jacquard/simt/branch"
	"jacquard/simt/lane"
)

// told keeps the policy's states as a recorder is told them, by block, warp and time.
type told struct {
	mu   sync.Mutex
	list map[[3]uint64]branch.State
}

func (o *told) Keeps() []bool          { return nil }
func (o *told) States() bool           { return true }
func (o *told) Fault(*simt.Fault, int) {}

func (o *told) Block(b *simt.Block) simt.BlockRecorder {
	return &toldBlock{told: o, number: uint64(b.Number())}
}

type toldBlock struct {
	*told
	number uint64
	now    [lane.MaxWarps]branch.State
}

func (o *toldBlock) Run(w int, list []simt.Stretch) {
	o.mu.Lock()
	defer o.mu.Unlock()
	for _, s := range list {
		if s.State != nil {
			o.now[w] = *s.State
		}
		for i := range s.To - s.From {
			o.list[[3]uint64{o.number, uint64(w), s.Time + uint64(i)}] = o.now[w]
		}
	}
}

func (o *toldBlock) Keep(int, *simt.Values) {}
func (o *toldBlock) Reached(uint64)         {}
func (o *toldBlock) End(*simt.Fault)        {}

// A trace with states has the same issues as one without, and with each issue the policy's state
// at the time; running entries are at the pc of the issue. A copy has it too.
func TestStates(t *testing.T) {
	for _, policy := range branch.Policies() {
		ran := 0
		for seed := range uint64(5) {
			plain, _, want, ok := record(t, seed, policy.Name, trace.Options{})
			if !ok {
				continue
			}
			ran++
			var out, small bytes.Buffer
			r, err := trace.NewRecorder(&out, trace.Options{Values: trace.Values{States: true}}, nil)
			require.NoError(t, err)
			o := &told{list: map[[3]uint64]branch.State{}}
			var end func(error)
			stats, err := maze.New(seed).With(policy.Name, func(l *simt.Launch) {
				l.Recorder = o
				end = r.Attach(l, "", 0)
			})
			require.NoError(t, err)
			end(nil)
			require.NoError(t, r.Close())
			require.Equal(t, want.ByInstruction, stats.ByInstruction)
			file := open(t, out.Bytes())
			require.True(t, file.States)
			require.False(t, open(t, plain).States)
			issues, all := steps(t, open(t, plain), trace.Filter{}), steps(t, file, trace.Filter{})
			require.Len(t, all, len(issues))
			require.NoError(t, file.Copy(&small, &trace.Filter{}, trace.Values{States: true}))
			copied := steps(t, open(t, small.Bytes()), trace.Filter{})
			require.Len(t, copied, len(all))
			for i := range all {
				s := all[i]
				requireTold(t, o, file.Kernels[0], &s)
				require.Equal(t, s.States, copied[i].States)
				s.States = nil
				require.Equal(t, normal(issues[i]), normal(s))
			}
		}
		require.Positive(t, ran, policy.Name)
	}
}

// requireTold asserts that a step has the states that o was told of.
func requireTold(t *testing.T, o *told, k *trace.Kernel, s *trace.Step) {
	t.Helper()
	n := s.N
	if s.Mixed {
		n = 1
	}
	require.Len(t, s.States, n)
	for i, state := range s.States {
		want := o.list[[3]uint64{uint64(s.Block), uint64(s.Warp[i]), s.Time}]
		require.True(t, want.Same(state), "%v, not %v", state, want)
		require.NotEmpty(t, state)
		for _, e := range state {
			if e.Runs {
				require.Equal(t, k.PCs[s.Index], e.PC)
			}
		}
	}
}
