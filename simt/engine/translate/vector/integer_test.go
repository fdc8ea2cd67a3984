package vector

import (
	"fmt"
	"testing"

	"jacquard/simt/lane"
)

func wordwise() []body {
	list := []body{
		monadic("Not", (*Builder).Not, lane.Not),
		monadic("ExtractLowU", (*Builder).ExtractLowU, lane.ExtractLowU),
		monadic("ExtractLowS", (*Builder).ExtractLowS, lane.ExtractLowS),
		monadic("ExtractHighU", (*Builder).ExtractHighU, lane.ExtractHighU),
		monadic("ExtractHighS", (*Builder).ExtractHighS, lane.ExtractHighS),
		monadic("ExtractByteU", (*Builder).ExtractByteU, lane.ExtractByteU),
		monadic("ExtractByteS", (*Builder).ExtractByteS, lane.ExtractByteS),
		dyadic("AndNot", func(b *Builder, x, y Vec) Vec { return b.AndNot(x, y) }, lane.AndNot),
		dyadic("OrNot", (*Builder).OrNot, lane.OrNot),
		dyadic("Mul24LoU", (*Builder).Mul24LoU, lane.Mul24LoU),
		dyadic("Mul24LoS", (*Builder).Mul24LoS, lane.Mul24LoS),
		dyadic("Mul24HiU", (*Builder).Mul24HiU, lane.Mul24HiU),
		dyadic("Mul24HiS", (*Builder).Mul24HiS, lane.Mul24HiS),
		triadic("IMulAdd", func(b *Builder, x, y, z Vec) Vec { return b.IMulAdd(x, y, z) }, lane.MulAdd),
	}
	for _, k := range []struct {
		name string
		emit func(b *Builder, x Vec, y Source) Vec
		want lane.Binary
	}{
		{"And", (*Builder).And, lane.And},
		{"Or", (*Builder).Or, lane.Or},
		{"Xor", (*Builder).Xor, lane.Xor},
		{"Add", (*Builder).Add, lane.Add},
		{"Sub", (*Builder).Sub, lane.Sub},
		{"AbsDiffU", (*Builder).AbsDiffU, lane.AbsDiffU},
		{"AbsDiffS", (*Builder).AbsDiffS, lane.AbsDiffS},
		{"MinU", (*Builder).MinU, lane.MinU},
		{"MinS", (*Builder).MinS, lane.MinS},
		{"MaxU", (*Builder).MaxU, lane.MaxU},
		{"MaxS", (*Builder).MaxS, lane.MaxS},
		{"Shl", (*Builder).Shl, lane.Shl},
		{"ShrU", (*Builder).ShrU, lane.ShrU},
		{"ShrS", (*Builder).ShrS, lane.ShrS},
		{"IMul", (*Builder).IMul, lane.Mul},
	} {
		list = append(list, dyadic(k.name, func(b *Builder, x, y Vec) Vec { return k.emit(b, x, y) }, k.want))
		for _, c := range []uint32{0, 1, ones, 33, 0x80000000} { // constants as sources
			list = append(list, monadic(fmt.Sprintf("%s/%#x", k.name, c),
				func(b *Builder, x Vec) Vec { return k.emit(b, x, b.Literal(c)) },
				func(d, a lane.Rows, s *lane.Sel) { k.want(d, a, constantRows(c), s) }))
		}
	}
	for _, n := range []uint32{0, 1, 31, 32, 40} {
		list = append(list,
			shiftBy("ShlBy", n, (*Builder).ShlBy, lane.Shl),
			shiftBy("ShrUBy", n, (*Builder).ShrUBy, lane.ShrU),
			shiftBy("ShrSBy", n, (*Builder).ShrSBy, lane.ShrS))
	}
	for i := range 4 {
		h := Halves{i&1 != 0, i&2 != 0}
		list = append(list,
			dyadic(fmt.Sprint("MulHalves", h), func(b *Builder, x, y Vec) Vec { return b.MulHalves(h, x, y) },
				lane.MulHalves(h.XHigh, h.YHigh)),
			triadic(fmt.Sprint("MulAddHalves", h), func(b *Builder, x, y, z Vec) Vec { return b.MulAddHalves(h, x, y, z) },
				lane.MulAddHalves(h.XHigh, h.YHigh)))
	}
	for _, k := range []struct {
		name string
		emit func(b *Builder, old, x Vec) Vec
		want lane.Unary
	}{
		{"InsertLow", (*Builder).InsertLow, lane.InsertLow},
		{"InsertHigh", (*Builder).InsertHigh, lane.InsertHigh},
	} {
		list = append(list, body{name: k.name, n: 2,
			emit: func(b *Builder, x []Vec, _ int) []Vec { return []Vec{k.emit(b, x[0], x[1])} },
			want: func(r *reference) {
				r.out[0] = r.in[0]
				k.want(r.d(), r.x(1), whole)
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

func shiftBy(name string, n uint32, emit func(b *Builder, x Vec, n uint32) Vec, want lane.Binary) body {
	return monadic(fmt.Sprintf("%s/%d", name, n), func(b *Builder, x Vec) Vec { return emit(b, x, n) },
		func(d, a lane.Rows, s *lane.Sel) { want(d, a, constantRows(n), s) })
}

func comparisons() (list []body) {
	for cmp := range uint8(8) {
		list = append(list,
			masking(fmt.Sprintf("CompareU/%d", cmp), 2, func(b *Builder, x []Vec) Mask { return b.CompareU(x[0], x[1], cmp) },
				func(r *reference) { lane.CompareU(&r.masks, r.x(0), r.x(1), cmp, whole) }),
			masking(fmt.Sprintf("CompareS/%d", cmp), 2, func(b *Builder, x []Vec) Mask { return b.CompareS(x[0], x[1], cmp) },
				func(r *reference) { lane.CompareS(&r.masks, r.x(0), r.x(1), cmp, whole) }))
	}
	for cmp := range uint8(16) {
		f := masking(fmt.Sprintf("FCompare/%d", cmp), 2, func(b *Builder, x []Vec) Mask { return b.FCompare(x[0], x[1], cmp) },
			func(r *reference) { lane.FCompare(&r.masks, r.x(0), r.x(1), cmp, whole) })
		f.words = floatWord
		list = append(list, f)
	}
	return list
}

func TestWords(t *testing.T) { run(t, wordwise()) }

func TestComparisons(t *testing.T) { run(t, comparisons()) }
