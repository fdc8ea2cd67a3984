package fpu

import (
	"fmt"
	"math/rand"
	"testing"

	"github.com/stretchr/testify/require"
)

// rowOp is a row function and the scalar function it must agree with.
type rowOp struct {
	name   string
	row    func(d, a, b, c *Row)
	scalar func(a, b, c uint32) uint32
}

// rowOps lists the row functions of f32.
func rowOps() []rowOp {
	ops := []rowOp{
		{"Add", func(d, a, b, c *Row) { AddRow(d, a, b) }, func(a, b, c uint32) uint32 { return Add(a, b, RN) }},
		{"Sub", func(d, a, b, c *Row) { SubRow(d, a, b) }, func(a, b, c uint32) uint32 { return Add(a, b^sign32, RN) }},
		{"AddRZ", func(d, a, b, c *Row) { AddRowRZ(d, a, b) }, func(a, b, c uint32) uint32 { return Add(a, b, RZ) }},
		{"Mul", func(d, a, b, c *Row) { MulRow(d, a, b) }, func(a, b, c uint32) uint32 { return Mul(a, b, RN) }},
		{"MulRZ", func(d, a, b, c *Row) { MulRowRZ(d, a, b) }, func(a, b, c uint32) uint32 { return Mul(a, b, RZ) }},
		{"Mad", MadRow, Mad},
		{"Min", func(d, a, b, c *Row) { MinRow(d, a, b) }, func(a, b, c uint32) uint32 { return Min(a, b) }},
		{"Max", func(d, a, b, c *Row) { MaxRow(d, a, b) }, func(a, b, c uint32) uint32 { return Max(a, b) }},
		{"Select", SelectRow, Select},
		{"Sat", func(d, a, b, c *Row) { SatRow(d, a) }, func(a, b, c uint32) uint32 { return Sat(a) }},
		{"Flags",
			func(d, a, b, c *Row) {
				zero, sign := FlagsRow(a)
				for i := range d {
					d[i] = zero>>i&1 | sign>>i&1<<1
				}
			},
			func(a, b, c uint32) uint32 { return uint32(FlagsOf(a)) },
		},
	}
	for cond := range Relation(16) {
		ops = append(ops, rowOp{
			fmt.Sprintf("Compare %d", cond),
			func(d, a, b, c *Row) {
				lanes := CompareRow(a, b, cond)
				for i := range d {
					d[i] = lanes >> i & 1
				}
			},
			func(a, b, c uint32) uint32 { return bit(Compare(a, b)&cond != 0) },
		})
	}
	for _, c := range conversions() {
		body := c.RowFunc()
		ops = append(ops, rowOp{
			fmt.Sprintf("%v", c),
			func(d, a, b, c *Row) { body(d, a) },
			func(a, _, _ uint32) uint32 {
				r, _ := c.Do(uint64(a))
				return uint32(r)
			},
		})
	}
	return ops
}

// conversions lists the conversions of up to 32 bits whose modifiers can all matter.
func conversions() (all []Conversion) {
	eachConversion(func(c Conversion) {
		if !c.wide() && c.meaningful() {
			all = append(all, c)
		}
	})
	return all
}

// meaningful reports whether all of the modifiers can matter.
func (c Conversion) meaningful() bool {
	from, to := shapes[c.From], shapes[c.To]
	if !from.float && !to.float && c.Round != RN {
		return false
	}
	return (to.float || !c.Sat) && (from.float && to.float || !c.Integral)
}

// corner are words at which some operation changes its behaviour.
var corner = []uint32{
	// Around the smallest normal number.
	0, 1, 7, 0x007fffff, 0x00800000, 0x00800001, 0x00ffffff, 0x01000000,
	// Limits of the short bodies.
	0x0c800000, 0x0c7fffff, 0x0cffffff, 0x20000000, 0x1fffffff, 0x26000000, 0x25ffffff,
	// Around one half.
	0x2f000000, 0x2effffff, 0x33000000, 0x33800000, 0x3effffff, 0x3f000000, 0x3f000001,
	0x3f7fffff, 0x3f800000, 0x3f800001, 0x3fc00000, 0x40200000, 0x40490fdb,
	0x4affffff, 0x4b000000, 0x4b000001, 0x4b7fffff, 0x4b800000, // around 2^23 and 2^24
	0x4effffff, 0x4f000000, 0x4f000001, 0x4f7fffff, 0x4f800000, 0x5effffff, 0x5f000000, 0x5f7fffff, 0x5f800000,
	0x7e800000, 0x7f000000, 0x7f7fffff, 0x7f800000, 0x7f800001, 0x7fbfffff, 0x7fc00000, 0x7fffffff,
}

// anyWord draws a word, often a corner or a number near another word.
func anyWord(rng *rand.Rand, near uint32) uint32 {
	switch rng.Intn(6) {
	case 0:
		return corner[rng.Intn(len(corner))] ^ rng.Uint32()&sign32
	case 1:
		return near ^ 1<<rng.Intn(32)
	case 2: // an exponent close by, or one that cancels it in a product
		e := near>>23&0xff + uint32(rng.Intn(60)) - 30
		if rng.Intn(2) == 0 {
			e = 254 - near>>23&0xff + uint32(rng.Intn(8)) - 130
		}
		return rng.Uint32()&^(0xff<<23) | e&0xff<<23
	case 3: // few bits: ties
		return rng.Uint32() &^ (1<<rng.Intn(24) - 1)
	case 4:
		return uint32(rng.Intn(3)) << 31
	}
	return rng.Uint32()
}

// plainWord draws an f32 that the short bodies take.
func plainWord(rng *rand.Rand, _ uint32) uint32 {
	e := uint32(127 - 40 + rng.Intn(80))
	if rng.Intn(8) == 0 {
		return uint32(rng.Intn(2)) << 31
	}
	return rng.Uint32()&^(0xff<<23) | e<<23
}

func TestRowsAgreeWithScalars(t *testing.T) {
	for _, draw := range []func(*rand.Rand, uint32) uint32{anyWord, plainWord} {
		rng := rand.New(rand.NewSource(7))
		ops := rowOps()
		for range 40 {
			var a, b, c Row
			for i := range a {
				a[i] = draw(rng, 0)
				b[i] = draw(rng, a[i])
				c[i] = draw(rng, Mul(a[i], b[i], RN))
			}
			for _, op := range ops {
				checkRow(t, op, &a, &b, &c)
			}
		}
	}
}

// checkRow compares the row function with the scalar one, into a row of its own and into
// each of its sources.
func checkRow(t *testing.T, op rowOp, a, b, c *Row) {
	t.Helper()
	var want, d Row
	for i := range want {
		want[i] = op.scalar(a[i], b[i], c[i])
	}
	op.row(&d, a, b, c)
	same(t, op.name, &want, &d, a, b, c)
	x, y, z := *a, *b, *c
	op.row(&x, &x, &y, &z)
	same(t, op.name+" into a", &want, &x, a, b, c)
	x = *a
	op.row(&y, &x, &y, &z)
	same(t, op.name+" into b", &want, &y, a, b, c)
	y = *b
	op.row(&z, &x, &y, &z)
	same(t, op.name+" into c", &want, &z, a, b, c)
}

func same(t *testing.T, name string, want, got, a, b, c *Row) {
	t.Helper()
	if *want == *got {
		return
	}
	for i := range want {
		require.Equalf(t, want[i], got[i], "%s, lane %d: %08x %08x %08x gave %08x, want %08x",
			name, i, a[i], b[i], c[i], got[i], want[i])
	}
}
