package schedule

import (
	"encoding/binary"
	"math/bits"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/asm"
	"jacquard/decoder"
	"jacquard/simt/count"
	"jacquard/simt/lane"
	"jacquard/simt/mem"
	"jacquard/simt/program"
	"jacquard/simt/watch"
	"jacquard/tesla"
)

// Memory of the kernels of accessing; a thread's share may have any offset in it.
const (
	accessBytes  = 0x800
	accessShared = 0x40
)

// accessing is a kernel of random loads, stores and operands in memory. The addresses of its lanes
// rise, are equal, are two, or are random. $r3 is the address of global memory that blocks only
// read, $r8 of the block's own.
func accessing(t testing.TB, seed uint64) *Program {
	w := &kernelWriter{t: t, r: rand.New(rand.NewPCG(seed, 9))}
	word := func(at uint32) [3]tesla.Operand {
		return [3]tesla.Operand{{Kind: tesla.Shared, Type: tesla.B32, Value: at}}
	}
	job := func(d, a int, n uint32) {
		w.emit(tesla.Instruction{Op: tesla.OpShl, Type: tesla.B32, Dst: reg(d), Src: [3]tesla.Operand{reg(a), imm(n)}})
	}
	w.emit(tesla.Instruction{Op: tesla.OpMov, Type: tesla.B32, Dst: reg(3), Src: word(tesla.HeaderBytes)})
	w.emit(tesla.Instruction{Op: tesla.OpMov, Type: tesla.B32, Dst: reg(8), Src: word(tesla.HeaderBytes + 4)})
	// The block's index.
	w.emit(tesla.Instruction{Op: tesla.OpMov, Type: tesla.B32, Dst: reg(4), Src: word(12)})
	job(5, 4, 11)
	w.arith(tesla.Add, 8, reg(8), reg(5))
	for range 24 {
		size := uint32(1) << w.r.IntN(5)
		typ := map[uint32][]tesla.Type{1: {tesla.U8, tesla.S8}, 2: {tesla.U16, tesla.S16}, 4: {tesla.B32}, 8: {tesla.B64}, 16: {tesla.B128}}[size]
		data := func(n uint8) tesla.Operand {
			kind := map[uint32]tesla.OperandKind{8: tesla.Pair, 16: tesla.Quadruple}[size]
			if kind == 0 {
				kind = tesla.Reg
			}
			return tesla.Operand{Kind: kind, Index: n}
		}
		in := tesla.Instruction{Type: typ[w.r.IntN(len(typ))], Dst: data(12)}
		source := data(16)
		scale := uint32(0)
		for s := size; s > 1; s /= 2 {
			scale++
		}
		switch w.r.IntN(5) { // $r1: an offset of whole elements below 0x400
		case 0:
			w.logic(tesla.And, 1, reg(0), imm(31))
			job(1, 1, scale)
		case 1:
			w.logic(tesla.And, 1, reg(0), imm(0))
		case 2:
			w.logic(tesla.And, 1, reg(0), imm(uint32(w.r.IntN(32))))
			job(1, 1, scale)
		case 3:
			job(1, 0, 4)
			w.logic(tesla.And, 1, reg(1), imm(0x3f0))
		case 4: // random addresses
			job(1, 0, 5)
			w.logic(tesla.Xor, 1, reg(1), reg(0))
			job(2, 1, 3)
			w.logic(tesla.Xor, 1, reg(1), reg(2))
			w.logic(tesla.And, 1, reg(1), imm(0x3ff&^(size-1)))
		}
		guard := tesla.Guard{}
		if w.r.IntN(3) == 0 {
			w.logic(tesla.And, 2, reg(0), imm(uint32(1+w.r.IntN(31))))
			w.emit(tesla.Instruction{Op: tesla.OpISet, Type: tesla.U32, Cmp: tesla.Greater, CDst: tesla.C0, Dst: tesla.Operand{Kind: tesla.Discard}, Src: [3]tesla.Operand{reg(2), reg(30)}})
			guard.Cond = 5
		}
		base := 3
		kinds := 7
		if size > 4 { // s[] lacks such loads
			kinds = 4
		}
		kind := w.r.IntN(kinds)
		if kind%2 == 1 {
			base = 8
		}
		if kind < 2 {
			w.arith(tesla.Add, 2, reg(base), reg(1))
		} else {
			w.emit(asm.ToAddr(1, 1, 0))
		}
		in.Guard = guard
		switch { // s[] lacks some types
		case kind >= 4 && in.Type == tesla.S8:
			in.Type = tesla.U8
		case kind == 5 && in.Type == tesla.S16:
			in.Type = tesla.U16
		}
		at := func(k tesla.OperandKind, offset uint32) tesla.Operand {
			o := tesla.Operand{Kind: k, Base: 1, Value: offset}
			if k != tesla.Local {
				o.Type = in.Type
			}
			return o
		}
		switch kind {
		case 0:
			in.Op, in.Src[0] = tesla.OpLdGlobal, tesla.Operand{Kind: tesla.Global, Index: program.WindowGlobal, Value: 2}
		case 1:
			in.Op, in.Src[0], in.Src[1] = tesla.OpStGlobal, tesla.Operand{Kind: tesla.Global, Index: program.WindowGlobal, Value: 2}, source
		case 2:
			in.Op, in.Src[0] = tesla.OpLdLocal, at(tesla.Local, 0)
		case 3:
			in.Op, in.Src[0], in.Src[1] = tesla.OpStLocal, at(tesla.Local, 0), source
		case 4:
			in.Op, in.Src[0] = tesla.OpLdShared, at(tesla.Shared, accessShared)
		case 5:
			in.Op, in.Src[0], in.Src[1] = tesla.OpStShared, at(tesla.Shared, accessShared), reg(16)
		case 6: // an operand of an addition
			in.Type = tesla.B32
			w.logic(tesla.And, 1, reg(1), imm(0x3fc))
			w.emit(asm.ToAddr(1, 1, 0))
			in.Op, in.Src[0], in.Src[1] = tesla.OpIAdd, at(tesla.Shared, accessShared), reg(16)
			if w.r.IntN(2) == 0 {
				in.Src[0], in.Src[1] = reg(16), at(tesla.Const, 0)
			}
		}
		if kind%2 == 1 {
			in.Dst = tesla.Operand{}
		}
		w.emit(in)
	}
	w.emit(tesla.Instruction{Op: tesla.OpNop, Marker: tesla.MarkerExit})
	p, err := lower(program.Kernel{Name: "accessing", Arch: tesla.SM13, Code: decoder.Kernel(tesla.SM13, w.code), Registers: 32, Shared: accessShared + 0x400, Local: 0x400})
	require.NoError(t, err)
	return p
}

// The cost of every kind of access follows the rules, applied to the addresses that an observer
// sees. The counts are the same without an observer and with several workers.
func TestAccessesAreCounted(t *testing.T) {
	var constants mem.Steps
	by := map[tesla.Op]*mem.Cost{}
	for seed := range uint64(60) {
		p := accessing(t, seed)
		run := func(o watch.Observer, workers int) *count.Stats {
			space := mem.NewSpace(1 << 20)
			shared, err := space.Alloc(accessBytes)
			require.NoError(t, err)
			own, err := space.Alloc(6 * accessBytes)
			require.NoError(t, err)
			params := binary.LittleEndian.AppendUint32(binary.LittleEndian.AppendUint32(nil, shared), own)
			l := &Launch{Program: p, Grid: [2]int{6, 1}, Block: [3]int{70, 1, 1}, Params: params, Global: space, Observer: o, Workers: workers}
			l.Const[1] = make([]byte, 0x380)
			g, err := newGrid(l)
			require.NoError(t, err)
			fault := g.run()
			if fault != nil {
				require.NoError(t, fault, "seed %d", seed)
			}
			return g.stats()
		}
		o := &tally{t: t, by: map[uint32]*count.InstructionStats{}, blocks: map[[2]int]int{}}
		watched := run(o, 1)
		for _, in := range watched.ByInstruction {
			require.Equal(t, o.by[in.PC].Memory, in.Memory, "seed %d, %s", seed, instructionAt(p, in.PC))
		}
		checkIdentities(t, watched)
		require.Equal(t, watched.ByInstruction, run(nil, 1).ByInstruction)
		require.Equal(t, watched.Memory, run(nil, 3).Memory)
		for i := range watched.ByInstruction {
			in := &watched.ByInstruction[i]
			op := instructionAt(p, in.PC).Op
			if by[op] == nil {
				by[op] = &mem.Cost{}
			}
			by[op].Add(&in.Memory)
			constants.Add(&in.Memory.Const)
		}
	}
	for _, op := range []tesla.Op{tesla.OpLdGlobal, tesla.OpStGlobal, tesla.OpLdLocal, tesla.OpStLocal} {
		traffic := by[op].Device
		require.NotZero(t, traffic.Accesses)
		require.NotEqual(t, traffic.G80, traffic.GT200)
	}
	for _, steps := range []mem.Steps{by[tesla.OpLdShared].Shared, by[tesla.OpStShared].Shared, constants} {
		require.NotZero(t, steps.Single)
		require.NotZero(t, steps.Conflicts())
	}
}

// checkMemory asserts the identities between the counters of accesses to memory.
func checkMemory(t *testing.T, s *count.Stats) {
	t.Helper()
	var sum mem.Cost
	for i := range s.ByInstruction {
		c := &s.ByInstruction[i].Memory
		sum.Add(c)
		for _, x := range []mem.Steps{c.Shared, c.Const} {
			require.LessOrEqual(t, x.Single, x.Accesses)
			require.LessOrEqual(t, 2*x.Accesses-x.Single, x.Steps, "those that are not single take two steps or more")
			require.LessOrEqual(t, x.Steps, 16*x.Accesses)
		}
		d := &c.Device
		for _, x := range []mem.Transactions{d.G80, d.GT200} {
			require.LessOrEqual(t, d.Accesses, x.Count())
			require.LessOrEqual(t, x.Count(), 16*d.Accesses)
		}
	}
	require.Equal(t, sum, s.Memory)
}

// instructionAt returns the instruction at a byte address.
func instructionAt(p *Program, pc uint32) *tesla.Instruction {
	i, _ := p.Index(pc)
	return &p.Kernel.Code[i]
}

func lowestLane(m lane.Mask) int { return bits.TrailingZeros32(uint32(m)) }
