package branch

import (
	"cmp"
	"slices"
)

// takahashi walks through the code with one pc, and lanes run along when it comes to their pc: Y.
// Takahashi, "A mechanism for SIMD execution of SPMD programs" (1997), as described by C. Collange
// (2011). At a branch, conditional or not, the walk goes to the lower address as long as some lane
// is active, else to the higher. The machine knows one instruction late whether a lane is active:
// it decides by the lanes that execute the branch. So it goes through both sides of every if, and
// one more time round every loop, with empty issues if no lane needs them.
//
// Unverified: the paper itself was not at hand, so it is not known which lanes execute a copy. By
// the rule as described, a walk without lanes would pass lanes that wait between the two addresses;
// here it goes straight on instead.
type takahashi struct {
	ascending
	late bool // the machine knows one instruction late whether a lane is active
}

func prepareTakahashi(k *Kernel, chosen []string) (func() Flow, error) {
	if err := refuseCalls(k, noReturnAddress); err != nil {
		return nil, err
	}
	byPC := func(in Instruction, pc uint32) int { return cmp.Compare(in.PC, pc) }
	var end uint32
	for _, in := range k.Code {
		end = in.Next
		if in.Kind != Branch {
			continue
		}
		if in.Indirect {
			return nil, &RefusedError{PC: in.PC,
				Reason: "the walk goes where the code says, and the branch is indirect"}
		}
		if _, found := slices.BinarySearchFunc(k.Code, in.Target, byPC); !found {
			return nil, &RefusedError{PC: in.PC,
				Reason: "the walk could leave the code: no instruction starts where the branch leads"}
		}
	}
	twice := chosen[1] == "twice"
	guide := takahashi{ascending{end}, chosen[0] == "1" && !twice}
	return newWalks(k, walk{guide: guide, twice: twice}), nil
}

func (s takahashi) turn(w *walk, t turn) uint32 {
	low, high := min(t.next, t.target), max(t.next, t.target)
	to, least := high, w.least()
	if s.late && t.moved != 0 || !s.late && least == low {
		to = low
	}
	switch {
	case to <= least && to < s.end:
		return to
	case t.next <= least && t.next < s.end:
		return t.next
	}
	return least
}
