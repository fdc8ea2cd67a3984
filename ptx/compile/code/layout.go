package code

import (
	"slices"

	"jacquard/internal/flowgraph"
)

// layout orders the blocks: every block after those that lead to it, but for loops, whose blocks
// are consecutive. Policies that run the lanes at the lowest address first then meet where they
// should. The test of a loop comes last in it, where that saves a jump.
func layout(f *Func) {
	g := newSegments(f)
	order := blockOrder(f, g, true)
	if f.Dispatch != nil {
		order = dispatchLast(f, g, order)
	}
	blocks := make([]*Block, len(order))
	for i, b := range order {
		blocks[i] = f.Blocks[b]
	}
	f.Blocks = blocks
	f.number()
}

// blockOrder returns the blocks that the entry reaches in the order of layout, with the test of a loop
// first, or last where that helps.
func blockOrder(f *Func, g *graph, testLast bool) []int32 {
	o := &ordering{f: f, g: g, placed: make([]bool, len(f.Blocks)), testLast: testLast}
	return o.joinsLast(o.close(o.region(g.Order, -1)))
}

// ordering is the state of layout.
type ordering struct {
	f      *Func
	g      *graph
	placed []bool
	knot   []int32 // by block or loop: those with the same number, in a loop, lead to each other
	rank   []int   // by block: its place in the graph's order

	testLast bool
}

// region orders the blocks of a loop, or of the function if head is -1.
func (o *ordering) region(list []int32, head int32) []int32 {
	out := make([]int32, 0, len(list))
	for i, b := range list {
		if o.placed[b] {
			continue
		}
		inner := o.child(b, head)
		if inner < 0 {
			o.placed[b] = true
			out = append(out, b)
			continue
		}
		var loop []int32
		for _, x := range list[i:] {
			if !o.placed[x] && o.g.within(x, inner) {
				loop = append(loop, x)
			}
		}
		out = append(out, o.rotate(o.region(loop, inner), inner)...)
	}
	return out
}

// close moves blocks that are not in a loop behind it, where lanes enter the loop at several places:
// such loops have no header, and region does not see them.
func (o *ordering) close(order []int32) []int32 {
	place := make([]int, len(o.f.Blocks))
	o.tie()
	o.rank = make([]int, len(o.f.Blocks))
	for i, b := range o.g.Order {
		o.rank[b] = i
	}
	for range order { // each time at least one block moves, or none any more
		for i, b := range order {
			place[b] = i
		}
		first, last, inside := o.open(order, place)
		if last < 0 {
			break
		}
		var loop, behind []int32
		for _, b := range order[first : last+1] {
			if inside[b] {
				loop = append(loop, b)
			} else {
				behind = append(behind, b)
			}
		}
		order = slices.Concat(order[:first], loop, behind, order[last+1:])
	}
	return order
}

// open returns the places of a way back that is none of a natural loop, and that passes blocks which
// do not lead to its start, and the blocks that do; last is -1 if there is none. Another round of a
// natural loop around the way leads nowhere here.
func (o *ordering) open(order []int32, place []int) (first, last int, inside []bool) {
	seams := o.seams(order)
	for last, b := range order {
		for _, to := range o.g.succ[b] {
			// rotate moves blocks before those that lead to them, too.
			if place[to] >= last || o.rank[to] > o.rank[b] || o.g.Dominates(to, b) {
				continue
			}
			l := o.around(b, to)
			if i, _ := slices.BinarySearch(seams[l], place[to]); i == len(seams[l]) || seams[l][i] >= last {
				continue
			}
			inside = o.reaching(b, l)
			if slices.ContainsFunc(order[place[to]:last], func(x int32) bool { return !inside[x] }) {
				return place[to], last, inside
			}
		}
	}
	return -1, -1, nil
}

// tie finds out which blocks and loops directly within each loop lead to each other without another
// round of it.
func (o *ordering) tie() {
	pred := make([][]int32, len(o.f.Blocks))
	for _, b := range o.g.Order {
		for _, p := range o.g.pred[b] {
			l := o.around(p, b)
			if from, to := o.within(p, l), o.within(b, l); l != p && l != b && from != to {
				pred[to] = append(pred[to], from)
			}
		}
	}
	o.knot = flowgraph.Components(o.g.Order, pred)
}

// joinsLast moves the join of a region behind the region, where lanes come back to it from there
// and it heads no natural loop.
func (o *ordering) joinsLast(order []int32) []int32 {
	place := make([]int, len(o.f.Blocks))
	for i, b := range order {
		place[b] = i
	}
	last := map[int32]int{} // by such a join: the place of the last block that leads back to it
	for i, b := range order {
		for _, to := range o.g.succ[b] {
			if place[to] < i && o.f.Blocks[to].joins > 0 && o.rank[to] < o.rank[b] && !o.g.Dominates(to, b) {
				last[to] = i
			}
		}
	}
	if len(last) == 0 {
		return order
	}
	behind := map[int32][]int32{} // by block: the joins that follow it
	for _, to := range order {
		i, ok := last[to]
		if !ok {
			continue
		}
		for around := o.around(order[i], to); i+1 < len(order) && o.within(order[i], around) == o.within(order[i+1], around); {
			i++ // a loop stays whole
		}
		behind[order[i]] = append(behind[order[i]], to)
	}
	var out []int32
	done := make([]bool, len(o.f.Blocks))
	var add func(b int32)
	add = func(b int32) {
		if done[b] {
			return
		}
		done[b] = true
		out = append(out, b)
		for _, to := range behind[b] {
			add(to)
		}
	}
	for _, b := range order {
		if _, moves := last[b]; !moves {
			add(b)
		}
	}
	for _, b := range order { // joins that wait for each other
		add(b)
	}
	return out
}

// seams returns, by the header of a loop or -1, the places in an order behind which another knot of
// the loop begins.
func (o *ordering) seams(order []int32) map[int32][]int {
	seams := map[int32][]int{}
	for i := range len(order) - 1 {
		l := o.around(order[i], order[i+1])
		if o.knot[o.within(order[i], l)] != o.knot[o.within(order[i+1], l)] {
			seams[l] = append(seams[l], i)
		}
	}
	return seams
}

// within returns what stands for block b directly within the loop of a header: the block, or the
// header of the loop around b there.
func (o *ordering) within(b, head int32) int32 {
	if inner := o.child(b, head); inner >= 0 {
		return inner
	}
	return b
}

// around returns the header of the innermost natural loop around two blocks, -1 if there is none.
func (o *ordering) around(a, b int32) int32 {
	l := o.g.loop[a]
	for l >= 0 && !o.g.within(b, l) {
		l = o.g.parent[l]
	}
	return l
}

// reaching returns the blocks from which lanes can come to a block without another round of the
// natural loop of head, -1 for none.
func (o *ordering) reaching(b, head int32) []bool {
	found := make([]bool, len(o.f.Blocks))
	found[b] = true
	for work := []int32{b}; len(work) > 0; {
		b, work = work[len(work)-1], work[:len(work)-1]
		if b == head {
			continue
		}
		for _, p := range o.g.pred[b] {
			if !found[p] {
				found[p] = true
				work = append(work, p)
			}
		}
	}
	return found
}

// child returns the header of the loop around b that is directly within the loop of head, or -1.
func (o *ordering) child(b, head int32) int32 {
	inner := int32(-1)
	for l := o.g.loop[b]; l >= 0 && l != head; l = o.g.parent[l] {
		inner = l
	}
	return inner
}

// rotate puts the blocks of a loop behind its test first, if the loop ends with a jump to its
// header.
func (o *ordering) rotate(list []int32, head int32) []int32 {
	last := list[len(list)-1]
	if e := &o.f.Blocks[last].End; !o.testLast || head == 0 || e.Kind != Jump || int32(e.To[0].ID) != head {
		return list
	}
	for i, b := range list[:len(list)-1] {
		if o.g.loop[b] == head && o.tests(b, head) && o.g.Dominates(b, last) {
			return append(append([]int32(nil), list[i+1:]...), list[:i+1]...)
		}
	}
	return list
}

// tests reports whether lanes leave the loop of head at block b, and others go on in it.
func (o *ordering) tests(b, head int32) bool {
	e := &o.f.Blocks[b].End
	return e.Kind == Branch && o.g.within(int32(e.To[0].ID), head) != o.g.within(int32(e.To[1].ID), head)
}
