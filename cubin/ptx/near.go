package ptx

import (
	"fmt"
	"slices"
)

// unknown reports a name that stands for nothing, with one that is like it.
func (p *parser) unknown(t token, what string) {
	if p.bad {
		return
	}
	p.errorAt(t.pos, "unknown %s %s%s", what, t.describe(), p.nearName(t.text))
}

// nearOp returns a hint at an operation that is like a name.
func (l *language) nearOp(name string) string {
	n := newNearest(name)
	for op := range l.ops {
		n.try(op)
	}
	return n.hint()
}

// nearName returns a hint at a visible name that is like another.
func (p *parser) nearName(name string) string {
	n := newNearest(name)
	prefix, index := split(name)
	for i := range p.names.scopes {
		s := &p.names.scopes[i]
		if vars := s.ranges[prefix]; len(vars) > 0 && index >= 0 {
			return fmt.Sprintf("; %s<%d> declares %s to %s", prefix, len(vars), vars[0].Name,
				vars[len(vars)-1].Name)
		}
		n.tryAll(s.things)
	}
	for other := range specials {
		n.try(other)
	}
	return n.hint()
}

// nearest looks for the name that is most like another.
type nearest struct {
	name     string
	best     string
	distance int
}

func newNearest(name string) *nearest { return &nearest{name: name, distance: 3} }

// tryAll considers the names of a scope unless they are many.
func (n *nearest) tryAll(things map[string]thing) {
	const most = 2000
	if len(things) > most {
		return
	}
	for other := range things {
		n.try(other)
	}
}

// try considers a name. Of those at the same distance, the first in the alphabet wins.
func (n *nearest) try(other string) {
	const longest = 64
	if len(n.name) > longest || len(other) > longest {
		return
	}
	d := distance(n.name, other)
	if d >= min(len(n.name), len(other)) || d > n.distance {
		return
	}
	if d < n.distance || other < n.best {
		n.best, n.distance = other, d
	}
}

func (n *nearest) hint() string {
	if n.best == "" {
		return ""
	}
	return "; near is " + quote(n.best)
}

// distance returns how many characters are to be changed, added or removed to make b of a.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		before := row[0]
		row[0] = i + 1
		for j := range len(b) {
			change := before
			if a[i] != b[j] {
				change++
			}
			before = row[j+1]
			row[j+1] = slices.Min([]int{change, row[j] + 1, before + 1})
		}
	}
	return row[len(b)]
}
