package difference

import (
	"fmt"
	"math"
)

// Number is a difference of two floating-point numbers.
type Number struct {
	Got, Want float64
	Bits      int    // of the format: 32 or 64
	ULP       uint64 // numbers of the format between them, plus one
}

// Number returns d as a difference of floating-point numbers, or nil if the bits do not look like
// any: memory has no types, and small integers and addresses are far from the magnitudes of usual
// results. Single precision is tried first.
func (d *Difference) Number() *Number {
	got, want := math.Float32frombits(d.Got), math.Float32frombits(d.Want)
	if usual(float64(got)) && usual(float64(want)) && (d.Got|d.Want)&^(1<<31) != 0 {
		return &Number{float64(got), float64(want), 32, distance(uint64(d.Got)<<32, uint64(d.Want)<<32) >> 32}
	}
	wide, wideWant := math.Float64frombits(d.GotPair), math.Float64frombits(d.WantPair)
	if usual(wide) && usual(wideWant) && (d.GotPair|d.WantPair)&^(1<<63) != 0 {
		return &Number{wide, wideWant, 64, distance(d.GotPair, d.WantPair)}
	}
	return nil
}

// String gives both numbers and their distance.
func (n *Number) String() string {
	if n.Bits == 32 {
		return fmt.Sprintf("%v, want %v: %d ulp", float32(n.Got), float32(n.Want), n.ULP)
	}
	return fmt.Sprintf("%v, want %v: %d ulp", n.Got, n.Want, n.ULP)
}

// usual reports whether f is zero or of a magnitude that programs compute with.
func usual(f float64) bool {
	m := math.Abs(f)
	return m == 0 || m >= 0x1p-40 && m <= 0x1p60
}

// distance returns how many doubles lie from one to the other, given their bits. For singles it
// takes their upper halves.
func distance(x, y uint64) uint64 {
	a, b := order(x), order(y)
	return uint64(max(a, b)) - uint64(min(a, b))
}

// order maps the bits of a number to an integer in the same order; both zeros map to 0.
func order(bits uint64) int64 {
	if int64(bits) < 0 {
		return -int64(bits &^ (1 << 63))
	}
	return int64(bits)
}
