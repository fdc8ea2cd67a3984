package random

import (
	"encoding/binary"
	"math/rand/v2"

	"jacquard/tesla"
)

// A thread of a straight kernel loads a record first: its registers, its four $c and its four $a.
// Behind the records of a block are 64 bytes for each of its threads, and the pool that all of them
// use. Shared memory has a pool too, and behind it 16 bytes for each thread.
const (
	recordRegisters = 32
	recordBytes     = 4 * (recordRegisters + 8)
	slotBytes       = 64
	poolBytes       = 256
	ownShared       = 512 // where the bytes of the threads begin
	paramBytes      = 240
	localBytes      = 56 // the machine rounds it up
	mostRegisters   = 27
)

// The registers of a straight kernel.
const (
	dataRegisters = 16 // $r0 to $r15 hold data
	regSlot       = 16 // address of the thread's own bytes
	regPool       = 17 // address in the pool
	regAligned    = 18 // another, a multiple of 16
	regAnyhow     = 19 // another, a multiple of 4
	regRecord     = 20 // address of the record
)

// blockBytes returns the bytes of global memory of a block.
func blockBytes(threads int) int { return threads*(recordBytes+slotBytes) + poolBytes }

// fill writes random bytes, and records among them.
func fill(memory []byte, blocks, threads int, r *rand.Rand) {
	for i := range memory {
		memory[i] = byte(r.Uint32())
	}
	for b := range blocks {
		for t := range threads {
			start := b * blockBytes(threads)
			record := memory[start+t*recordBytes:]
			for i, w := range words(start, threads, t, r) {
				binary.LittleEndian.PutUint32(record[4*i:], w)
			}
		}
	}
}

// words returns the record of a thread. The records of its block begin at start.
func words(start, threads, thread int, r *rand.Rand) []uint32 {
	slots := start + threads*recordBytes
	pool := slots + threads*slotBytes
	w := make([]uint32, recordBytes/4)
	for i := range w {
		w[i] = Value(r)
	}
	w[regSlot] = Base + uint32(slots+thread*slotBytes+16*r.IntN(2))
	w[regPool] = Base + uint32(pool+64)
	w[regAligned] = Base + uint32(pool+16*r.IntN(poolBytes/16))
	w[regAnyhow] = Base + uint32(pool+r.IntN(poolBytes/4)*4)
	a := w[recordRegisters+4:]
	a[0] = uint32(ownShared + 16*thread)
	a[1] = 4 * r.Uint32N(16)
	a[2] = ownShared - 128
	a[3] = 0x10000 - 4*(1+r.Uint32N(5))
	return w
}

// Value returns a number that arithmetic finds interesting, more often than not.
func Value(r *rand.Rand) uint32 {
	special := []uint32{
		0, 1, 2, 15, 16, 31, 32, 33, 127, 0x7fff, 0x8000, 0xffff, 0x10000, 0x7fffff, 0x800000, 0xffffff, 0x7fffffff, 0x80000000,
		0xffffffff, 0x3f800000, 0xbf800000, 0x3f000000, 0x7f800000, 0xff800000, 0x7fc00000, 0xffc00001, 1 << 23, 0x40490fdb,
		0x4b000000, 0x3ff00000, 0x7ff00000, 0xc1e00000,
	}
	switch r.IntN(4) {
	case 0:
		return special[r.IntN(len(special))]
	case 1:
		return special[r.IntN(len(special))] + r.Uint32N(5) - 2
	case 2:
		return (r.Uint32N(40)+0x6b)<<23 | r.Uint32()&0x807fffff // a float of ordinary size
	}
	return r.Uint32()
}

// unset returns registers that a kernel does not load, as a set, and how many more than it uses the
// kernel has: then the machine clears single registers between blocks. Three of four kernels load all.
func unset(seed uint64) (registers uint32, more int) {
	r := rand.New(rand.NewPCG(seed, 64))
	if r.IntN(4) != 0 {
		return 0, 0
	}
	return r.Uint32() & (1<<dataRegisters - 1) &^ 3, mostRegisters
}

// epilogue stores a sum of the thread's registers, so that memory depends on their values.
func epilogue() (code []tesla.Instruction) {
	for n := 1; n < dataRegisters; n++ {
		code = append(code, instruction(tesla.OpIAdd, tesla.B32, reg(0), reg(0), reg(n)))
	}
	store := instruction(tesla.OpStGlobal, tesla.B32, tesla.Operand{}, global(regSlot), reg(0))
	return append(code, store)
}

// prologue loads the record of a thread, without the registers of a set.
func prologue(registers, threads int, unset uint32) []tesla.Instruction {
	add := func(d, a int, b tesla.Operand) tesla.Instruction {
		return instruction(tesla.OpIAdd, tesla.B32, reg(d), reg(a), b)
	}
	mul := func(d int, by int) tesla.Instruction {
		return instruction(tesla.OpIMul, tesla.U24, reg(d), reg(d), imm(uint32(by)))
	}
	block := instruction(tesla.OpCvt, tesla.U32, reg(1), tesla.Operand{Kind: tesla.Shared, Type: tesla.U16, Value: 0xc})
	block.From = tesla.U16
	code := []tesla.Instruction{
		block, mul(1, blockBytes(threads)), mul(0, recordBytes), add(0, 0, reg(1)),
		instruction(tesla.OpMov, tesla.B32, reg(1), shared(0, 0x10)),
		add(regRecord, 0, reg(1)), add(0, regRecord, imm(4*recordRegisters)),
	}
	load := func(d, from int) { code = append(code, instruction(tesla.OpLdGlobal, tesla.B32, reg(d), global(from))) }
	for i := range 8 {
		load(1, 0)
		if i < 4 {
			in := instruction(tesla.OpMovToCond, tesla.B32, tesla.Operand{}, reg(1))
			in.CDst = tesla.C0 + tesla.CReg(i)
			code = append(code, in)
		} else {
			code = append(code, instruction(tesla.OpShlToAddr, tesla.B32, addr(i-3), reg(1), imm(0)))
		}
		code = append(code, add(0, 0, imm(4)))
	}
	code = append(code, add(0, regRecord, imm(4)))
	for n := 1; n < registers; n++ {
		if n != regRecord && unset>>n&1 == 0 {
			load(n, 0)
		}
		code = append(code, add(0, 0, imm(4)))
	}
	load(0, regRecord)
	return code
}
