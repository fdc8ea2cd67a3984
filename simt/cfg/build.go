package cfg

import (
	"cmp"
	"slices"

	"jacquard/tesla"
)

// builder cuts code into blocks and follows lanes through it.
type builder struct {
	*Graph
	index map[uint32]int // byte address to index of Code
	lead  []bool         // Code[i] starts a block
	entry map[uint32]int // entry address to index of Functions
}

func newBuilder(code []tesla.Instruction) *builder {
	b := &builder{
		Graph: &Graph{Code: code, PC: make([]uint32, len(code)+1)},
		index: make(map[uint32]int, len(code)),
		lead:  make([]bool, len(code)+1),
		entry: map[uint32]int{},
	}
	for i := range code {
		b.index[b.PC[i]] = i
		b.PC[i+1] = b.PC[i] + uint32(code[i].Size)
	}
	b.lead[0] = true
	for i := range code {
		in := &code[i]
		if in.Marker == tesla.MarkerJoin {
			b.lead[i] = true
		}
		if ends(in) {
			b.lead[i+1] = true
		}
		if t, ok := b.index[in.Target]; ok && in.Op.HasTarget() {
			b.lead[t] = true
		}
	}
	return b
}

// ends reports whether a lane can go from in to another than the next instruction.
func ends(in *tesla.Instruction) bool {
	return in.Op.Leaves() || in.Marker == tesla.MarkerExit || in.Bad != tesla.OK
}

func (b *builder) problem(pc uint32, k ProblemKind) {
	b.Problems = append(b.Problems, Problem{pc, k})
}

// functions finds the kernel and its subroutines.
func (b *builder) functions() {
	b.callee(0)
	for k := 0; k < len(b.Functions); k++ { // grows as calls are found
		f := b.Functions[k]
		b.walk(f)
		for i := range f.Blocks {
			last := &b.Code[f.Blocks[i].Last-1]
			if last.Op != tesla.OpCall || !slices.ContainsFunc(f.Blocks[i].Succ, func(e Edge) bool { return e.Kind == Over }) {
				continue
			}
			b.Calls = append(b.Calls, Call{b.PC[f.Blocks[i].Last-1], k, b.callee(last.Target)})
		}
		b.loneJoins(f)
	}
	b.sortFunctions()
}

// callee returns the function whose entry is pc.
func (b *builder) callee(pc uint32) int {
	k, ok := b.entry[pc]
	if !ok {
		k = len(b.Functions)
		b.entry[pc] = k
		b.Functions = append(b.Functions, &Function{Entry: pc})
	}
	return k
}

// sortFunctions puts subroutines and calls in the order of their addresses.
func (b *builder) sortFunctions() {
	kernel, rest := b.Functions[0], b.Functions[1:]
	slices.SortFunc(rest, func(x, y *Function) int { return cmp.Compare(x.Entry, y.Entry) })
	place := map[uint32]int{kernel.Entry: 0}
	for i, f := range rest {
		place[f.Entry] = i + 1
	}
	now := make([]int, len(b.Functions))
	for pc, k := range b.entry {
		now[k] = place[pc]
	}
	for i := range b.Calls {
		c := &b.Calls[i]
		c.Caller, c.Callee = now[c.Caller], now[c.Callee]
	}
	slices.SortFunc(b.Calls, func(x, y Call) int {
		return cmp.Or(cmp.Compare(x.PC, y.PC), cmp.Compare(x.Caller, y.Caller))
	})
}

// walker follows the lanes of one function from block to block. It names blocks by their first
// instruction.
type walker struct {
	*builder
	stacks *stacks
	seen   map[int][]token // by block: the stacks it was reached with
	succ   map[int][]Edge
	todo   []visit
}

type visit struct {
	first int
	stack token
}

// walk finds the blocks of f and their edges.
func (b *builder) walk(f *Function) {
	w := &walker{builder: b, stacks: newStacks(), seen: map[int][]token{}, succ: map[int][]Edge{}}
	w.reach(b.index[f.Entry], 0)
	for len(w.todo) > 0 {
		v := w.todo[len(w.todo)-1]
		w.todo = w.todo[:len(w.todo)-1]
		w.block(v)
	}
	number := make(map[int]int, len(w.seen))
	for first := range w.seen {
		f.Blocks = append(f.Blocks, Block{First: first, Last: b.last(first)})
	}
	slices.SortFunc(f.Blocks, func(x, y Block) int { return cmp.Compare(x.First, y.First) })
	for i := range f.Blocks {
		number[f.Blocks[i].First] = i
	}
	f.Start = number[b.index[f.Entry]]
	for i := range f.Blocks {
		n := &f.Blocks[i]
		n.Start, n.End, n.Tail = b.PC[n.First], b.PC[n.Last], b.PC[n.Last-1]
		for _, e := range w.succ[n.First] {
			if e.To != Exit {
				e.To = number[e.To]
			}
			n.Succ = append(n.Succ, e)
		}
		slices.SortFunc(n.Succ, func(x, y Edge) int { return cmp.Or(cmp.Compare(x.Kind, y.Kind), cmp.Compare(x.To, y.To)) })
		for _, to := range f.Targets(i) {
			f.Blocks[to].Pred = append(f.Blocks[to].Pred, i)
		}
	}
}

// last returns the index after the block that starts at first.
func (b *builder) last(first int) int {
	i := first + 1
	for i < len(b.Code) && !b.lead[i] {
		i++
	}
	return i
}

// reach notes that a lane with stack t can come to the block at first. It reports false if the
// block was reached with too many stacks.
func (w *walker) reach(first int, t token) bool {
	known := w.seen[first]
	if slices.Contains(known, t) {
		return true
	}
	if len(known) == maxStacks {
		return false
	}
	w.seen[first] = append(known, t)
	w.todo = append(w.todo, visit{first, t})
	return true
}

// edge adds an edge from the block at first.
func (w *walker) edge(first int, e Edge) {
	if !slices.Contains(w.succ[first], e) {
		w.succ[first] = append(w.succ[first], e)
	}
}

// jump adds an edge from the block at first to address target, for a lane with stack t.
// pc is the address of the jump.
func (w *walker) jump(first int, kind EdgeKind, pc, target uint32, t token) {
	to, ok := w.index[target]
	switch {
	case !ok && kind != FallThrough && kind != Over:
		w.problem(pc, BadTarget)
	case !ok:
		w.problem(pc, RunsOut)
	case !w.reach(to, t):
		w.problem(target, TooManyBreaks)
	default:
		w.edge(first, Edge{kind, to})
		return
	}
	w.edge(first, Edge{Unresolved, Exit})
}

// block follows a lane through a block.
func (w *walker) block(v visit) {
	t, last := v.stack, w.last(v.first)
	for i := v.first; i < last; i++ {
		in := &w.Code[i]
		if in.Bad != tesla.OK || in.Op != tesla.OpBreakAddr && in.Op != tesla.OpPreRet {
			continue
		}
		deeper, ok := w.stacks.push(tokenNode{t, in.Op == tesla.OpPreRet, in.Target})
		if !ok {
			w.problem(w.PC[i], TooManyBreaks)
			w.edge(v.first, Edge{Unresolved, Exit})
			return
		}
		t = deeper
	}
	w.leave(v.first, last, t)
}

// leave follows a lane with stack t out of the block Code[first:last].
func (w *walker) leave(first, last int, t token) {
	in, pc, next := &w.Code[last-1], w.PC[last-1], w.PC[last]
	switch {
	case in.Bad != tesla.OK || in.Op == tesla.OpTrap:
		w.edge(first, Edge{Stop, Exit})
		return
	case in.Marker == tesla.MarkerExit: // whatever the guard
		w.edge(first, Edge{Finish, Exit})
		return
	case in.Op == tesla.OpCall: // whatever the guard
		if _, ok := w.index[in.Target]; !ok {
			w.problem(pc, BadTarget)
			w.edge(first, Edge{Unresolved, Exit})
			return
		}
		w.jump(first, Over, pc, next, t)
		return
	case !ends(in):
		w.jump(first, FallThrough, pc, next, t)
		return
	}
	if in.Guard.Cond != tesla.CondAlways {
		w.jump(first, FallThrough, pc, next, t)
	}
	if in.Guard.Cond == tesla.CondNever {
		return
	}
	switch in.Op {
	case tesla.OpBra:
		w.jump(first, Taken, pc, in.Target, t)
	case tesla.OpBraIndirect:
		w.problem(pc, Indirect)
		w.edge(first, Edge{Unresolved, Exit})
	case tesla.OpBreak:
		if target, below, ok := w.stacks.pop(t, false); ok {
			w.jump(first, Break, pc, target, below)
		} else {
			w.problem(pc, LoneBreak)
			w.edge(first, Edge{Unresolved, Exit})
		}
	case tesla.OpRet:
		if target, below, ok := w.stacks.pop(t, true); ok {
			w.jump(first, Return, pc, target, below)
		} else {
			w.edge(first, Edge{Return, Exit})
		}
	}
}
