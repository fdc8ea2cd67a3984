package branch

import (
	"fmt"
	"maps"
	"slices"

	"jacquard/simt/cfg"
)

// Kernel is the view of a kernel that a policy has before the kernel runs.
type Kernel struct {
	Code []Instruction

	// Graph returns the flow graph of the code. It is computed once per kernel, at the first call,
	// and shared: callers only read it. A kernel without code has a graph without functions. The
	// blocks name instructions by their index in Code.
	Graph func() *cfg.Graph
}

// Instruction is an instruction's address and its control event.
type Instruction struct {
	PC, Next uint32
	Kind     EventKind // 0: no control instruction
	Target   uint32    // the target in the code, if any
	Indirect bool      // the target is known only at run time
	Guarded  bool      // some active lanes may not take part
	Join     bool      // has the join marker
}

// RefusedError says that a policy cannot run a kernel.
type RefusedError struct {
	Policy string // Choice.Prepare fills it in
	PC     uint32 // of the instruction that cannot run
	Reason string
}

// Error names the policy, the reason and the pc.
func (e *RefusedError) Error() string {
	return fmt.Sprintf("divergence policy %s cannot run this kernel: %s", e.Policy, e.Cause())
}

// Cause is the reason and the pc.
func (e *RefusedError) Cause() string { return fmt.Sprintf("%s at pc 0x%x", e.Reason, e.PC) }

// Reasons to refuse calls, of flows that keep a stack and of walks.
const (
	noReturnStack   = "it has no stack for the return address of the call"
	noReturnAddress = "it has no place for the return address of the call"
)

// refuseCalls refuses a kernel that calls or announces a return.
func refuseCalls(k *Kernel, reason string) error {
	for _, in := range k.Code {
		if in.Kind == Call || in.Kind == PreReturn {
			return &RefusedError{PC: in.PC, Reason: reason}
		}
	}
	return nil
}

// refuseUnknown refuses a kernel with a control instruction whose targets are unknown.
func refuseUnknown(g *cfg.Graph, why string) error {
	for _, p := range g.Problems {
		if p.Kind == cfg.Indirect || p.Kind == cfg.TooManyBreaks {
			return &RefusedError{PC: p.PC, Reason: fmt.Sprintf("%s, and the instruction %s", why, p.Kind)}
		}
	}
	return nil
}

// postDominators returns, by the address after every block with several successors, the pc where
// all ways from the block meet: the start of its immediate post-dominator. It leaves out blocks
// whose ways meet only at the end, and blocks that two functions share and leave differently.
func postDominators(g *cfg.Graph) map[uint32]uint32 {
	meet := map[uint32]uint32{}
	for _, f := range g.Functions {
		for i := range f.Blocks {
			b := &f.Blocks[i]
			if len(b.Succ) < 2 {
				continue
			}
			pc := NoStop
			if d := f.IPostDom[i]; d >= 0 {
				pc = f.Blocks[d].Start
			}
			if other, known := meet[b.End]; known && other != pc {
				pc = NoStop
			}
			meet[b.End] = pc
		}
	}
	maps.DeleteFunc(meet, func(_, pc uint32) bool { return pc == NoStop })
	return meet
}

// order numbers the blocks of a kernel, callees before their callers, and the blocks of a function
// as Lorie and Strong do: edges lead forward, except back to the header of a loop, and the blocks
// of a loop are consecutive. Addresses outside all blocks come last.
type order struct {
	rank []uint32 // by word: the number of the instruction, ordered by block and then by address
	ends []uint32 // by word: the end of the block; 0 outside of blocks
}

func newOrder(g *cfg.Graph) *order {
	words := codeEnd(g) / 4
	o := &order{slices.Repeat([]uint32{NoStop}, int(words)), make([]uint32, words)}
	var n uint32
	for _, k := range calleesFirst(g) {
		f := g.Functions[k]
		for _, i := range f.Order {
			b := &f.Blocks[i]
			for word := b.Start / 4; word < b.End/4; word++ {
				if o.ends[word] == 0 { // not in an earlier function
					o.rank[word], o.ends[word] = n, b.End
					n++
				}
			}
		}
	}
	return o
}

// calleesFirst lists the functions, each after the functions that it calls, except in circles of
// calls.
func calleesFirst(g *cfg.Graph) []int {
	var list []int
	seen := make([]bool, len(g.Functions))
	var visit func(int)
	visit = func(k int) {
		seen[k] = true
		for _, c := range g.Calls {
			if c.Caller == k && !seen[c.Callee] {
				visit(c.Callee)
			}
		}
		list = append(list, k)
	}
	if len(seen) > 0 {
		visit(0)
	}
	return list
}

// of returns the number of the instruction at pc.
func (o *order) of(pc uint32) uint32 {
	if word := int(pc / 4); word < len(o.rank) {
		return o.rank[word]
	}
	return NoStop
}

// end returns the end of the block that contains pc, NoStop outside of blocks.
func (o *order) end(pc uint32) uint32 {
	if word := int(pc / 4); word < len(o.ends) && o.ends[word] != 0 {
		return o.ends[word]
	}
	return NoStop
}

// codeEnd returns the address after the code.
func codeEnd(g *cfg.Graph) uint32 {
	if len(g.Code) == 0 {
		return 0
	}
	return g.PC[len(g.Code)]
}
