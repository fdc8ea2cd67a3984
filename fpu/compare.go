package fpu

// Relation is a set of outcomes of a comparison. A comparison has exactly one; a
// condition is a mask of those for which it holds.
type Relation uint8

// The outcomes, as the condition field of the compare-and-set instructions has them.
const (
	Less Relation = 1 << iota
	Equal
	Greater
	Unordered
)

// Compare returns the relation of a to b in f32. Zeros and denormals of either sign are
// all equal.
func Compare(a, b uint32) Relation {
	a, b = flush(a), flush(b)
	switch {
	case isNaN(a) || isNaN(b):
		return Unordered
	case a == b || (a|b)&^sign32 == 0:
		return Equal
	case order(a) < order(b):
		return Less
	}
	return Greater
}
