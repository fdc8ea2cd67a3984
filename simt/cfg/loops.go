package cfg

import "slices"

// Loop is a set of blocks. From each of them a lane can come back to it. Loops nest; lanes enter a
// natural loop only at its header.
type Loop struct {
	Header  int
	Parent  int  // the loop directly around it, or None
	Depth   int  // 1 for an outermost loop
	Natural bool // no edge leads from outside to a block other than the header
	// The blocks of the loop are Function.Order[First:Last].
	First, Last int
}

// Reducible reports whether all loops of f are natural: no jump leads into the middle of one.
func (f *Function) Reducible() bool {
	return !slices.ContainsFunc(f.Loops, func(l Loop) bool { return !l.Natural })
}

// Body returns the blocks of loop l in order, the header first.
func (f *Function) Body(l int) []int { return f.Order[f.Loops[l].First:f.Loops[l].Last] }

// InLoop reports whether block b is in loop l.
func (f *Function) InLoop(b, l int) bool {
	p := f.Position[b]
	return f.Loops[l].First <= p && p < f.Loops[l].Last
}

// findLoops fills in Order, Position, Loops and Inner. It finds the strongly connected parts of
// the graph, leaves out of each the block reached first, which is the header, and searches the
// rest again: a weak topological order (F. Bourdoncle, 1993). The time is one search of the graph,
// times the depth of the nest.
func (f *Function) findLoops() {
	n := len(f.Blocks)
	o := &ordering{f: f, number: make([]int, n)}
	o.visit(f.Start)
	slices.Reverse(o.reversed)
	f.Order = o.reversed
	f.Position = make([]int, n)
	for i, b := range f.Order {
		f.Position[b] = i
	}
	f.nest(o.sizes)
	for u := range n {
		for _, v := range f.Targets(u) {
			for l := f.Inner[v]; l != None && !f.InLoop(u, l); l = f.Loops[l].Parent {
				if f.Loops[l].Header != v { // the edge enters l in the middle
					f.Loops[l].Natural = false
				}
			}
		}
	}
}

// ordering makes the order from its end.
type ordering struct {
	f        *Function
	number   []int // 0: not reached; placed: in the order
	count    int
	stack    []int
	reversed []int
	sizes    []loopSize
}

type loopSize struct{ header, blocks int }

const placed = int(^uint(0) >> 1)

// visit searches from b and returns the lowest number on the stack that it can reach.
func (o *ordering) visit(b int) int {
	o.stack = append(o.stack, b)
	o.count++
	own := o.count
	o.number[b] = own
	head, loop := own, false
	// the lower address comes earlier in the order
	for _, to := range slices.Backward(o.f.Targets(b)) {
		low := o.number[to]
		if low == 0 {
			low = o.visit(to)
		}
		if low <= head {
			head, loop = low, true
		}
	}
	if head != own {
		return head
	}
	o.number[b] = placed
	for {
		top := o.stack[len(o.stack)-1]
		o.stack = o.stack[:len(o.stack)-1]
		if top == b {
			break
		}
		o.number[top] = 0 // searched again, without b
	}
	before := len(o.reversed)
	if loop {
		for _, to := range slices.Backward(o.f.Targets(b)) {
			if o.number[to] == 0 {
				o.visit(to)
			}
		}
	}
	o.reversed = append(o.reversed, b)
	if loop {
		o.sizes = append(o.sizes, loopSize{b, len(o.reversed) - before})
	}
	return head
}

// nest makes the loops from their sizes, and sets the loop around each block.
func (f *Function) nest(sizes []loopSize) {
	slices.SortFunc(sizes, func(x, y loopSize) int { return f.Position[x.header] - f.Position[y.header] })
	f.Inner = make([]int, len(f.Blocks))
	at := None
	for i, next := 0, 0; i < len(f.Order); i++ {
		for at != None && f.Loops[at].Last <= i {
			at = f.Loops[at].Parent
		}
		if next < len(sizes) && sizes[next].header == f.Order[i] {
			l := Loop{Header: f.Order[i], Parent: at, Depth: 1, Natural: true, First: i, Last: i + sizes[next].blocks}
			if at != None {
				l.Depth = f.Loops[at].Depth + 1
			}
			at = len(f.Loops)
			f.Loops = append(f.Loops, l)
			next++
		}
		f.Inner[f.Order[i]] = at
	}
}
