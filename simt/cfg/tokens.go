package cfg

// A lane meets three kinds of tokens on its way, whatever the other lanes do: break
// addresses, return addresses and joinats. A break takes it to the latest break address
// and drops the tokens above; a return does the same with return addresses. Joinats change when a
// lane waits but not where it goes, and compilers leave some on the stack (at a continue out of an
// if), so they are not followed here.

// token is a stack of break and return addresses, as the index of its top in stacks.
// Equal stacks have equal indices. 0 is the empty stack.
type token int

type tokenNode struct {
	below  token
	call   bool // a return address, from preret; otherwise a break address
	target uint32
}

// maxDepth bounds the addresses on a stack, maxStacks the stacks with which a block is reached.
// Compilers stay below 10 and at 1.
const (
	maxDepth  = 64
	maxStacks = 16
)

// stacks holds all stacks seen in a function.
type stacks struct {
	nodes []tokenNode // nodes[0] is not used
	depth []int
	known map[tokenNode]token
}

func newStacks() *stacks {
	return &stacks{nodes: make([]tokenNode, 1), depth: make([]int, 1), known: map[tokenNode]token{}}
}

// push returns the stack n, or false if it is too deep.
func (s *stacks) push(n tokenNode) (token, bool) {
	if t, ok := s.known[n]; ok {
		return t, true
	}
	if s.depth[n.below] == maxDepth {
		return 0, false
	}
	t := token(len(s.nodes))
	s.nodes = append(s.nodes, n)
	s.depth = append(s.depth, s.depth[n.below]+1)
	s.known[n] = t
	return t, true
}

// pop returns the latest address of its kind and the stack below it. ok is false if there
// is none.
func (s *stacks) pop(t token, call bool) (target uint32, below token, ok bool) {
	for ; t != 0; t = s.nodes[t].below {
		if n := s.nodes[t]; n.call == call {
			return n.target, n.below, true
		}
	}
	return 0, 0, false
}
