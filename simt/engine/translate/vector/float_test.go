package vector

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"jacquard/fpu"
	"jacquard/simt/lane"
	"jacquard/tesla"
)

func floats() []body {
	list := []body{
		dyadic("FAdd", func(b *Builder, x, y Vec) Vec { return b.FAdd(x, y, fpu.RN) }, lane.FAddRN),
		dyadic("FAddRZ", func(b *Builder, x, y Vec) Vec { return b.FAdd(x, y, fpu.RZ) }, lane.FAddRZ),
		dyadic("FSub", func(b *Builder, x, y Vec) Vec { return b.FSub(x, y, fpu.RN) }, lane.FSubRN),
		dyadic("FMul", func(b *Builder, x, y Vec) Vec { return b.FMul(x, y, fpu.RN) }, lane.FMulRN),
		dyadic("FMulRZ", func(b *Builder, x, y Vec) Vec { return b.FMul(x, y, fpu.RZ) }, lane.FMulRZ),
		dyadic("FMin", (*Builder).FMin, lane.FMin),
		dyadic("FMax", (*Builder).FMax, lane.FMax),
		monadic("FSat", (*Builder).FSat, lane.FSat),
		triadic("FSlct", (*Builder).FSlct, lane.FSlct),
		triadic("FMad", (*Builder).FMad, lane.FMad),
		triadic("FMsub", (*Builder).FMsub, lane.FMsub),
		triadic("FNmad", (*Builder).FNmad, lane.FNmad),
	}
	for _, c := range []uint32{0, one32, 1, nan32, sign32 | least32} {
		list = append(list,
			monadic(fmt.Sprintf("FMul/%#x", c), func(b *Builder, x Vec) Vec { return b.FMul(x, b.Literal(c), fpu.RN) },
				func(d, a lane.Rows, s *lane.Sel) { lane.FMulRN(d, a, constantRows(c), s) }),
			monadic(fmt.Sprintf("FAddRZ/%#x", c), func(b *Builder, x Vec) Vec { return b.FAdd(x, b.Literal(c), fpu.RZ) },
				func(d, a lane.Rows, s *lane.Sel) { lane.FAddRZ(d, a, constantRows(c), s) }))
	}
	for i := range list {
		list[i].words = floatWord
		if list[i].n == 3 {
			near := list[i]
			near.name += "/limits"
			near.rows = nearLimits
			list = append(list, near)
		}
	}
	return list
}

// nearLimits fills three rows with factors whose product is near a limit, and addends that may
// cancel it. Most rows have one such lane among tame ones, since one lane in need has the whole
// vector computed again.
func nearLimits(rnd *rand.Rand, in []lane.Row) {
	only := rnd.IntN(5 * lane.Width / 4)
	for j := range lane.Width {
		x, y, z := tame(rnd), tame(rnd), tame(rnd)
		if j == only || only >= lane.Width {
			x, y, z = nearLimit(rnd)
		}
		in[0][j], in[1][j], in[2][j] = x, y, z
	}
}

// tame returns a number of ordinary size.
func tame(rnd *rand.Rand) uint32 {
	x := rnd.Uint32()
	return x&^(0xff<<23) | (120+x>>4%16)<<23
}

// nearLimit returns factors whose product is within some places of a limit, such as of flushing or
// of infinity, or is a small number with a rounding error that is much smaller.
func nearLimit(rnd *rand.Rand) (x, y, z uint32) {
	x = rnd.Uint32()&(1<<23-1) | uint32(60+rnd.IntN(8))<<23
	if rnd.IntN(2) == 0 {
		small := func() uint32 { return uint32(rnd.IntN(3)-1) & (1<<23 - 1) }
		x = 64<<23 | small()
		y = uint32(98+rnd.IntN(25))<<23 | small() // the product is around 2^-80
	} else {
		limit := []float64{0x1p-126, 0x1p128, 0x1p-78, 0x1p-149, 0x1p-102, 0x1p-119, 0x1p97}[rnd.IntN(7)]
		if limit > 1 {
			x += 127 << 23
		}
		y = math.Float32bits(float32(limit/float64(math.Float32frombits(x)))) + uint32(rnd.IntN(7)) - 3
	}
	p := fpu.Mul(x, y, fpu.RZ)
	const large = 0x10000000 // the least addend of the main line of AVX-512: 2^-95
	z = []uint32{
		0, 1, 1 << 23, inf32, p, p + 1, rnd.Uint32(), rnd.Uint32() & 0x01ffffff,
		large - 1, large, large + 1, large - rnd.Uint32()>>4, large + rnd.Uint32()>>4,
	}[rnd.IntN(13)]
	signs := rnd.Uint32()
	return x ^ signs&sign32, y ^ signs<<1&sign32, z ^ signs<<2&sign32
}

func modes() (list []body) {
	for _, r := range []fpu.Round{fpu.RN, fpu.RZ} {
		list = append(list, dyadic(fmt.Sprint("FMulZeroWins/", r),
			func(b *Builder, x, y Vec) Vec { return b.FMulZeroWins(x, y, r) },
			lane.FMulZeroWins(tesla.Round(r))))
	}
	list = append(list, body{name: "FSatNaNZero", n: 1,
		emit: func(b *Builder, x []Vec, part int) []Vec {
			m := carryMask(b, part)
			d := b.FSatNaNZero(x[0], m)
			b.FreeMask(m)
			return []Vec{d}
		},
		want: func(r *reference) {
			r.masks[0] = r.flags[0].C
			lane.FSatNaNZero(r.d(), r.x(0), &r.masks, whole)
		}})
	for i := range list {
		list[i].words = floatWord
	}
	return list
}

func TestFloats(t *testing.T) { run(t, floats()) }

func TestModes(t *testing.T) { run(t, modes()) }
