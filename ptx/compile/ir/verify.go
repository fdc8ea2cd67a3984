package ir

import (
	"errors"
	"fmt"
	"slices"
)

// Verify returns all violations of the passes' assumptions, as one error: blocks end once and name
// each other as successors and predecessors, phis come first and have one operand for each edge,
// operands have the kinds of their operation, every use is dominated by the value that it reads,
// and Uses counts the users. It takes a function after [Func.Order] and changes nothing.
func Verify(f *Func) error {
	v := &verifier{f: f, place: map[*Value]place{}, uses: map[*Value]int32{}, edges: map[[2]*Block]int{}}
	v.blocks()
	if len(v.errs) == 0 {
		for i, b := range f.Blocks {
			v.values(b, i)
		}
	}
	if len(v.errs) == 0 { // a phi has an operand for each edge
		for _, b := range f.Blocks {
			v.operands(b)
		}
		v.counts()
	}
	return errors.Join(v.errs...)
}

// place is where a value stands.
type place struct{ block, index int }

// verifier collects violations.
type verifier struct {
	f     *Func
	place map[*Value]place
	uses  map[*Value]int32 // found
	edges map[[2]*Block]int
	errs  []error
}

func (v *verifier) fail(b *Block, format string, args ...any) {
	v.errs = append(v.errs, fmt.Errorf("b%d: %s", b.ID, fmt.Sprintf(format, args...)))
}

// blocks checks numbers, ends and edges.
func (v *verifier) blocks() {
	for i, b := range v.f.Blocks {
		if b.ID != i {
			v.fail(b, "stands at place %d", i)
		}
		v.end(b)
		for _, to := range b.Succs() {
			v.edges[[2]*Block{b, to}]++
		}
	}
	if len(v.errs) > 0 {
		return // an edge may lead nowhere
	}
	if len(v.f.Blocks[0].Preds) > 0 {
		v.fail(v.f.Blocks[0], "the entry has predecessors")
	}
	for _, b := range v.f.Blocks {
		for _, p := range b.Preds {
			v.edges[[2]*Block{p, b}]--
		}
	}
	for e, n := range v.edges {
		if n != 0 {
			v.fail(e[0], "%+d edges to b%d that are no predecessors there", n, e[1].ID)
		}
	}
}

// end checks the end of a block.
func (v *verifier) end(b *Block) {
	switch {
	case b.End == Open:
		v.fail(b, "has no end")
	case (b.End == Branch) != (b.Control != nil):
		v.fail(b, "a branch has a control, and nothing else does")
	case b.Control != nil && b.Control.Kind != Pred:
		v.fail(b, "branches on v%d, which is no predicate", b.Control.ID)
	}
	for _, to := range b.Succs() {
		if to == nil || to.ID >= len(v.f.Blocks) || v.f.Blocks[to.ID] != to {
			v.fail(b, "leads to no block of the function")
		}
	}
}

// values notes where values stand, and checks each by itself.
func (v *verifier) values(b *Block, n int) {
	for i, x := range b.Values {
		if p, twice := v.place[x]; twice {
			v.fail(b, "%s stands in b%d, too", x.text(), p.block)
		}
		v.place[x] = place{n, i}
		switch {
		case x.Block != b:
			v.fail(b, "%s does not know its block", x.text())
		case !x.suits():
			v.fail(b, "kinds of %s", x.text())
		case x.Op == Phi && i > 0 && b.Values[i-1].Op != Phi:
			v.fail(b, "%s comes after other values", x.text())
		case x.Op == Phi && len(x.Args) != len(b.Preds):
			v.fail(b, "%s has %d operands for %d predecessors", x.text(), len(x.Args), len(b.Preds))
		case x.Op == Phi && (x.Kind == Long || x.Kind == Tuple):
			v.fail(b, "%s joins several words", x.text())
		case x.Kind == Tuple && (x.Count < 1 || x.Count > 4):
			v.fail(b, "%s has %d words", x.text(), x.Count)
		case x.Op == Element && x.Imm >= uint64(x.Args[0].Count):
			v.fail(b, "%s is beyond the words of its operand", x.text())
		case x.Op == AddC && !slices.Contains([]Op{Add, Sub, AddC}, x.Args[2].Op):
			v.fail(b, "%s takes the carry of no sum", x.text())
		}
	}
}

// operands checks that values are made before a block uses them.
func (v *verifier) operands(b *Block) {
	for i, x := range b.Values {
		for k, a := range x.Args {
			v.uses[a]++
			if x.Op == Phi {
				v.defined(b.Preds[k], len(b.Preds[k].Values), a, x)
			} else {
				v.defined(b, i, a, x)
			}
		}
	}
	if b.Control != nil {
		v.uses[b.Control]++
		v.defined(b, len(b.Values), b.Control, b.Control)
	}
}

// defined checks that a value is made before place i of a block on every path. Constants and
// undefined bits are so everywhere.
func (v *verifier) defined(b *Block, i int, a, user *Value) {
	if a.Op == Const || a.Op == Undef {
		return
	}
	p, ok := v.place[a]
	switch at := v.f.Blocks[p.block]; {
	case !ok:
		v.fail(b, "%s uses v%d, which nothing makes", user.text(), a.ID)
	case at == b && p.index >= i, at != b && !at.Dominates(b):
		v.fail(b, "%s uses v%d, which is not made on every path before", user.text(), a.ID)
	}
}

// counts checks the numbers of users.
func (v *verifier) counts() {
	for _, b := range v.f.Blocks {
		for _, x := range b.Values {
			if x.Uses != v.uses[x] {
				v.fail(b, "%s has %d users and says %d", x.text(), v.uses[x], x.Uses)
			}
		}
	}
}
