package schedule

import (
	"encoding/binary"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/decoder"
	"jacquard/simt/machine"
	"jacquard/simt/mem"
	"jacquard/simt/program"
	"jacquard/tesla"
)

// A loop that makes progress in only one kind of state is no livelock. Each loop here counts in one
// kind, clears the registers it used, and goes on past the first looks.
func TestProgressIsNoLivelock(t *testing.T) {
	const (
		address, value, over = 3, 4, 5 // registers
		rounds               = 0x4000  // of 5 instructions or more: past the first look
	)
	operand := func(k tesla.OperandKind, value uint32) tesla.Operand {
		return tesla.Operand{Kind: k, Type: tesla.B32, Value: value}
	}
	local, flags := operand(tesla.Local, 8), tesla.Operand{Kind: tesla.CondReg, Index: 1}
	shared, global := operand(tesla.Shared, 0x40), tesla.Operand{Kind: tesla.Global, Index: program.WindowGlobal, Value: address}
	local.Type = tesla.TypeNone
	load := func(op tesla.Op, from tesla.Operand) tesla.Instruction {
		return tesla.Instruction{Op: op, Type: tesla.B32, Dst: reg(value), Src: [3]tesla.Operand{from}}
	}
	store := func(op tesla.Op, to tesla.Operand) tesla.Instruction {
		return tesla.Instruction{Op: op, Type: tesla.B32, Src: [3]tesla.Operand{to, reg(value)}}
	}
	for _, c := range []struct {
		state       string
		load, store tesla.Instruction
		last        uint32 // bit of the value that ends the loop
		wait        uint32 // rounds before; flags count only to 16
	}{
		{"registers", load(tesla.OpMov, reg(6)), tesla.Instruction{Op: tesla.OpMov, Type: tesla.B32, Dst: reg(6), Src: [3]tesla.Operand{reg(value)}}, rounds, 0},
		{"address registers", load(tesla.OpMovFromAddr, tesla.Operand{Kind: tesla.AddrReg, Index: 2}),
			tesla.Instruction{Op: tesla.OpShlToAddr, Type: tesla.B32, Dst: tesla.Operand{Kind: tesla.AddrReg, Index: 2}, Src: [3]tesla.Operand{reg(value), imm(0)}}, rounds, 0},
		{"flags", load(tesla.OpMovFromCond, flags), tesla.Instruction{Op: tesla.OpMovToCond, Type: tesla.B32, CDst: tesla.C1, Src: [3]tesla.Operand{reg(value)}}, 16, firstLook/5 - 12},
		{"shared memory", load(tesla.OpMov, shared), store(tesla.OpStShared, shared), rounds, 0},
		{"local memory", load(tesla.OpLdLocal, local), store(tesla.OpStLocal, local), rounds, 0},
		{"global memory", load(tesla.OpLdGlobal, global), store(tesla.OpStGlobal, global), rounds, 0},
	} {
		t.Run(c.state, func(t *testing.T) {
			// A look begins at every instruction of the loop.
			for delay := range uint32(12) {
				w := &kernelWriter{t: t}
				w.ownBuffer()
				loop := func(body func()) {
					start := uint32(4 * len(w.code))
					body()
					w.emit(tesla.Instruction{Op: tesla.OpISet, Type: tesla.U32, Cmp: tesla.Equal, CDst: tesla.C0, Dst: tesla.Operand{Kind: tesla.Discard}, Src: [3]tesla.Operand{reg(over), reg(7)}})
					w.arith(tesla.Add, over, reg(7), imm(0))
					w.emit(tesla.Instruction{Op: tesla.OpBra, Target: start, Guard: tesla.Guard{Cond: tesla.CondLG}})
				}
				for _, r := range []int{value, over, 6, 7} {
					w.logic(tesla.And, r, reg(r), imm(0))
				}
				for range delay {
					w.emit(tesla.Instruction{Op: tesla.OpNop})
				}
				if c.wait > 0 {
					w.arith(tesla.Add, 6, reg(7), imm(1<<20-c.wait))
					loop(func() {
						w.arith(tesla.Add, 6, reg(6), imm(1))
						w.logic(tesla.And, over, reg(6), imm(1<<20))
					})
				}
				loop(func() {
					w.emit(c.load)
					w.arith(tesla.Add, value, reg(value), imm(1))
					w.emit(c.store)
					w.logic(tesla.And, over, reg(value), imm(c.last))
					w.arith(tesla.Add, value, reg(7), imm(0))
				})
				w.emit(tesla.Instruction{Op: tesla.OpNop, Marker: tesla.MarkerExit})
				p, err := lower(program.Kernel{Name: "progress", Arch: tesla.SM13, Code: decoder.Kernel(tesla.SM13, w.code), Registers: 8, Shared: 0x60, Local: 32})
				require.NoError(t, err)
				space := mem.NewSpace(1 << 16)
				buffer, err := space.Alloc(32)
				require.NoError(t, err)
				s, err := Run(&Launch{Program: p, Grid: [2]int{1, 1}, Block: [3]int{1, 1, 1}, Params: binary.LittleEndian.AppendUint32(nil, buffer), Global: space})
				require.NoError(t, err)
				require.Greater(t, s.WarpInstructions, uint64(firstLook))
			}
		})
	}
}

// A livelock is found and named even if the blocks before it have ended meanwhile.
func TestLivelockOfALaterBlock(t *testing.T) {
	const left, step, zero = 4, 5, 7 // registers
	w := &kernelWriter{t: t}
	w.logic(tesla.And, zero, reg(zero), imm(0))
	block := tesla.Operand{Kind: tesla.Shared, Type: tesla.B32, Value: 12}
	w.emit(tesla.Instruction{Op: tesla.OpMov, Type: tesla.B32, Dst: reg(step), Src: [3]tesla.Operand{block}})
	w.arith(tesla.Add, step, reg(step), imm(^uint32(0))) // block 0 counts down, block 1 stays
	w.arith(tesla.Add, left, reg(zero), imm(firstLook/2))
	start := uint32(4 * len(w.code))
	w.arith(tesla.Add, left, reg(left), reg(step))
	w.emit(tesla.Instruction{Op: tesla.OpISet, Type: tesla.U32, Cmp: tesla.Greater, CDst: tesla.C0, Dst: tesla.Operand{Kind: tesla.Discard}, Src: [3]tesla.Operand{reg(left), reg(zero)}})
	w.emit(tesla.Instruction{Op: tesla.OpBra, Target: start, Guard: tesla.Guard{Cond: tesla.CondLG}})
	w.emit(tesla.Instruction{Op: tesla.OpNop, Marker: tesla.MarkerExit})
	p, err := lower(program.Kernel{Name: "later", Arch: tesla.SM13, Code: decoder.Kernel(tesla.SM13, w.code), Registers: 8, Shared: 16})
	require.NoError(t, err)
	_, err = Run(&Launch{Program: p, Grid: [2]int{2, 1}, Block: [3]int{512, 1, 1}, Global: mem.NewSpace(0), Watchdog: 1 << 24})
	var f *machine.Fault
	require.ErrorAs(t, err, &f)
	require.Equal(t, machine.FaultLivelock, f.Kind, f)
	require.Equal(t, [2]int{1, 0}, f.Block)
}
