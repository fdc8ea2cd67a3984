package probe

import (
	"jacquard/asm"
	"jacquard/tesla"
)

// lock is ld s[] with lock; its outcome goes to $c1.
func lock(d uint8, at tesla.Operand) tesla.Instruction {
	in := asm.Plain(tesla.OpLdShared)
	in.Type, in.Dst, in.Src[0], in.CDst, in.Mods = tesla.B32, asm.Reg(d), at, tesla.C1, tesla.Lock
	return in
}

// unlock frees what lock took.
func unlock(at tesla.Operand, data uint8) tesla.Instruction {
	in := asm.StoreShared(at, asm.Reg(data))
	in.Mods = tesla.Unlock
	return in
}

// half is the low or the high half of a register.
func half(n, high uint8) tesla.Operand { return tesla.Operand{Kind: tesla.Half, Index: 2*n + high} }

func sharedProbes() []*Probe {
	return []*Probe{
		{
			Name:     "lock",
			Question: "What does a load with lock leave in its $c? All threads try for one word.",
			Here:     "2 in the first lane, which got it, and 1 in the others", Arch: tesla.SM12, threads: 32,
			Columns: []string{"$c", "", "", ""},
			body: func(k *code) {
				k.Add(lock(regFree, word(sharedFree)))
				k.fromCond(regOut, 1)
				k.Add(when(unlock(word(sharedFree), regFree), 1, less))
			},
		},
		{
			Name:     "lock-grain",
			Question: "How much does a lock cover? Every thread tries for a word of its own, next to each other and then 64 bytes apart.",
			Here:     "one word: all succeed", Arch: tesla.SM12, threads: 4, input: byThread,
			Columns: []string{"$c, side by side", "$c, 64 bytes apart", "", ""},
			body: func(k *code) {
				for i, by := range []uint8{2, 6} {
					at := tesla.Operand{Kind: tesla.Shared, Type: tesla.B32, Base: 1, Value: sharedFree}
					k.toAddr(1, regIn, by)
					k.Add(lock(regFree, at))
					k.fromCond(regOut+uint8(i), 1)
					k.Add(when(unlock(at, regFree), 1, less))
				}
			},
		},
		{
			Name:     "address-wrap",
			Question: "Does the sum of an address register and an offset wrap at 16 bits? $a1 is 0xfffc, the offset 0x44, and s[0x40] holds 7.",
			Here:     "it does", threads: 1, Warning: "the launch may fail",
			Columns: []string{"read", "", "", ""},
			body: func(k *code) {
				k.set(regFree, 7)
				k.write(sharedFree, regFree)
				k.set(regFree, 0xfffc)
				k.toAddr(1, regFree, 0)
				k.Add(asm.Mov(regOut, tesla.Operand{Kind: tesla.Shared, Type: tesla.B32, Base: 1, Value: sharedFree + 4}))
			},
		},
		{
			Name:     "bytes-of-signed",
			Question: "Does a signed 16-bit operation take a byte of s[], and how? max(s[0x40] as u8, -1000) with 0xf0 there.",
			Here:     "it does, without a sign", threads: 1, Warning: "the launch may fail",
			Columns: []string{"maximum", "", "", ""},
			body: func(k *code) {
				k.set(regFree, 0xf0f0)
				k.write(sharedFree, regFree)
				k.set(regFree, sharedFree)
				k.toAddr(1, regFree, 0)
				k.set(regFree, 0xfc18fc18)
				most := asm.Plain(tesla.OpIMax)
				most.Type, most.Dst = tesla.S16, half(regOut, 0)
				most.Src[0] = tesla.Operand{Kind: tesla.Shared, Type: tesla.U8, Base: 1}
				most.Src[1] = half(regFree, 0)
				k.set(regOut, 0)
				k.Add(most)
			},
		},
		{
			Name:     "width-of-stores",
			Question: "What does a store to s[] write whose encoding names a register of another width than its own? $r12 is 0x33332222; there were zeros.",
			Here:     "16 bits of a register are its low half; 32 bits of a half are the half", threads: 1,
			Columns: []string{"16 bits of $r12", "32 bits of $r12l", "32 bits of $r12h", ""},
			body: func(k *code) {
				k.set(regFree, 0x33332222)
				for i, c := range []struct {
					t    tesla.Type
					data tesla.Operand
				}{{tesla.U16, asm.Reg(regFree)}, {tesla.B32, half(regFree, 0)}, {tesla.B32, half(regFree, 1)}} {
					k.set(regFree+1, 0)
					k.write(sharedFree, regFree+1)
					k.Add(asm.StoreShared(tesla.Operand{Kind: tesla.Shared, Type: c.t, Value: sharedFree}, c.data))
					k.read(regOut+uint8(i), sharedFree)
				}
			},
		},
	}
}
