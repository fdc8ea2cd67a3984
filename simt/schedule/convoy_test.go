package schedule

import (
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/simt/engine"
	"jacquard/simt/lane"
	"jacquard/simt/mem"
	"jacquard/tesla"
)

// Blocks that take the same branches stay together, even around a loop. Blocks that part meet where
// their code does, no matter how long each took.
func TestConvoy(t *testing.T) {
	var behind uint32 // address after the loop
	loop := func(turns tesla.Operand) *Program {
		return writtenProgram(t, func(w *kernelWriter) {
			w.arith(tesla.SubR, 6, reg(6), turns) // $r6 was 0
			w.arith(tesla.Add, 6, reg(6), imm(10))
			start := uint32(4 * len(w.code))
			w.arith(tesla.Add, 6, reg(6), imm(0xffffffff))
			w.emit(tesla.Instruction{Op: tesla.OpISet, Type: tesla.U32, Cmp: tesla.Less | tesla.Greater, CDst: tesla.C0, Dst: tesla.Operand{Kind: tesla.Discard}, Src: [3]tesla.Operand{reg(6), reg(9)}})
			w.emit(tesla.Instruction{Op: tesla.OpBra, Target: start, Guard: tesla.Guard{Cond: tesla.CondLG}})
			behind = uint32(4 * len(w.code))
			w.arith(tesla.Add, 7, reg(6), imm(1))
		})
	}
	for _, c := range []struct {
		name     string
		turns    tesla.Operand
		together bool
	}{
		{"all the same", imm(100), true},
		{"each its index", reg(4), false},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := loop(c.turns)
			i, _ := p.Index(behind)
			g, err := newGrid(&Launch{Program: p, Grid: [2]int{4, 1}, Block: [3]int{96, 1, 1}, Params: make([]byte, 4), Global: mem.NewSpace(0)})
			require.NoError(t, err)
			v := g.convoy(g.workers[0], 4)
			counted := &countingEngine{Engine: v.engine, t: t, index: i}
			v.engine = counted
			v.start(0)
			v.run(30)
			require.Equal(t, 4*3, v.front.N)
			v.run(1000)
			ended, faulted := v.ended()
			require.True(t, ended && !faulted)
			require.Equal(t, 1, counted.calls)
			require.Equal(t, c.together, v.table.time[0] == v.table.time[11])
		})
	}
}

// countingEngine counts the runs of the instruction at an index, each for all warps.
type countingEngine struct {
	engine.Engine
	t            *testing.T
	index, calls int
}

func (e *countingEngine) Run(s *lane.Sel, from, to int) int {
	if from <= e.index && e.index < to {
		require.Equal(e.t, 4*3, s.N)
		e.calls++
	}
	return e.Engine.Run(s, from, to)
}
