package simt

import (
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/simt/lane"
	"jacquard/simt/mem"
	"jacquard/tesla"
)

// Blocks that do the same stay together, around a loop too. Those that part meet where their
// ways do, however long each took.
func TestConvoy(t *testing.T) {
	var behind uint32 // address of what is behind the loop
	loop := func(turns tesla.Operand) *Program {
		return program(t, func(w *kernelWriter) {
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
			i, _ := p.index(behind)
			u := &p.code[i]
			exec, calls := u.exec, 0
			u.exec = func(b *Block, u *uop, s *lane.Sel) bool {
				require.Equal(t, 4*3, s.N)
				calls++
				return exec(b, u, s)
			}
			g, err := newGrid(&Launch{Program: p, Grid: [2]int{4, 1}, Block: [3]int{96, 1, 1}, Params: make([]byte, 4), Global: mem.NewSpace(0)})
			require.NoError(t, err)
			v := g.convoy(g.workers[0], 4)
			v.start(0)
			v.run(30)
			require.Equal(t, 4*3, v.front.N)
			v.run(1000)
			require.True(t, v.done())
			require.Equal(t, 1, calls)
			require.Equal(t, c.together, v.table.time[0] == v.table.time[11])
		})
	}
}
