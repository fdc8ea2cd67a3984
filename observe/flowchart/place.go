package flowchart

import (
	"math"
	"unicode/utf8"
)

// Distances in the picture, in pixels.
const (
	fontSize   = 11.0
	charWidth  = 6.65 // of a monospaced font of that size
	lineHeight = 14.0
	margin     = 8.0  // inside a box
	gapAcross  = 26.0 // between boxes of a row
	gapLines   = 14.0 // beside a line that passes
	gapDown    = 46.0 // between rows
)

// size returns the width and height of a box.
func (b *box) size() (w, h float64) {
	longest := utf8.RuneCountInString(b.head)
	for _, t := range b.text {
		longest = max(longest, len(t))
	}
	if b.end {
		return float64(longest)*charWidth + 3*margin, lineHeight + margin
	}
	return float64(longest)*charWidth + 3*margin, float64(len(b.text)+1)*lineHeight + 2*margin
}

// place gives every node its x: each row in turn moves as near to its neighbours' as its
// own width allows. The left edge is then at 0; it returns the whole width.
func (s *layers) place() float64 {
	for _, row := range s.rows {
		x := 0.0
		for i, n := range row {
			if i > 0 {
				x += s.distance(row[i-1], n)
			}
			s.nodes[n].x = x
		}
	}
	for i := range 60 {
		for r := range s.rows {
			if i%2 == 1 {
				r = len(s.rows) - 1 - r
			}
			s.align(s.rows[r])
		}
	}
	left, right := math.Inf(1), math.Inf(-1)
	for i := range s.nodes {
		n := &s.nodes[i]
		left, right = min(left, n.x-n.w/2), max(right, n.x+n.w/2)
	}
	for i := range s.nodes {
		s.nodes[i].x -= left
	}
	return right - left
}

// distance is the least distance between the middles of two neighbours of a row.
func (s *layers) distance(a, b int) float64 {
	gap := gapAcross
	if s.nodes[a].box < 0 || s.nodes[b].box < 0 {
		gap = gapLines
	}
	return s.nodes[a].w/2 + gap + s.nodes[b].w/2
}

// run is a part of a row in which nodes touch. Its position minimises the sum of the squares of
// its nodes' distances from their wanted positions.
type run struct {
	nodes  int
	weight float64
	wanted float64 // sum of weights times wanted positions of the first node
	length float64 // between the first node and the last
}

func (r *run) at() float64 { return r.wanted / r.weight }

// align moves a row: nodes that would overlap become one run, which moves as a whole.
func (s *layers) align(row []int) {
	var runs []run
	for i, n := range row {
		weight, want := s.want(n)
		r := run{nodes: 1, weight: weight, wanted: weight * want}
		for k := i; len(runs) > 0; {
			before := &runs[len(runs)-1]
			gap := before.length + s.distance(row[k-1], row[k])
			if before.at()+gap <= r.at() {
				break
			}
			r = run{
				nodes:  before.nodes + r.nodes,
				weight: before.weight + r.weight,
				wanted: before.wanted + r.wanted - r.weight*gap,
				length: gap + r.length,
			}
			k -= before.nodes
			runs = runs[:len(runs)-1]
		}
		runs = append(runs, r)
	}
	i := 0
	for _, r := range runs {
		x := r.at()
		for k := range r.nodes {
			if k > 0 {
				x += s.distance(row[i-1], row[i])
			}
			s.nodes[row[i]].x = x
			i++
		}
	}
}

// want returns the wanted position of node n and its weight: long lines should be straight.
func (s *layers) want(n int) (weight, x float64) {
	v := &s.nodes[n]
	if len(v.nearby) == 0 {
		return 1, v.x
	}
	for _, m := range v.nearby {
		w := 1.0
		if v.box < 0 && s.nodes[m].box < 0 {
			w = 16
		}
		weight += w
		x += w * s.nodes[m].x
	}
	x /= weight
	if v.box < 0 {
		return 4, x
	}
	return 2, x
}
