package sfu

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// checkRow compares the row function with the scalar one, in a row of its own and in place.
func checkRow(t *testing.T, f function, a *Row) {
	t.Helper()
	var d Row
	f.row(&d, a)
	inPlace := *a
	f.row(&inPlace, &inPlace)
	require.Equal(t, d, inPlace, f.name)
	for i, x := range a {
		if want := f.scalar(x); d[i] != want {
			require.Equalf(t, want, d[i], "%s %08x gave %08x, want %08x", f.name, x, d[i], want)
		}
	}
}

// TestRowsAgreeWithScalars takes words from the whole range, so that lanes of a row differ in every
// respect, and from around every power of two.
func TestRowsAgreeWithScalars(t *testing.T) {
	const step = 0x9e3779b1 // odd: no word twice
	for _, f := range functions() {
		x := uint32(0)
		for range 2000 {
			var a Row
			for i := range a {
				a[i] = x
				x += step
			}
			checkRow(t, f, &a)
		}
		for exp := range uint32(512) {
			var a Row
			for i := range a {
				a[i] = exp<<23 + uint32(i) - 16
			}
			checkRow(t, f, &a)
		}
	}
}

func FuzzRow(f *testing.F) {
	f.Add(uint32(0), uint32(1))
	f.Add(uint32(one), uint32(1))
	f.Add(uint32(inf), uint32(1<<22))
	f.Add(uint32(sign|one), uint32(1<<23))
	f.Fuzz(func(t *testing.T, x, step uint32) {
		for _, fn := range functions() {
			var a Row
			for i := range a {
				a[i] = x + uint32(i)*step
			}
			checkRow(t, fn, &a)
		}
	})
}
