package fpu

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestMad covers the peculiarities of the multiply-add.
func TestMad(t *testing.T) {
	const (
		two    = 0x40000000
		p64    = 0x5f800000 // 2^64
		m64    = 0x1f800000 // 2^-64
		m75    = 0x1a000000 // 2^-75
		nearly = 0x3f7fffff // 1 - 2^-24
	)
	for _, c := range []struct {
		name          string
		a, b, c, want uint32
	}{
		{"the product is cut, not rounded", 0x3f800001, 0x3fe00000, 0x00800000, 0x3fe00001},
		{"a zero addend rounds it", 0x3f800001, 0x3fe00000, 0, 0x3fe00002},
		{"a denormal addend, too", 0x3f800001, 0x3fe00000, 0x807fffff, 0x3fe00002},
		{"no overflow before the sum", p64, p64, 0xff000000, 0x7f000000},
		{"no underflow before the sum", m64, m64, min32, 0x00a00000},
		{"the denormal grid first, then the flush", m75, sign32 | m75, min32, min32},
		{"a number times a number is no infinity", max32, max32, sign32 | inf32, sign32 | inf32},
		{"an infinite product against an infinity", inf32, one32, sign32 | inf32, NaN},
		{"zero times infinity", 0, inf32, one32, NaN},
		{"a NaN that came in", one32, one32, 0xffc00001, NaN},
		{"exact cancellation", two, nearly, sign32 | 0x3fffffff, 0},
		{"zeros of both signs", sign32, one32, 0, 0},
		{"negative zeros", sign32, one32, sign32, sign32},
	} {
		t.Run(c.name, func(t *testing.T) {
			require.Equalf(t, c.want, Mad(c.a, c.b, c.c), "scalar")
			a, b, z, d := Row{1: c.a}, Row{1: c.b}, Row{1: c.c}, Row{}
			MadRow(&d, &a, &b, &z)
			require.Equalf(t, c.want, d[1], "row")
		})
	}
}

// TestFlushAfterRounding is the product for which multiplication and multiply-add disagree.
func TestFlushAfterRounding(t *testing.T) {
	const a, b = 0x3f7fffff, min32 // (1 - 2^-24) * 2^-126
	require.Zero(t, Mul(a, b, RN))
	require.Zero(t, Mad(a, b, 0))
	d := Row{2: a}
	MulRow(&d, &d, &Row{2: b})
	require.Zero(t, d[2])
}

func TestSatNaNZero(t *testing.T) {
	require.Zero(t, SatNaNZero(NaN, true))
	require.EqualValues(t, NaN, SatNaNZero(NaN, false))
	require.EqualValues(t, one32, SatNaNZero(0x40000000, true))
	require.EqualValues(t, NaN, Sat(0xffc00000))
}

func TestTame(t *testing.T) {
	const least, limit = 0x20000000, 0x60000000
	for _, c := range []struct {
		name string
		x    uint32
		want bool
	}{
		{"zero", 0, true}, {"negative zero", sign32, true},
		{"too small", least - 1, false}, {"denormal", 1, false}, {"negative and too small", sign32 | least - 1, false},
		{"least", least, true}, {"negative least", sign32 | least, true}, {"largest", limit - 1, true},
		{"limit", limit, false}, {"negative limit", sign32 | limit, false}, {"NaN", NaN, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			for lane := range 32 {
				var r Row
				r[lane] = c.x
				require.Equal(t, c.want, tame(&r, least, limit), "lane %d", lane)
			}
		})
	}
	require.True(t, tame(&Row{4: NaN}, min32, 1<<31), "no limit")
}

// AllocsPerRun rounds the average down, so with several runs one background allocation of the
// runtime does not count.
func TestRowsDoNotAllocate(t *testing.T) {
	x, d := Row{3: 1}, Row{}
	for _, op := range rowOps() {
		require.Zero(t, testing.AllocsPerRun(20, func() { op.row(&d, &x, &x, &x) }), op.name)
	}
}
