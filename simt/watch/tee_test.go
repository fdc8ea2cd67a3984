package watch_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/simt/lane"
	"jacquard/simt/machine"
	"jacquard/simt/program"
	"jacquard/simt/watch"
	"jacquard/tesla"
)

// noted is a recorder and a block's recorder that notes its calls.
type noted struct {
	keeps  []bool
	states bool
	block  bool // whether it wants a block
	events []string
}

func (n *noted) Keeps() []bool { return n.keeps }

func (n *noted) States() bool { return n.states }

func (n *noted) Fault(*machine.Fault, int) { n.events = append(n.events, "fault") }

func (n *noted) Block(*watch.Block) watch.BlockRecorder {
	if !n.block {
		return nil
	}
	return n
}

func (n *noted) Run(int, []watch.Stretch) { n.events = append(n.events, "run") }

func (n *noted) Keep(_ int, v *watch.Values) {
	for v.Next() {
		n.events = append(n.events, "keep "+string(rune('0'+v.Index)))
	}
}

func (n *noted) Reached(uint64) { n.events = append(n.events, "reached") }

func (n *noted) End(*machine.Fault) { n.events = append(n.events, "end") }

// values returns values of the instructions with some indices.
func values(t *testing.T, indices ...int) *watch.Values {
	nop := tesla.Instruction{Op: tesla.OpNop, Size: 4}
	p, err := program.Lower(program.Kernel{Name: "k", Code: []tesla.Instruction{nop, nop, nop}})
	require.NoError(t, err)
	k := machine.NewKept(p)
	k.Begin(make([]bool, 3))
	for _, i := range indices {
		k.Add(machine.NewState(p, 1), &p.Code[i], 0, lane.All, nil)
	}
	return k.Before(0, math.MaxUint64)
}

func TestTeeRecorders(t *testing.T) {
	require.Nil(t, watch.TeeRecorders())
	require.Nil(t, watch.TeeRecorders(nil, nil))
	one := &noted{}
	require.Same(t, one, watch.TeeRecorders(nil, one))

	first := &noted{keeps: []bool{true, false, false}, block: true}
	second := &noted{keeps: []bool{false, false, true}, block: true}
	silent := &noted{block: true}
	absent := &noted{}
	all := watch.TeeRecorders(first, nil, second, silent, absent)
	require.Equal(t, []bool{true, false, true}, all.Keeps())
	require.False(t, all.States())
	require.True(t, watch.TeeRecorders(first, &noted{states: true}).States())
	b := all.Block(nil)
	b.Run(0, nil)
	b.Keep(0, values(t, 0, 2))
	b.Reached(8)
	b.End(nil)
	all.Fault(nil, 0)
	require.Equal(t, []string{"run", "keep 0", "reached", "end", "fault"}, first.events)
	require.Equal(t, []string{"run", "keep 2", "reached", "end", "fault"}, second.events)
	require.Equal(t, []string{"run", "reached", "end", "fault"}, silent.events)
	require.Equal(t, []string{"fault"}, absent.events)
	require.Nil(t, watch.TeeRecorders(&noted{}, &noted{}).Block(nil))
}

// told counts the calls of an observer.
type told struct {
	block         bool
	issues, ended int
}

func (o *told) Block(*watch.Block) watch.BlockObserver {
	if !o.block {
		return nil
	}
	return o
}

func (o *told) Issue(*watch.Issue) { o.issues++ }

func (o *told) End() { o.ended++ }

func TestTee(t *testing.T) {
	require.Nil(t, watch.Tee(nil))
	first, second, absent := &told{block: true}, &told{block: true}, &told{}
	require.Same(t, first, watch.Tee(first, nil))
	b := watch.Tee(first, absent, second).Block(nil)
	b.Issue(nil)
	b.Issue(nil)
	b.End()
	require.Equal(t, told{true, 2, 1}, *first)
	require.Equal(t, told{true, 2, 1}, *second)
	require.Zero(t, *absent)
	require.Nil(t, watch.Tee(&told{}, &told{}).Block(nil))
}
