package vector

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"jacquard/fpu"
	"jacquard/simt/engine/translate/x86"
	"jacquard/simt/lane"
)

func monadic(name string, emit func(b *Builder, x Vec) Vec, want func(k *lane.Kernels) lane.Unary) body {
	return body{name: name, n: 1,
		emit: func(b *Builder, x []Vec, _ int) []Vec { return []Vec{emit(b, x[0])} },
		want: func(r *reference) { want(r.Kernels)(r.d(), r.x(0), whole) }}
}

func dyadic(name string, emit func(b *Builder, x, y Vec) Vec, want func(k *lane.Kernels) lane.Binary) body {
	return body{name: name, n: 2,
		emit: func(b *Builder, x []Vec, _ int) []Vec { return []Vec{emit(b, x[0], x[1])} },
		want: func(r *reference) { want(r.Kernels)(r.d(), r.x(0), r.x(1), whole) }}
}

func triadic(name string, emit func(b *Builder, x, y, z Vec) Vec, want func(k *lane.Kernels) lane.Ternary) body {
	return body{name: name, n: 3,
		emit: func(b *Builder, x []Vec, _ int) []Vec { return []Vec{emit(b, x[0], x[1], x[2])} },
		want: func(r *reference) { want(r.Kernels)(r.d(), r.x(0), r.x(1), r.x(2), whole) }}
}

// masking tests a mask: collected, selecting and expanded.
func masking(name string, n int, emit func(b *Builder, x []Vec) Mask, want func(r *reference)) body {
	return body{name: name, n: n, flags: true,
		emit: func(b *Builder, x []Vec, part int) []Vec {
			m := emit(b, x)
			v, w := b.Expand(m), b.Select(m, x[0], x[1])
			b.Collect(m, part, RegZ)
			b.a.Mov(32, x86.R(RegS), x86.R(RegZ))
			return []Vec{v, w}
		},
		want: func(r *reference) {
			want(r)
			r.Expand(r.d(), &r.masks, whole)
			for j, x := range r.in[0] {
				if r.masks[0]>>j&1 != 0 {
					x = r.in[1][j]
				}
				r.out[1][j] = x
			}
			r.flags[0] = lane.Flags{Z: r.masks[0], S: r.masks[0]}
		}}
}

func wordwise() []body {
	list := []body{
		monadic("Not", (*Builder).Not, func(k *lane.Kernels) lane.Unary { return k.Not }),
		monadic("ExtractLowU", (*Builder).ExtractLowU, func(k *lane.Kernels) lane.Unary { return k.ExtractLowU }),
		monadic("ExtractLowS", (*Builder).ExtractLowS, func(k *lane.Kernels) lane.Unary { return k.ExtractLowS }),
		monadic("ExtractHighU", (*Builder).ExtractHighU, func(k *lane.Kernels) lane.Unary { return k.ExtractHighU }),
		monadic("ExtractHighS", (*Builder).ExtractHighS, func(k *lane.Kernels) lane.Unary { return k.ExtractHighS }),
		monadic("ExtractByteU", (*Builder).ExtractByteU, func(k *lane.Kernels) lane.Unary { return k.ExtractByteU }),
		monadic("ExtractByteS", (*Builder).ExtractByteS, func(k *lane.Kernels) lane.Unary { return k.ExtractByteS }),
		dyadic("AndNot", func(b *Builder, x, y Vec) Vec { return b.AndNot(x, y) }, func(k *lane.Kernels) lane.Binary { return k.AndNot }),
		dyadic("OrNot", (*Builder).OrNot, func(k *lane.Kernels) lane.Binary { return k.OrNot }),
		dyadic("Mul24LoU", (*Builder).Mul24LoU, func(k *lane.Kernels) lane.Binary { return k.Mul24LoU }),
		dyadic("Mul24LoS", (*Builder).Mul24LoS, func(k *lane.Kernels) lane.Binary { return k.Mul24LoS }),
		dyadic("Mul24HiU", (*Builder).Mul24HiU, func(k *lane.Kernels) lane.Binary { return k.Mul24HiU }),
		dyadic("Mul24HiS", (*Builder).Mul24HiS, func(k *lane.Kernels) lane.Binary { return k.Mul24HiS }),
		triadic("IMulAdd", func(b *Builder, x, y, z Vec) Vec { return b.IMulAdd(x, y, z) }, func(k *lane.Kernels) lane.Ternary { return k.MulAdd }),
	}
	for _, k := range []struct {
		name string
		emit func(b *Builder, x Vec, y Source) Vec
		want func(k *lane.Kernels) lane.Binary
	}{
		{"And", (*Builder).And, func(k *lane.Kernels) lane.Binary { return k.And }},
		{"Or", (*Builder).Or, func(k *lane.Kernels) lane.Binary { return k.Or }},
		{"Xor", (*Builder).Xor, func(k *lane.Kernels) lane.Binary { return k.Xor }},
		{"Add", (*Builder).Add, func(k *lane.Kernels) lane.Binary { return k.Add }},
		{"Sub", (*Builder).Sub, func(k *lane.Kernels) lane.Binary { return k.Sub }},
		{"AbsDiffU", (*Builder).AbsDiffU, func(k *lane.Kernels) lane.Binary { return k.AbsDiffU }},
		{"AbsDiffS", (*Builder).AbsDiffS, func(k *lane.Kernels) lane.Binary { return k.AbsDiffS }},
		{"MinU", (*Builder).MinU, func(k *lane.Kernels) lane.Binary { return k.MinU }},
		{"MinS", (*Builder).MinS, func(k *lane.Kernels) lane.Binary { return k.MinS }},
		{"MaxU", (*Builder).MaxU, func(k *lane.Kernels) lane.Binary { return k.MaxU }},
		{"MaxS", (*Builder).MaxS, func(k *lane.Kernels) lane.Binary { return k.MaxS }},
		{"Shl", (*Builder).Shl, func(k *lane.Kernels) lane.Binary { return k.Shl }},
		{"ShrU", (*Builder).ShrU, func(k *lane.Kernels) lane.Binary { return k.ShrU }},
		{"ShrS", (*Builder).ShrS, func(k *lane.Kernels) lane.Binary { return k.ShrS }},
		{"IMul", (*Builder).IMul, func(k *lane.Kernels) lane.Binary { return k.Mul }},
	} {
		list = append(list, dyadic(k.name, func(b *Builder, x, y Vec) Vec { return k.emit(b, x, y) }, k.want))
		for _, c := range []uint32{0, 1, ones, 33, 0x80000000} { // constants as sources
			list = append(list, monadic(fmt.Sprintf("%s/%#x", k.name, c),
				func(b *Builder, x Vec) Vec { return k.emit(b, x, b.Literal(c)) },
				func(set *lane.Kernels) lane.Unary {
					return func(d, a lane.Rows, s *lane.Sel) { k.want(set)(d, a, constantRows(c), s) }
				}))
		}
	}
	for _, n := range []uint32{0, 1, 31, 32, 40} {
		list = append(list,
			shiftBy("ShlBy", n, (*Builder).ShlBy, func(k *lane.Kernels) lane.Binary { return k.Shl }),
			shiftBy("ShrUBy", n, (*Builder).ShrUBy, func(k *lane.Kernels) lane.Binary { return k.ShrU }),
			shiftBy("ShrSBy", n, (*Builder).ShrSBy, func(k *lane.Kernels) lane.Binary { return k.ShrS }))
	}
	for i := range 4 {
		h := Halves{i&1 != 0, i&2 != 0}
		list = append(list,
			dyadic(fmt.Sprint("MulHalves", h), func(b *Builder, x, y Vec) Vec { return b.MulHalves(h, x, y) },
				func(k *lane.Kernels) lane.Binary { return k.MulHalves(h.XHigh, h.YHigh) }),
			triadic(fmt.Sprint("MulAddHalves", h), func(b *Builder, x, y, z Vec) Vec { return b.MulAddHalves(h, x, y, z) },
				func(k *lane.Kernels) lane.Ternary { return k.MulAddHalves(h.XHigh, h.YHigh) }))
	}
	for _, k := range []struct {
		name string
		emit func(b *Builder, old, x Vec) Vec
		want func(k *lane.Kernels) lane.Unary
	}{
		{"InsertLow", (*Builder).InsertLow, func(k *lane.Kernels) lane.Unary { return k.InsertLow }},
		{"InsertHigh", (*Builder).InsertHigh, func(k *lane.Kernels) lane.Unary { return k.InsertHigh }},
	} {
		list = append(list, body{name: k.name, n: 2,
			emit: func(b *Builder, x []Vec, _ int) []Vec { return []Vec{k.emit(b, x[0], x[1])} },
			want: func(r *reference) {
				r.out[0] = r.in[0]
				k.want(r.Kernels)(r.d(), r.x(1), whole)
			}})
	}
	return list
}

func constantRows(c uint32) lane.Rows {
	row := new(lane.Row)
	for i := range row {
		row[i] = c
	}
	return lane.RowsOf(row, 0)
}

func shiftBy(name string, n uint32, emit func(b *Builder, x Vec, n uint32) Vec, want func(k *lane.Kernels) lane.Binary) body {
	return monadic(fmt.Sprintf("%s/%d", name, n), func(b *Builder, x Vec) Vec { return emit(b, x, n) },
		func(k *lane.Kernels) lane.Unary {
			return func(d, a lane.Rows, s *lane.Sel) { want(k)(d, a, constantRows(n), s) }
		})
}

func comparisons() (list []body) {
	for cmp := range uint8(8) {
		list = append(list,
			masking(fmt.Sprintf("CompareU/%d", cmp), 2, func(b *Builder, x []Vec) Mask { return b.CompareU(x[0], x[1], cmp) },
				func(r *reference) { r.CompareU(&r.masks, r.x(0), r.x(1), cmp, whole) }),
			masking(fmt.Sprintf("CompareS/%d", cmp), 2, func(b *Builder, x []Vec) Mask { return b.CompareS(x[0], x[1], cmp) },
				func(r *reference) { r.CompareS(&r.masks, r.x(0), r.x(1), cmp, whole) }))
	}
	for cmp := range uint8(16) {
		f := masking(fmt.Sprintf("FCompare/%d", cmp), 2, func(b *Builder, x []Vec) Mask { return b.FCompare(x[0], x[1], cmp) },
			func(r *reference) { r.FCompare(&r.masks, r.x(0), r.x(1), cmp, whole) })
		f.words = floatWord
		list = append(list, f)
	}
	return list
}

func floats() []body {
	list := []body{
		dyadic("FAdd", func(b *Builder, x, y Vec) Vec { return b.FAdd(x, y, fpu.RN) }, func(k *lane.Kernels) lane.Binary { return k.FAddRN }),
		dyadic("FAddRZ", func(b *Builder, x, y Vec) Vec { return b.FAdd(x, y, fpu.RZ) }, func(k *lane.Kernels) lane.Binary { return k.FAddRZ }),
		dyadic("FSub", func(b *Builder, x, y Vec) Vec { return b.FSub(x, y, fpu.RN) }, func(k *lane.Kernels) lane.Binary { return k.FSubRN }),
		dyadic("FMul", func(b *Builder, x, y Vec) Vec { return b.FMul(x, y, fpu.RN) }, func(k *lane.Kernels) lane.Binary { return k.FMulRN }),
		dyadic("FMulRZ", func(b *Builder, x, y Vec) Vec { return b.FMul(x, y, fpu.RZ) }, func(k *lane.Kernels) lane.Binary { return k.FMulRZ }),
		dyadic("FMin", (*Builder).FMin, func(k *lane.Kernels) lane.Binary { return k.FMin }),
		dyadic("FMax", (*Builder).FMax, func(k *lane.Kernels) lane.Binary { return k.FMax }),
		monadic("FSat", (*Builder).FSat, func(k *lane.Kernels) lane.Unary { return k.FSat }),
		triadic("FSlct", (*Builder).FSlct, func(k *lane.Kernels) lane.Ternary { return k.FSlct }),
		triadic("FMad", (*Builder).FMad, func(k *lane.Kernels) lane.Ternary { return k.FMad }),
		triadic("FMsub", (*Builder).FMsub, func(k *lane.Kernels) lane.Ternary { return k.FMsub }),
		triadic("FNmad", (*Builder).FNmad, func(k *lane.Kernels) lane.Ternary { return k.FNmad }),
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

// nearLimits fills three rows with factors whose product is within some places of a limit, of
// flushing or of infinity, and addends that may cancel it.
func nearLimits(rnd *rand.Rand, in []lane.Row) {
	for j := range lane.Width {
		limit := []float64{0x1p-126, 0x1p128, 0x1p-78, 0x1p-149, 0x1p-102}[rnd.IntN(5)]
		x := rnd.Uint32()&(1<<23-1) | uint32(60+rnd.IntN(8))<<23
		if limit > 1 {
			x += 127 << 23
		}
		y := math.Float32bits(float32(limit/float64(math.Float32frombits(x)))) + uint32(rnd.IntN(7)) - 3
		p := fpu.Mul(x, y, fpu.RZ)
		z := []uint32{0, 1, 1 << 23, inf32, p, p + 1, rnd.Uint32(), rnd.Uint32() & 0x01ffffff}[rnd.IntN(8)]
		signs := rnd.Uint32()
		in[0][j], in[1][j], in[2][j] = x^signs&sign32, y^signs<<1&sign32, z^signs<<2&sign32
	}
}

func run(t *testing.T, list []body) {
	for _, l := range levels(t) {
		for i := range list {
			t.Run(l.String()+"/"+list[i].name, func(t *testing.T) { try(t, &list[i], l) })
		}
	}
}

func TestWords(t *testing.T)       { run(t, wordwise()) }
func TestComparisons(t *testing.T) { run(t, comparisons()) }
func TestFloats(t *testing.T)      { run(t, floats()) }

func specials() (list []body) {
	for _, k := range []struct {
		name string
		emit func(b *Builder, x [2]Vec) [2]Vec
		want func(k *lane.Kernels) lane.Unary
	}{
		{"Rcp", (*Builder).Rcp, func(k *lane.Kernels) lane.Unary { return k.Rcp }},
		{"Rsqrt", (*Builder).Rsqrt, func(k *lane.Kernels) lane.Unary { return k.Rsqrt }},
		{"Lg2", (*Builder).Lg2, func(k *lane.Kernels) lane.Unary { return k.Lg2 }},
		{"Sin", (*Builder).Sin, func(k *lane.Kernels) lane.Unary { return k.Sin }},
		{"Cos", (*Builder).Cos, func(k *lane.Kernels) lane.Unary { return k.Cos }},
		{"Ex2", (*Builder).Ex2, func(k *lane.Kernels) lane.Unary { return k.Ex2 }},
	} {
		list = append(list, body{name: k.name, n: 1, group: 2,
			emit: func(b *Builder, x []Vec, _ int) []Vec {
				d := k.emit(b, [2]Vec(x))
				return d[:]
			},
			want: func(r *reference) { k.want(r.Kernels)(r.d(), r.x(0), whole) }})
	}
	list = append(list,
		monadic("PreSin", (*Builder).PreSin, func(k *lane.Kernels) lane.Unary { return k.PreSin }),
		monadic("PreEx2", (*Builder).PreEx2, func(k *lane.Kernels) lane.Unary { return k.PreEx2 }))
	for i := range list {
		random := list[i]
		random.name += "/random"
		list[i].words = floatWord
		list = append(list, random)
	}
	return list
}

func TestSpecials(t *testing.T) { run(t, specials()) }
