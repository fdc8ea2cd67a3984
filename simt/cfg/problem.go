package cfg

import (
	"cmp"
	"fmt"

	"jacquard/tesla"
)

// Problem is an instruction where control can fail or cannot be resolved.
type Problem struct {
	PC   uint32 // of the instruction
	Kind ProblemKind
}

// ProblemKind is a kind of Problem.
type ProblemKind uint8

// The kinds.
const (
	BadTarget     ProblemKind = iota // leads where no instruction starts
	RunsOut                          // the code ends after it
	Indirect                         // a branch to an address in constant memory
	LoneBreak                        // a break can get here without a break address
	LoneJoin                         // a join can get here without its joinat
	TooManyBreaks                    // break addresses or prerets pile up without end
	problemKinds                     // the number of kinds
)

var problemTexts = [problemKinds]string{
	BadTarget:     "leads to an address where no instruction starts",
	RunsOut:       "the code ends behind it",
	Indirect:      "branches to an address that only a run can tell",
	LoneBreak:     "a break that can be reached without a break address",
	LoneJoin:      "a join that can be reached without its joinat",
	TooManyBreaks: "is reached with too many different token stacks to follow",
}

// String returns a phrase that goes on from the instruction's address.
func (k ProblemKind) String() string {
	if k < problemKinds {
		return problemTexts[k]
	}
	return fmt.Sprintf("ProblemKind(%d)", uint8(k))
}

// String returns a line such as "0x48: the code ends behind it".
func (p Problem) String() string { return fmt.Sprintf("0x%x: %s", p.PC, p.Kind) }

func compareProblems(a, b Problem) int {
	return cmp.Or(cmp.Compare(a.PC, b.PC), cmp.Compare(a.Kind, b.Kind))
}

// loneJoins looks for joins of f that a lane can reach without passing their joinat. At run time
// such a join finds an empty stack, or pops the token of another join. A joinat whose join is never
// reached is no problem: compilers write some.
func (b *builder) loneJoins(f *Function) {
	announces := map[uint32][]int{} // joinat's target: blocks that have one
	for i := range f.Blocks {
		for _, in := range b.Code[f.Blocks[i].First:f.Blocks[i].Last] {
			if in.Op == tesla.OpJoinAt {
				announces[in.Target] = append(announces[in.Target], i)
			}
		}
	}
	// 1 + the last join whose search reached the block
	seen := make([]int, len(f.Blocks))
	var todo []int
	for i := range f.Blocks {
		join := &f.Blocks[i]
		if b.Code[join.First].Marker != tesla.MarkerJoin {
			continue
		}
		for _, a := range announces[join.Start] {
			seen[a] = i + 1
		}
		todo = append(todo[:0], i) // the way back; a joinat ends it
		for len(todo) > 0 {
			n := todo[len(todo)-1]
			todo = todo[:len(todo)-1]
			if n == f.Start {
				b.problem(join.Start, LoneJoin)
				break
			}
			for _, p := range f.Blocks[n].Pred {
				if seen[p] != i+1 {
					seen[p] = i + 1
					todo = append(todo, p)
				}
			}
		}
	}
}
