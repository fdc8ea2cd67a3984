package probe

import (
	"jacquard/asm"
	"jacquard/tesla"
)

func registerProbes() []*Probe {
	return []*Probe{
		{
			Name:     "a7",
			Question: "Does $a7 belong to the warp or to the thread? Every thread writes its number; then odd threads alone write 99.",
			Here:     "to the thread", threads: 64, input: byThread,
			Columns: []string{"its number", "99 in odd threads", "", ""},
			body: func(k *code) {
				k.toAddr(7, regIn, 0)
				k.fromAddr(regOut, 7)
				k.set(regFree, 99)
				k.odd(regFree + 2)
				k.Add(when(asm.ToAddr(7, regFree, 0), 0, notEqual))
				k.fromAddr(regOut+1, 7)
			},
		},
		{
			Name:     "special",
			Question: "What do special registers hold that are not known? Those with odd numbers above 1 and the others, 2 to 15 but 8.",
			Here:     "0", threads: 64,
			Columns: []string{"$sr2", "$sr3", "$sr4", "$sr5", "$sr6", "$sr7", "$sr9", "$sr10", "$sr11", "$sr12", "$sr13", "$sr14", "$sr15", "", "", ""},
			body: func(k *code) {
				for i, n := range []uint8{2, 3, 4, 5, 6, 7, 9, 10, 11, 12, 13, 14, 15} {
					k.special(regOut+uint8(i%4), n)
					if i%4 == 3 {
						k.out()
					}
				}
				k.out()
			},
		},
		{
			Name:     "clock",
			Question: "What does the clock count? Between readings are 0, 1, 8 and 64 instructions.",
			Here:     "issues of the warp, the reading itself with them", threads: 32,
			Columns: []string{"0 between", "1 between", "8 between", "64 between"},
			body: func(k *code) {
				for i, n := range []int{0, 1, 8, 64} {
					k.clock(regFree)
					k.nothing(n)
					k.clock(regFree + 1)
					difference := asm.Do(tesla.OpIAdd, regOut+uint8(i), regFree+1, asm.Reg(regFree))
					difference.Arith = tesla.Sub
					k.Add(difference)
				}
			},
		},
		{
			Name:     "step-in-constants",
			Question: "Does a 32-bit operand in c[] step its address register? $a1 is 0, the step 4, and the bank holds 100, 200, 300.",
			Here:     "it does not: the bit is ignored", threads: 1,
			Columns: []string{"max(0, operand)", "$a1 behind it", "", ""},
			body: func(k *code) {
				const step = 1 << 25 // the bit that says so, where other operands have it
				k.literals = []uint32{100, 200, 300}
				k.set(regFree, 0)
				k.toAddr(1, regFree, 0)
				most := asm.Do(tesla.OpIMax, regOut, regFree, literal(1, 4)) // its second operand is the second of the encoding
				most.Type = tesla.U32
				w0, w1 := k.encode(most)
				k.Raw(w0|step, w1)
				k.fromAddr(regOut+1, 1)
			},
		},
		{
			Name:     "lanes-of-mov",
			Question: "Does a move with a lane mask read memory and step its address register in the lanes that it leaves out?",
			Here:     "it does not", threads: 32,
			Columns: []string{"$a1 behind the move", "moved", "", ""},
			body: func(k *code) {
				k.set(regFree, sharedFree)
				k.toAddr(1, regFree, 0)
				mov := asm.Mov(regOut+1, tesla.Operand{Kind: tesla.Shared, Type: tesla.B32, Base: 1, Post: true, Value: 4})
				mov.Idle = 10
				k.Add(mov)
				k.fromAddr(regOut, 1)
			},
		},
	}
}
