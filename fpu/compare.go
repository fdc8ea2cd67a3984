package fpu

// Relation is a set of outcomes of a comparison. Each comparison has exactly one outcome; a
// condition is the mask of the outcomes for which it holds.
type Relation uint8

// The outcomes, in the bits of the condition field of the compare-and-set instructions.
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

// Compare64 returns the relation of a to b in f64. Zeros are equal.
func Compare64(a, b uint64) Relation {
	switch {
	case isNaN64(a) || isNaN64(b):
		return Unordered
	case a == b || (a|b)&^sign64 == 0:
		return Equal
	case order64(a) < order64(b):
		return Less
	}
	return Greater
}

// CompareRow returns the lanes, bit i for lane i, in which the relation of a to b is in cond.
func CompareRow(a, b *Row, cond Relation) uint32 {
	if bothTiny(a, b) {
		x, y := flushRow(a), flushRow(b)
		return compareRow(&x, &y, cond)
	}
	return compareRow(a, b, cond)
}

// bothTiny reports whether in some lane both numbers are zeros or denormals, and not both zeros.
// Only there flushing changes the outcome of a comparison.
func bothTiny(a, b *Row) bool {
	reach := pair(1<<31 - min32)
	tiny := uint64(0)
	for i := 0; i < 32; i += 16 {
		a, b := (*[16]uint32)(a[i:]), (*[16]uint32)(b[i:])
		tiny |= outside(join(a[0], a[1])|join(b[0], b[1]), reach, 0) |
			outside(join(a[2], a[3])|join(b[2], b[3]), reach, 0) |
			outside(join(a[4], a[5])|join(b[4], b[5]), reach, 0) |
			outside(join(a[6], a[7])|join(b[6], b[7]), reach, 0) |
			outside(join(a[8], a[9])|join(b[8], b[9]), reach, 0) |
			outside(join(a[10], a[11])|join(b[10], b[11]), reach, 0) |
			outside(join(a[12], a[13])|join(b[12], b[13]), reach, 0) |
			outside(join(a[14], a[15])|join(b[14], b[15]), reach, 0)
	}
	return tiny&pair(1<<31) != 0
}

// compareRow makes every condition from three comparisons of the host, which are false for a NaN,
// and from their complements, which are true.
func compareRow(a, b *Row, cond Relation) uint32 {
	x, y := floats(a), floats(b)
	if cond&Unordered != 0 {
		return ^compareRow(a, b, ^cond&(Less|Equal|Greater|Unordered))
	}
	switch cond {
	case Less:
		return lessRow(x, y)
	case Equal:
		return equalRow(x, y)
	case Less | Equal:
		return atMostRow(x, y)
	case Greater:
		return lessRow(y, x)
	case Less | Greater:
		return lessRow(x, y) | lessRow(y, x)
	case Equal | Greater:
		return atMostRow(y, x)
	case Less | Equal | Greater:
		return atMostRow(x, y) | atMostRow(y, x)
	}
	return 0
}

func lessRow(x, y *[32]float32) (lanes uint32) {
	for i := 0; i < 32; i += 8 {
		x, y := (*[8]float32)(x[i:]), (*[8]float32)(y[i:])
		lanes >>= 8
		lanes |= bit(x[0] < y[0]) << 24
		lanes |= bit(x[1] < y[1]) << 25
		lanes |= bit(x[2] < y[2]) << 26
		lanes |= bit(x[3] < y[3]) << 27
		lanes |= bit(x[4] < y[4]) << 28
		lanes |= bit(x[5] < y[5]) << 29
		lanes |= bit(x[6] < y[6]) << 30
		lanes |= bit(x[7] < y[7]) << 31
	}
	return lanes
}

func equalRow(x, y *[32]float32) (lanes uint32) {
	for i := 0; i < 32; i += 8 {
		x, y := (*[8]float32)(x[i:]), (*[8]float32)(y[i:])
		lanes >>= 8
		lanes |= bit(x[0] == y[0]) << 24
		lanes |= bit(x[1] == y[1]) << 25
		lanes |= bit(x[2] == y[2]) << 26
		lanes |= bit(x[3] == y[3]) << 27
		lanes |= bit(x[4] == y[4]) << 28
		lanes |= bit(x[5] == y[5]) << 29
		lanes |= bit(x[6] == y[6]) << 30
		lanes |= bit(x[7] == y[7]) << 31
	}
	return lanes
}

func atMostRow(x, y *[32]float32) (lanes uint32) {
	for i := 0; i < 32; i += 8 {
		x, y := (*[8]float32)(x[i:]), (*[8]float32)(y[i:])
		lanes >>= 8
		lanes |= bit(x[0] <= y[0]) << 24
		lanes |= bit(x[1] <= y[1]) << 25
		lanes |= bit(x[2] <= y[2]) << 26
		lanes |= bit(x[3] <= y[3]) << 27
		lanes |= bit(x[4] <= y[4]) << 28
		lanes |= bit(x[5] <= y[5]) << 29
		lanes |= bit(x[6] <= y[6]) << 30
		lanes |= bit(x[7] <= y[7]) << 31
	}
	return lanes
}

func bit(b bool) uint32 {
	if b {
		return 1
	}
	return 0
}
