package reference

import (
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/simt/engine/reference/alu"
	"jacquard/simt/lane"
	"jacquard/simt/machine"
	"jacquard/simt/mem"
	"jacquard/simt/program"
	"jacquard/tesla"
)

// Every operation with an effect has a function.
func TestIsComplete(t *testing.T) {
	for op := tesla.OpInvalid + 1; int(op) < tesla.Ops; op++ {
		p, err := program.Lower(program.Kernel{Code: []tesla.Instruction{{Op: op, Type: tesla.B32, From: tesla.U32, Size: 8}}})
		require.NoError(t, err)
		if u := &p.Code[0]; u.Acts && u.Refusal == nil {
			if actions[op] == nil {
				require.NotPanics(t, func() { (&Operation{In: u.Ins, Kernel: &p.Kernel}).Compute() }, op)
			}
		}
	}
}

// The conditions from l to geu are the sets of a floating-point result's outcomes: bit 0 less, bit
// 1 equal, bit 2 greater, bit 3 unordered (docs/isa/machine.md, Condition registers).
func TestConditionsAfterFloats(t *testing.T) {
	for flags, outcome := range map[uint8]tesla.Cond{0: 4, alu.Z: 2, alu.S: 1, alu.Z | alu.S: 8} {
		for c := tesla.CondL; c <= tesla.CondGEU; c++ {
			require.Equal(t, c&outcome != 0, Holds(c, flags), "%s, flags %d", c, flags)
		}
	}
}

// A block starts in the state of docs/isa/launch.md.
func TestStart(t *testing.T) {
	p, err := program.Lower(program.Kernel{Registers: 2, Shared: 0x18})
	require.NoError(t, err)
	g := Start{Program: p, Grid: [2]int{3, 2}, Block: [3]int{5, 4, 2}, Params: []byte{1, 2}}
	st, all := g.State(2, 1)
	require.Equal(t, 2, all.N)
	require.Equal(t, []lane.Mask{lane.All, 0xff}, all.Mask[:2])
	require.Equal(t, []byte{0, 0, 5, 0, 4, 0, 2, 0, 3, 0, 2, 0, 2, 0, 1, 0, 1, 2, 0, 0, 0, 0, 0, 0}, st.Shared.Bytes())
	require.Equal(t, uint32(4|3<<16|1<<26), thread{st, 1, 7}.reg(0))
}

// A fault leaves the warp as it was, and warps before it past the load.
func TestFault(t *testing.T) {
	in := tesla.Instruction{Op: tesla.OpLdLocal, Type: tesla.B32, Size: 8, Dst: tesla.Operand{Kind: tesla.Reg, Index: 1}}
	in.Src[0] = tesla.Operand{Kind: tesla.Local, Base: 1}
	p, err := program.Lower(program.Kernel{Code: []tesla.Instruction{in}, Registers: 2, Local: 16})
	require.NoError(t, err)
	g := Start{Program: p, Grid: [2]int{1, 1}, Block: [3]int{64, 1, 1}}
	st, all := g.State(0, 0)
	for _, th := range threads(st, &all) {
		th.setReg(1, 7)
	}
	thread{st, 1, 3}.setAddr(1, 16)
	require.False(t, Step(st, &p.Code[0], &all))
	fault := st.Caught()
	require.Equal(t, machine.FaultIllegalAddress, fault.Kind)
	require.Equal(t, lane.Mask(1<<3), fault.Lanes)
	require.Equal(t, 1, fault.Warp)
	require.Equal(t, uint32(0), thread{st, 0, 5}.reg(1))
	require.Equal(t, uint32(7), thread{st, 1, 5}.reg(1))
}

// A mixed access costs nothing if one of its warps is refused.
func TestCostOfRefusedMixedAccess(t *testing.T) {
	in := tesla.Instruction{Op: tesla.OpLdShared, Type: tesla.B32, Size: 8, Dst: tesla.Operand{Kind: tesla.Reg, Index: 1}}
	in.Src[0] = tesla.Operand{Kind: tesla.Shared, Base: 1, Type: tesla.B32}
	p, err := program.Lower(program.Kernel{Code: []tesla.Instruction{in}, Registers: 2, Shared: 64})
	require.NoError(t, err)
	g := Start{Program: p, Grid: [2]int{1, 1}, Block: [3]int{64, 1, 1}}
	for address, cost := range map[uint32]bool{0: true, 1 << 14: false} {
		st, all := g.State(0, 0)
		c := machine.NewCounts(len(p.Code))
		c.Access, c.Priced = make([]mem.Access, p.Slots), true
		st.Counts, st.Mixed = &c, true
		thread{st, 1, 3}.setAddr(1, address)
		require.Equal(t, cost, Step(st, &p.Code[0], &all))
		var total mem.Cost
		c.Access[p.Code[0].Slot].Total(&total)
		require.Equal(t, cost, total != mem.Cost{})
	}
}

// Constant memory has the bytes of the bank, and zeros beyond it.
func TestConstant(t *testing.T) {
	in := tesla.Instruction{Op: tesla.OpLdConst, Type: tesla.B32, Size: 8, Dst: tesla.Operand{Kind: tesla.Reg, Index: 1}}
	in.Src[0] = tesla.Operand{Kind: tesla.Const, Index: 2, Base: 1, Type: tesla.B32}
	p, err := program.Lower(program.Kernel{Code: []tesla.Instruction{in}, Registers: 2})
	require.NoError(t, err)
	g := Start{Program: p, Grid: [2]int{1, 1}, Block: [3]int{3, 1, 1}}
	g.Memory.Const = &[16][]byte{2: {1, 2, 3, 4, 5, 6}}
	st, all := g.State(0, 0)
	for lane := range 3 {
		thread{st, 0, lane}.setAddr(1, uint32(4*lane))
	}
	require.True(t, Step(st, &p.Code[0], &all))
	for lane, want := range []uint32{0x04030201, 0x0605, 0} {
		require.Equal(t, want, thread{st, 0, lane}.reg(1), "lane %d", lane)
	}
}

// An address is the sum of a register and the operand's offset, modulo 2^16.
func TestOffset(t *testing.T) {
	in := tesla.Instruction{Op: tesla.OpLdConst, Type: tesla.B32, Size: 8, Dst: tesla.Operand{Kind: tesla.Reg, Index: 1}}
	in.Src[0] = tesla.Operand{Kind: tesla.Const, Index: 2, Base: 1, Value: 4, Type: tesla.B32}
	p, err := program.Lower(program.Kernel{Code: []tesla.Instruction{in}, Registers: 2})
	require.NoError(t, err)
	g := Start{Program: p, Grid: [2]int{1, 1}, Block: [3]int{3, 1, 1}}
	g.Memory.Const = &[16][]byte{2: {1, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0}}
	st, all := g.State(0, 0)
	for lane, base := range []uint32{0, 4, 0xfffc} {
		thread{st, 0, lane}.setAddr(1, base)
	}
	require.True(t, Step(st, &p.Code[0], &all))
	for lane, want := range []uint32{2, 3, 1} {
		require.Equal(t, want, thread{st, 0, lane}.reg(1), "lane %d", lane)
	}
}
