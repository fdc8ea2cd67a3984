package flowchart

import (
	"cmp"
	"slices"
)

// node is a box, or the point where a long line passes a row.
type node struct {
	box    int // or -1
	w, h   float64
	row    int
	x      float64 // of the middle
	rank   float64 // for sorting a row
	above  []int   // nodes of the row above that a line leads to
	below  []int
	nearby []int // nodes that this node should be under, over or beside
}

// layers puts the boxes of a chart into rows and orders each row
// (K. Sugiyama and others, 1981).
type layers struct {
	c      *chart
	nodes  []node  // the boxes first
	rows   [][]int // from left to right
	chains [][]int // by line: the nodes between its ends, in the line's direction
}

func newLayers(c *chart) *layers {
	s := &layers{c: c, nodes: make([]node, len(c.boxes)), chains: make([][]int, len(c.lines))}
	out := make([][]int, len(c.boxes)) // lines from a box
	for i, l := range c.lines {
		out[l.from] = append(out[l.from], i)
	}
	for i := range c.boxes {
		s.nodes[i] = node{box: i}
		s.nodes[i].w, s.nodes[i].h = c.boxes[i].size()
	}
	s.rank()
	seen := make([]bool, len(c.boxes))
	for _, b := range c.order {
		if !seen[b] {
			s.enter(b, out, seen)
		}
	}
	for range 6 {
		s.sweep()
	}
	return s
}

// rank chooses the rows: each box is below the boxes that lead to it, and below all boxes of each
// loop that it follows.
func (s *layers) rank() {
	into := make([][]int, len(s.c.boxes))
	for _, l := range s.c.lines {
		if !l.back {
			into[l.to] = append(into[l.to], l.from)
		}
	}
	place := make([]int, len(s.c.boxes))
	for i, b := range s.c.order {
		place[b] = i
	}
	lowest := make([]int, len(s.c.loops)) // row of a loop
	rows := 0
	for i, b := range s.c.order {
		row := 0
		for _, from := range into[b] {
			row = max(row, s.nodes[from].row+1)
			for k, l := range s.c.loops {
				if l.last <= i && l.first <= place[from] && place[from] < l.last {
					row = max(row, lowest[k]+1)
				}
			}
		}
		s.nodes[b].row = row
		rows = max(rows, row+1)
		for k, l := range s.c.loops {
			if l.first <= i && i < l.last {
				lowest[k] = max(lowest[k], row)
			}
		}
	}
	s.rows = make([][]int, rows)
}

// enter puts box b and the boxes that can be reached from it into rows.
func (s *layers) enter(b int, out [][]int, seen []bool) {
	seen[b] = true
	s.rows[s.nodes[b].row] = append(s.rows[s.nodes[b].row], b)
	for _, i := range out[b] {
		s.chain(i)
		if to := s.c.lines[i].to; !seen[to] {
			s.enter(to, out, seen)
		}
	}
}

// chain makes the nodes between the ends of line i. A line down passes the rows between
// its ends; a line back goes up beside all boxes of the loop, its ends included.
func (s *layers) chain(i int) {
	l := &s.c.lines[i]
	from, to := s.nodes[l.from].row, s.nodes[l.to].row
	previous := l.from
	if l.back {
		for row := from; row >= to; row-- {
			n := s.pass(row)
			if row < from {
				s.link(n, previous)
			} else {
				s.near(n, l.from)
			}
			s.chains[i] = append(s.chains[i], n)
			previous = n
		}
		s.near(previous, l.to)
		return
	}
	for row := from + 1; row < to; row++ {
		n := s.pass(row)
		s.link(previous, n)
		s.chains[i] = append(s.chains[i], n)
		previous = n
	}
	s.link(previous, l.to)
}

func (s *layers) pass(row int) int {
	s.nodes = append(s.nodes, node{box: -1, row: row})
	s.rows[row] = append(s.rows[row], len(s.nodes)-1)
	return len(s.nodes) - 1
}

func (s *layers) link(upper, lower int) {
	s.nodes[upper].below = append(s.nodes[upper].below, lower)
	s.nodes[lower].above = append(s.nodes[lower].above, upper)
	s.near(upper, lower)
}

func (s *layers) near(a, b int) {
	s.nodes[a].nearby = append(s.nodes[a].nearby, b)
	s.nodes[b].nearby = append(s.nodes[b].nearby, a)
}

// sweep sorts every row by the positions of its nodes' neighbours: going up by the neighbours
// below, then going down by the neighbours above.
func (s *layers) sweep() {
	place := make([]int, len(s.nodes))
	note := func(row []int) {
		for i, n := range row {
			place[n] = i
		}
	}
	sort := func(row []int, neighbours func(*node) []int) {
		for i, n := range row {
			v := &s.nodes[n]
			v.rank = float64(i)
			if near := neighbours(v); len(near) > 0 {
				v.rank = 0
				for _, m := range near {
					v.rank += float64(place[m]) / float64(len(near))
				}
			}
		}
		slices.SortStableFunc(row, func(a, b int) int { return cmp.Compare(s.nodes[a].rank, s.nodes[b].rank) })
		note(row)
	}
	for _, row := range s.rows {
		note(row)
	}
	for _, row := range slices.Backward(s.rows) {
		sort(row, func(n *node) []int { return n.below })
	}
	for _, row := range s.rows {
		sort(row, func(n *node) []int { return n.above })
	}
}
