package cfg

import (
	"fmt"
	"slices"
)

// Region is a node of the tree of structured control. The regions of a sequence run one
// after the other; Leave, LeaveLoop and NextRound end the sequence for the lanes that get there.
type Region struct {
	Kind  RegionKind
	Block int // Straight and If: the block; Round: the header; otherwise None
	// If: the sides of the branch at the end of Block. After the region all lanes go on
	// together. Either side may be empty.
	Taken, Fall []Region
	Body        []Region // Round: from the header on; at its end the next round begins
}

// RegionKind is the kind of a region.
type RegionKind uint8

// The kinds.
const (
	Straight  RegionKind = iota // a block with one way out
	If                          // a block with two ways out, and its two sides
	Round                       // a loop
	LeaveLoop                   // lanes leave the innermost loop and wait after it
	NextRound                   // lanes wait for the innermost loop's next round
	Leave                       // lanes leave the function
)

// UnstructuredError says why a function cannot be read as nested ifs and loops.
type UnstructuredError struct {
	PC     uint32 // of the instruction that does not fit
	Reason string
}

// Error names the pc and the reason.
func (e *UnstructuredError) Error() string {
	return fmt.Sprintf("not structured: at 0x%x %s", e.PC, e.Reason)
}

// Structure reads the flow graph as nested ifs and loops, with breaks and continues of the
// innermost loop and with returns anywhere. Every block is in the tree once: no code is
// copied and nothing is added. A graph that needs more (for a goto across ifs, a jump into a loop
// or out of two at once, an unresolved edge) gives an [*UnstructuredError] that names an instruction
// in the way. A loop that lanes leave only by leaving the function may give one too.
//
// Where lanes leave a loop in several ways that never meet, one way follows the loop and the others
// are part of its rounds. If there is a choice, the way with most code follows the loop.
func (f *Function) Structure() ([]Region, error) {
	if tree, err := f.structure(true); err == nil {
		return tree, nil
	}
	return f.structure(false)
}

func (f *Function) structure(most bool) ([]Region, error) {
	p := &parser{f: f, most: most, merges: make([][]int, len(f.Blocks)), used: make([]bool, len(f.Blocks))}
	for _, l := range f.Loops {
		if !l.Natural {
			p.fail(l.Header, "lanes can come into the middle of a loop")
		}
	}
	for _, b := range f.Order {
		p.check(b)
		if p.meet(b) {
			p.merges[f.IDom[b]] = append(p.merges[f.IDom[b]], b) // in order
		}
	}
	tree := p.read(f.Start, surroundings{None, None, None})
	if p.err != nil {
		return nil, p.err
	}
	return tree, nil
}

// parser goes down the dominator tree. A block where edges meet follows the if or the loop that
// dominates it; every other block belongs to the one edge that leads there.
type parser struct {
	f      *Function
	merges [][]int // by immediate dominator: the blocks where edges meet
	used   []bool
	most   bool  // the way out with most code follows a loop, if no block follows all ways out
	err    error // the first failure
}

// surroundings are the blocks that end a sequence, or None.
type surroundings struct {
	follow int // follows the sequence
	header int // of the innermost loop
	behind int // follows the innermost loop
}

func (p *parser) fail(b int, reason string) {
	if p.err == nil {
		p.err = &UnstructuredError{p.f.Blocks[b].Tail, reason}
	}
}

// check refuses block b if it has edges that no region has.
func (p *parser) check(b int) {
	ways := map[int]bool{}
	for _, e := range p.f.Blocks[b].Succ {
		ways[e.To] = true
		if e.Kind == Unresolved {
			p.fail(b, "it is not known where control goes")
		}
	}
	if len(ways) > 2 {
		p.fail(b, "control can go more than two ways")
	}
}

// meet reports whether edges of several blocks meet at b, not counting edges that begin the next
// round of its loop.
func (p *parser) meet(b int) bool {
	n := 0
	for _, from := range p.f.Blocks[b].Pred {
		if !p.heads(b) || !p.f.InLoop(from, p.f.Inner[b]) {
			n++
		}
	}
	return n > 1
}

// heads reports whether b is the header of its loop.
func (p *parser) heads(b int) bool {
	l := p.f.Inner[b]
	return l != None && p.f.Loops[l].Header == b
}

// read returns the sequence that begins with block b.
func (p *parser) read(b int, s surroundings) []Region {
	var out []Region
	for b != None && p.err == nil {
		p.used[b] = true
		var r Region
		var end []Region
		switch {
		case p.heads(b) && s.header != b:
			r, end, b = p.loop(b, s)
		case p.branches(b):
			r, b = p.branch(b, s)
		default:
			r = Region{Kind: Straight, Block: b}
			end, b = p.follow(b, p.f.Blocks[b].Succ[0].To, s)
		}
		out = append(append(out, r), end...)
	}
	return out
}

// branches reports whether b has two ways out.
func (p *parser) branches(b int) bool {
	succ := p.f.Blocks[b].Succ
	return slices.ContainsFunc(succ, func(e Edge) bool { return e.To != succ[0].To })
}

// follow takes the edge from b to block to: out of the sequence, or to the block that continues
// it.
func (p *parser) follow(b, to int, s surroundings) (end []Region, next int) {
	end, next = s.end(to)
	if next != None && (p.used[to] || p.f.IDom[to] != b || p.meet(to)) {
		p.fail(b, fmt.Sprintf("control goes to 0x%x, across the ifs and loops around it", p.f.Blocks[to].Start))
	}
	return end, next
}

// end returns the region by which lanes that come to block b end the sequence; next is b if they
// do not end it.
func (s surroundings) end(b int) (end []Region, next int) {
	switch b {
	case Exit:
		return []Region{{Kind: Leave, Block: None}}, None
	case s.follow:
		return nil, None
	case s.header:
		return []Region{{Kind: NextRound, Block: None}}, None
	case s.behind:
		return []Region{{Kind: LeaveLoop, Block: None}}, None
	}
	return nil, b
}

// branch reads block b and both its sides. The sides meet at the block where edges meet and that b
// dominates, if there is one; otherwise the if is the last region of its sequence.
func (p *parser) branch(b int, s surroundings) (Region, int) {
	inner, next := s, None
	for _, m := range p.merges[b] {
		if m == s.behind {
			continue
		}
		if next != None {
			p.fail(b, fmt.Sprintf("the ways from a branch meet at 0x%x and again at 0x%x",
				p.f.Blocks[next].Start, p.f.Blocks[m].Start))
		}
		inner.follow, next = m, m
	}
	r := Region{Kind: If, Block: b}
	succ := p.f.Blocks[b].Succ
	fall, taken := succ[0].To, succ[len(succ)-1].To
	r.Fall = p.side(b, fall, inner)
	r.Taken = p.side(b, taken, inner)
	return r, next
}

func (p *parser) side(b, to int, s surroundings) []Region {
	end, next := p.follow(b, to, s)
	return append(end, p.read(next, s)...)
}

// loop reads the loop with header b.
func (p *parser) loop(b int, s surroundings) (r Region, end []Region, next int) {
	behind := p.behind(p.f.Inner[b])
	r = Region{Kind: Round, Block: b, Body: p.read(b, surroundings{None, b, behind})}
	if behind == None {
		return r, nil, None
	}
	end, next = s.end(behind)
	if next != None && (p.used[next] || !p.f.Dominates(b, next)) {
		p.fail(b, fmt.Sprintf("the loop leads to 0x%x, across the ifs and loops around it", p.f.Blocks[next].Start))
	}
	return r, end, next
}

// behind chooses the block that follows loop l, or None. Code on the way there, and on other ways
// out, is part of the round although it runs at most once.
func (p *parser) behind(l int) int {
	header := p.f.Loops[l].Header
	var meetings, exits []int // blocks where ways out meet, and where they begin
	for _, b := range p.f.Body(l) {
		if p.f.Inner[b] != l {
			continue // an edge out of an inner loop does not leave this one too
		}
		for _, m := range p.merges[b] {
			if !p.f.InLoop(m, l) {
				meetings = append(meetings, m)
			}
		}
		for _, to := range p.f.Targets(b) {
			if !p.f.InLoop(to, l) {
				exits = append(exits, to)
			}
		}
	}
	if len(exits) == 1 {
		return exits[0]
	}
	places := append(exits, meetings...)
	slices.SortFunc(places, func(a, b int) int { return p.f.Position[a] - p.f.Position[b] })
	farther := p.edgesOut(header)
	if p.most && len(farther) == 0 && len(places) > 0 {
		return slices.MaxFunc(places, func(a, b int) int { return p.size(a) - p.size(b) })
	}
	for _, c := range slices.Backward(places) {
		if !slices.ContainsFunc(farther, func(e [2]int) bool { return !p.f.Dominates(c, e[0]) }) {
			return c // all edges farther out leave from here
		}
	}
	if len(farther) > 0 {
		return farther[0][1] // a block farther out where ways meet
	}
	return None
}

// size returns how many instructions are dominated by block b.
func (p *parser) size(b int) (n int) {
	for _, d := range p.f.dom.order[p.f.dom.first[b]:p.f.dom.last[b]] {
		n += p.f.Blocks[d].Last - p.f.Blocks[d].First
	}
	return n
}

// edgesOut returns the edges from blocks that b dominates to blocks that it does not, as pairs of
// blocks, without the edges to Exit.
func (p *parser) edgesOut(b int) [][2]int {
	var out [][2]int
	for _, from := range p.f.dom.order[p.f.dom.first[b]:p.f.dom.last[b]] {
		for _, to := range p.f.Targets(from) {
			if !p.f.Dominates(b, to) {
				out = append(out, [2]int{from, to})
			}
		}
	}
	return out
}
