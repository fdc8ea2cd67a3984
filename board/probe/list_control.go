package probe

import (
	"jacquard/asm"
	"jacquard/tesla"
)

// byThread gives every thread its number.
func byThread(t int) [4]uint32 { return [4]uint32{uint32(t), uint32(t % 32), uint32(t / 32)} }

func controlProbes() []*Probe {
	times := func(k *code, join tesla.Instruction) {
		k.diverge(func() { k.clock(regOut) }, func() { k.clock(regOut) }, join)
		k.clock(regOut + 1)
		k.copies(regOut+2, regFree)
	}
	return []*Probe{
		{
			Name:     "branch-order",
			Question: "Which side of a branch goes first? Odd threads take it. Compare the times at which they read the clock.",
			Here:     "the taken side", threads: 32, input: byThread,
			Columns: []string{"clock on the side", "clock behind the join", "", ""},
			body:    func(k *code) { times(k, marked(asm.Plain(tesla.OpNop), tesla.MarkerJoin)) },
		},
		{
			Name:     "indirect-order",
			Question: "In which order does an indirect branch go where lanes read different targets? Odd threads go elsewhere. Compare the times at which they read the clock.",
			Here:     "that of the lowest lane first", Arch: tesla.SM12, Only: true, threads: 32, input: byThread, Warning: "the launch may hang or fail",
			Columns: []string{"clock", "", "", ""},
			body: func(k *code) {
				k.odd(regFree + 1)
				k.toAddr(1, regFree+1, 2)
				bra := asm.Plain(tesla.OpBraIndirect)
				bra.Src[0] = literal(1, 0)
				k.Add(bra)
				k.literals = []uint32{k.Here(), k.Here() + 16}
				over := k.Label()
				k.clock(regOut)
				k.Jump(tesla.Instruction{Op: tesla.OpBra}, over)
				k.clock(regOut)
				k.Place(over)
			},
		},
		{
			Name:     "working-join",
			Question: "Does a join come before what its own instruction does? The instruction reads the clock: all threads read the same if the sides have met by then.",
			Here:     "it does", threads: 32, input: byThread,
			Columns: []string{"clock on the side", "clock behind the join", "clock at the join", ""},
			body:    func(k *code) { times(k, marked(special(regFree, specialClock), tesla.MarkerJoin)) },
		},
		{
			Name:     "guarded-join",
			Question: "Does a join happen where the guard of its instruction fails? All threads read the same clock behind it if so.",
			Here:     "it does", threads: 32, input: byThread,
			Columns: []string{"clock on the side", "clock behind the join", "", ""},
			body: func(k *code) {
				k.set(regFree+1, 0)
				k.toCond(1, regFree+1)
				times(k, marked(when(asm.Plain(tesla.OpNop), 1, equal), tesla.MarkerJoin))
			},
		},
		{
			Name:     "guarded-exit",
			Question: "Does an exit happen where the guard of its instruction fails? Threads that go on leave 2.",
			Here:     "it does: no thread goes on", threads: 32, input: byThread,
			Columns: []string{"before", "", "", "", "behind", "", "", ""},
			body: func(k *code) {
				k.toCond(0, regIn+1) // Z and S of the number of the lane: the guard fails in half of the lanes
				k.set(regOut, 1)
				k.out()
				k.Add(marked(when(asm.Plain(tesla.OpNop), 0, equal), tesla.MarkerExit))
				k.set(regOut, 2)
				k.out()
			},
		},
		{
			Name:     "return-outside",
			Question: "Does a return outside any call end its threads? Threads 1, 5, 9 and so on return; threads that go on leave 2.",
			Here:     "it does", threads: 32, input: byThread,
			Columns: []string{"before", "", "", "", "behind", "", "", ""},
			body: func(k *code) {
				k.toCond(0, regIn)
				k.set(regOut, 1)
				k.out()
				k.Add(when(asm.Plain(tesla.OpRet), 0, equal))
				k.set(regOut, 2)
				k.out()
			},
		},
		{
			Name:     "join-on-nothing",
			Question: "What does a join do without a joinat?",
			Here:     "the launch fails: a stack error", threads: 32, Warning: "the launch may hang",
			Columns: []string{"behind", "", "", ""},
			body: func(k *code) {
				k.set(regOut, 1)
				k.Add(marked(asm.Plain(tesla.OpNop), tesla.MarkerJoin))
				k.set(regOut, 2)
			},
		},
		{
			Name:     "barrier-count",
			Question: "What does the count of a barrier mean? It is 1 here, for a block of two warps: the first warp writes, then the second reads.",
			Here:     "nothing: all warps wait", threads: 64, input: byThread, Warning: "the launch may hang",
			Columns: []string{"what was written", "", "", ""},
			body: func(k *code) {
				k.set(regFree, 7)
				k.toCond(0, regIn+2) // 0 in the first warp
				k.set(regFree+2, 0)
				k.write(sharedFree, regFree+2)
				k.Add(asm.Barrier())
				k.repeat(100, when(asm.Do(tesla.OpIAdd, regFree+1, regFree+1, asm.Reg(regFree)), 0, notEqual))
				k.Add(when(asm.StoreShared(word(sharedFree), asm.Reg(regFree)), 0, notEqual))
				bar := asm.Barrier()
				bar.Barrier.Count = 1
				k.Add(bar)
				k.read(regOut, sharedFree)
			},
		},
		{
			Name:     "vote",
			Question: "What does a vote leave in its $c? In the first warp no lane says yes, in the second odd lanes do, in the third all.",
			Here:     "2 for true, 1 for false", Arch: tesla.SM12, threads: 96,
			input:   func(t int) [4]uint32 { return [4]uint32{[3]uint32{1, uint32(1 - t%2), 0}[t/32]} },
			Columns: []string{"any", "all", "", ""},
			body: func(k *code) {
				k.toCond(0, regIn)
				for i, op := range []tesla.VoteOp{tesla.VoteAny, tesla.VoteAll} {
					vote := asm.Plain(tesla.OpVote)
					vote.Vote, vote.CDst = op, tesla.C1
					k.Add(when(vote, 0, notEqual))
					k.fromCond(regOut+uint8(i), 1)
				}
			},
		},
	}
}
