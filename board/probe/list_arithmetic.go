package probe

import (
	"jacquard/asm"
	"jacquard/tesla"
)

// typeShift is the place of the three-bit type in the second word of an access to g[].
const typeShift = 21

// narrow has an atomic add 1 to memory with 0x11223344. number is the number of its type, which no
// assembler writes.
func narrow(number uint32) func(*code) {
	return func(k *code) {
		k.set(regOut, 0x11223344)
		k.out()
		k.copies(regFree, regAt)
		k.set(regFree+1, 16)
		before := asm.Do(tesla.OpIAdd, regFree, regFree, asm.Reg(regFree+1))
		before.Arith = tesla.Sub
		k.Add(before)
		k.set(regFree+1, 1)
		w0, w1 := k.encode(atomic(regOut, regFree, regFree+1))
		k.Raw(w0, w1&^(7<<typeShift)|number<<typeShift)
		load := asm.Plain(tesla.OpLdGlobal)
		load.Type, load.Dst, load.Src[0] = tesla.B32, asm.Reg(regOut+1), asm.Memory(regFree)
		k.Add(load)
		k.out()
	}
}

// atomic is d = the word at $rAT, to which $rA is added.
func atomic(d, at, a uint8) tesla.Instruction {
	in := asm.Plain(tesla.OpAtom)
	in.Atom, in.Type, in.Dst, in.Src[0], in.Src[1] = tesla.AtomAdd, tesla.U32, asm.Reg(d), asm.Memory(at), asm.Reg(a)
	return in
}

// exchange64 has a reduction exchange the two words before the next place that the thread writes.
func exchange64(k *code) {
	k.set(regOut, 0x11111111)
	k.set(regOut+1, 0x22222222)
	k.out()
	k.copies(regFree, regAt)
	k.set(regFree+1, 16)
	before := asm.Do(tesla.OpIAdd, regFree, regFree, asm.Reg(regFree+1))
	before.Arith = tesla.Sub
	k.Add(before)
	k.set(regFree+2, 0x33333333)
	k.set(regFree+3, 0x44444444)
	red := asm.Plain(tesla.OpRed)
	red.Atom, red.Type, red.Src[0] = tesla.AtomExch, tesla.B64, asm.Memory(regFree)
	red.Src[1] = tesla.Operand{Kind: tesla.Pair, Index: regFree + 2}
	k.Add(red)
}

func arithmeticProbes() []*Probe {
	left := []string{"", "", "", "", "returned", "memory", "", ""}
	return []*Probe{
		{
			Name: "atomic-u8", Question: "What does an atomic add do to a byte? Memory holds 0x11223344, and 1 is added.", Warning: "the launch may fail", Here: "no such instruction",
			Arch: tesla.SM12, threads: 1, Columns: left, body: narrow(0),
		},
		{
			Name: "atomic-u16", Question: "What does an atomic add do to 16 bits? Memory holds 0x11223344, and 1 is added.", Warning: "the launch may fail", Here: "no such instruction",
			Arch: tesla.SM12, threads: 1, Columns: left, body: narrow(2),
		},
		{
			Name: "exchange-64", Question: "Does an exchange of 64 bits without result exist?", Warning: "the launch may fail",
			Here: "it does", Arch: tesla.SM12, threads: 1, Columns: []string{"low word", "high word", "", ""}, body: exchange64,
		},
		{
			Name: "wide-overflow", Question: "Does a conversion from double set O where the integer is exactly the greatest?",
			Here: "it does not: the value fits", Arch: tesla.SM13,
			Rows: []string{
				"f2i64 u32 f64 rz,41efffffffe00000", "f2i64 u32 f64 rz,41efffffffdfffff", "f2i64 u32 f64 rz,41effffffff00000", "f2i64 u32 f64 rn,41efffffffefffff",
				"f2i64 u32 f64 rn,41effffffff00000", "f2i64 u32 f64 rz,41f0000000000000", "f2i64 u64 f64 rz,43efffffffffffff", "f2i64 u64 f64 rz,43f0000000000000",
			},
		},
	}
}
