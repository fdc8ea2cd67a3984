package vector

import (
	"fmt"
	"testing"

	"jacquard/simt/lane"
)

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

func TestWords(t *testing.T) { run(t, wordwise()) }

func TestComparisons(t *testing.T) { run(t, comparisons()) }
