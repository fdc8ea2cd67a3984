package x86

import (
	"encoding/binary"
	"testing"

	"github.com/stretchr/testify/require"
)

// target is where the 4 bytes that end at end-tail lead, for an instruction that ends at end.
func target(code []byte, end, tail int) int {
	return end + int(int32(binary.LittleEndian.Uint32(code[end-tail-4:])))
}

// A jump back is short while its target is near, a jump forward always long.
func TestJumps(t *testing.T) {
	for _, gap := range []int{0, 100, 126, 127, 124, 125, 1000} {
		a := New(false)
		back, ahead := a.NewLabel(), a.NewLabel()
		a.Bind(back)
		a.Nop(gap)
		a.Jmp(back)
		jmp := a.Pos()
		a.Jcc(NE, back)
		jcc := a.Pos()
		a.Jmp(ahead)
		forward := a.Pos()
		a.Jcc(A, ahead)
		forwardCC := a.Pos()
		a.Call(ahead)
		call := a.Pos()
		a.Call(back)
		callBack := a.Pos()
		a.Bind(ahead)
		code := a.Finish()
		if gap+2 <= 128 {
			require.Equal(t, []byte{0xEB, byte(-gap - 2)}, code[gap:jmp])
		} else {
			require.Equal(t, byte(0xE9), code[gap])
			require.Equal(t, 0, target(code, jmp, 0))
		}
		if jmp+2 <= 128 {
			require.Equal(t, []byte{0x75, byte(-jcc)}, code[jmp:jcc])
		} else {
			require.Equal(t, []byte{0x0F, 0x85}, code[jmp:jmp+2])
			require.Equal(t, 0, target(code, jcc, 0))
		}
		require.Equal(t, byte(0xE9), code[jcc])
		require.Equal(t, []byte{0x0F, 0x87}, code[forward:forward+2])
		require.Equal(t, byte(0xE8), code[forwardCC])
		for _, end := range []int{forward, forwardCC, call} {
			require.Equal(t, len(code), target(code, end, 0))
		}
		require.Equal(t, 0, target(code, callBack, 0))
		require.Equal(t, len(code), a.Offset(ahead))
		require.Equal(t, 0, a.Offset(back))
	}
}

// Operands relative to RIP lead to their constants and labels, whatever follows the displacement.
func TestRelative(t *testing.T) {
	a := New(true)
	one := a.Const([]byte{1, 0, 0, 0}, 4)
	row := a.Const(make([]byte, 64), 64)
	require.Equal(t, one, a.Const([]byte{1, 0, 0, 0}, 4))
	require.Equal(t, row.Disp(64), a.Const([]byte{5, 6}, 2))
	require.Equal(t, row.Disp(66), a.Const([]byte{7, 8}, 2))
	require.Equal(t, row.Disp(80), a.Const([]byte{7, 8}, 16), "a constant that is better aligned")
	l := a.NewLabel()
	type use struct{ end, tail, to int }
	var uses []use
	put := func(tail int, to int) { uses = append(uses, use{a.Pos(), tail, to}) }
	a.V(Ins{Op: VPADDD, L: Z, D: 9, S: 3, RM: one.Bcst()})
	put(0, 0)
	a.V(Ins{Op: VPCMPD, L: Z, D: 1, S: 30, RM: row, Imm: CmpLT})
	put(1, 64)
	a.V(Ins{Op: VPBLENDVB, L: Y, D: 1, S: 3, RM: row, M: 3})
	put(1, 64)
	a.Mov(64, R(R9), one)
	put(0, 0)
	a.Mov(32, one, Imm(7))
	put(4, 0)
	a.Add(16, one, Imm(1000))
	put(2, 0)
	a.Add(64, row.Disp(8), Imm(1))
	put(1, 72)
	a.Lea(64, RDX, l.Addr())
	lea := a.Pos()
	a.Bind(l)
	a.Ret()
	code := a.Finish()
	pool := len(code) - 128 - 18
	require.Zero(t, pool&63)
	for _, u := range uses {
		require.Equal(t, pool+u.to, target(code, u.end, u.tail))
	}
	require.Equal(t, a.Offset(l), target(code, lea, 0))
}
