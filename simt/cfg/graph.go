package cfg

import (
	"cmp"
	"errors"
	"slices"

	"jacquard/tesla"
)

// Graph is the control flow of a kernel: its own code and its subroutines.
type Graph struct {
	Code      []tesla.Instruction
	PC        []uint32    // PC[i] is the byte address of Code[i]; the last is the code's end
	Functions []*Function // the kernel first, then subroutines by address
	Calls     []Call      // by address of the call
	Problems  []Problem   // by address
}

// Function is the flow graph of the kernel or a subroutine: the blocks that can be reached
// from its entry without entering a callee. Blocks are named by their index. Code that
// two functions share has a block in each.
type Function struct {
	Entry  uint32  // byte address
	Start  int     // the block at Entry
	Blocks []Block // by address

	IDom []int // of each block, its immediate dominator; None for Start
	// IPostDom is the immediate post-dominator: a block, Exit, or None if no path leads to the
	// exit.
	IPostDom []int

	Loops []Loop // outer before inner
	Inner []int  // of each block, the innermost loop around it, or None

	// Order lists the blocks so that every edge leads forward, or back to the header of a
	// loop around both its ends, and the blocks of a loop are consecutive, its header first.
	// It is the numbering of Lorie and Strong (US patent 4,435,758).
	Order    []int
	Position []int // of each block, its place in Order

	dom tree
}

// Values in the place of a block's index.
const (
	Exit = -1 // the virtual exit, to which all ways out of a function lead
	None = -2 // no block
)

// Block is a run of straight-line code, Code[First:Last], at byte addresses from
// Start up to End. It is entered at its first and left after its last instruction.
type Block struct {
	First, Last int
	Start, End  uint32
	Tail        uint32 // address of the last instruction
	Succ        []Edge // by kind; a conditional branch has its fall through first
	Pred        []int  // blocks with an edge here, ascending
}

// Edge is a way out of a block.
type Edge struct {
	Kind EdgeKind
	To   int // a block, or Exit
}

// EdgeKind is the instruction that takes a lane along an edge.
type EdgeKind uint8

// The kinds. Finish, Stop and Unresolved lead to Exit; so does Return, except after a preret.
const (
	FallThrough EdgeKind = iota // none: the next instruction
	Taken                       // a branch
	Break                       // a break, to the break address
	Return                      // a return: out of the function, or to the address of a preret
	Over                        // a call, as if all lanes came back from it to the next instruction
	Finish                      // the exit marker: the lanes end
	Stop                        // a trap or an illegal instruction: the launch fails
	Unresolved                  // see Graph.Problems
)

var edgeNames = [...]string{
	FallThrough: "fall through", Taken: "taken", Break: "break", Return: "return",
	Over: "call", Finish: "exit", Stop: "stop", Unresolved: "unresolved",
}

// String returns what people call the kind: "fall through", "break".
func (k EdgeKind) String() string { return tesla.NameOf(edgeNames[:], "EdgeKind", k) }

// Call is a call instruction.
type Call struct {
	PC             uint32
	Caller, Callee int // indices of Graph.Functions
}

// ErrNoCode is the error of [New] for a kernel without instructions.
var ErrNoCode = errors.New("no code")

// New analyses a kernel. Code that cannot be reached is in no block. Other errors of the code are
// in Problems, and the graph is still complete: an unresolved edge leads to Exit.
func New(code []tesla.Instruction) (*Graph, error) {
	if len(code) == 0 {
		return nil, ErrNoCode
	}
	b := newBuilder(code)
	b.functions()
	for _, f := range b.Functions {
		f.dominate()
		f.findLoops()
	}
	slices.SortFunc(b.Problems, compareProblems)
	b.Problems = slices.Compact(b.Problems)
	return b.Graph, nil
}

// Block returns the block that holds the instruction at byte address pc, or None.
func (f *Function) Block(pc uint32) int {
	i, _ := slices.BinarySearchFunc(f.Blocks, pc, func(b Block, pc uint32) int {
		return cmp.Compare(b.End-1, pc)
	})
	if i == len(f.Blocks) || f.Blocks[i].Start > pc {
		return None
	}
	return i
}

// Targets returns the blocks that block b leads to, each once, ascending and without Exit.
func (f *Function) Targets(b int) []int {
	var to []int
	for _, e := range f.Blocks[b].Succ {
		if e.To >= 0 {
			to = append(to, e.To)
		}
	}
	slices.Sort(to)
	return slices.Compact(to)
}

// Leaves reports whether block b has an edge to Exit.
func (f *Function) Leaves(b int) bool {
	return slices.ContainsFunc(f.Blocks[b].Succ, func(e Edge) bool { return e.To == Exit })
}
