package vector

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/fpu"
	"jacquard/simt/engine/translate/x86"
	"jacquard/simt/lane"
	"jacquard/tesla"
)

// conversions lists the conversions that have vector code.
func conversions(l Level) (list []body) {
	kinds := []fpu.Kind{fpu.U8, fpu.S8, fpu.U8W, fpu.S8W, fpu.U16, fpu.S16, fpu.U32, fpu.S32, fpu.U64, fpu.S64, fpu.F16, fpu.F32, fpu.F64}
	has := func(c fpu.Conversion) (words, widens, narrows bool) {
		b := New(x86.New(l == AVX512), l)
		_, words = b.Convert(c, b.Vec())
		_, widens = b.Widen(c, b.Vec())
		_, narrows = b.Narrow(c, Pair{b.Vec(), b.Vec()})
		return words, widens, narrows
	}
	for _, to := range kinds {
		for _, from := range kinds {
			for i := range 64 {
				c := fpu.Conversion{To: to, From: from, Round: fpu.Round(i & 3),
					Integral: i&4 != 0, Abs: i&8 != 0, Neg: i&16 != 0, Sat: i&32 != 0}
				words, widens, narrows := has(c)
				switch k := (body{name: fmt.Sprintf("%v", c), few: true}); {
				case words:
					k.n, k.flags = 1, true
					k.emit = func(b *Builder, x []Vec, part int) []Vec {
						d, _ := b.Convert(c, x[0])
						b.ConvertFlags(c.To, d, part)
						return []Vec{d}
					}
					k.want = func(r *reference) {
						r.Convert(c)(r.d(), r.x(0), whole)
						flags, _ := r.CvtFlags(typeOf(c.To))
						flags(r.flags[:], r.d(), whole)
					}
					list = append(list, k)
				case widens, narrows:
					k.n = 2
					k.emit = func(b *Builder, x []Vec, _ int) []Vec {
						if widens {
							d, _ := b.Widen(c, x[0])
							return []Vec{d.Lo, d.Hi}
						}
						d, _ := b.Narrow(c, Pair{x[0], x[1]})
						return []Vec{d}
					}
					convert, ok := lane.Sets()[0].CvtKernel64(typeOf(c.To), typeOf(c.From), tesla.Round(c.Round), c.Integral, c.Abs, c.Neg, c.Sat)
					if !ok {
						panic("no such conversion: " + k.name)
					}
					k.want = func(r *reference) { convert(r.d64(), r.pair(0), nil, whole) }
					list = append(list, k)
				}
			}
		}
	}
	return list
}

func typeOf(k fpu.Kind) tesla.Type {
	for t, kind := range lane.Kinds {
		if kind == k {
			return t
		}
	}
	panic("no type")
}

func TestConversions(t *testing.T) {
	for _, l := range levels(t) {
		list := conversions(l)
		require.Greater(t, len(list), 300)
		t.Log(l, len(list), "conversions")
		for i := range list {
			try(t, &list[i], l)
			list[i].words, list[i].name = floatWord, list[i].name+" of numbers"
			try(t, &list[i], l)
		}
	}
}

// flagging tests a body that collects flags and may have a result.
func flagging(name string, n int, emit func(b *Builder, x []Vec, part int) []Vec, want func(r *reference, f []lane.Flags)) body {
	return body{name: name, n: n, flags: true,
		emit: func(b *Builder, x []Vec, part int) []Vec { return emit(b, x, part) },
		want: func(r *reference) { want(r, r.flags[:]) }}
}

func carryMask(b *Builder, part int) Mask {
	if part%2 == 0 {
		return b.FromMemory(at(4), part)
	}
	b.a.Mov(32, x86.R(x86.RCX), at(4))
	return b.FromBits(x86.RCX, part)
}

func flagBodies() (list []body) {
	list = append(list, body{name: "AddCarry", n: 2,
		emit: func(b *Builder, x []Vec, part int) []Vec {
			m := carryMask(b, part)
			d := b.AddCarry(x[0], x[1], m)
			b.FreeMask(m)
			return []Vec{d}
		},
		want: func(r *reference) { r.AddCarry(r.d(), r.x(0), r.x(1), r.flags[:], whole) }})
	for _, width := range []int{16, 32} {
		list = append(list, flagging(fmt.Sprint("ResultFlags/", width), 1,
			func(b *Builder, x []Vec, part int) []Vec { b.ResultFlags(x[0], width, part); return nil },
			func(r *reference, f []lane.Flags) { r.ResultFlags(f, r.x(0), width, whole) }))
		for how := SumAdd; how <= SumCarry; how++ {
			for _, sat := range []bool{false, true} {
				list = append(list, flagging(fmt.Sprint("SumFlags/", how, width, sat), 2,
					func(b *Builder, x []Vec, part int) []Vec {
						m := carryMask(b, part)
						b.SumFlags(how, width, sat, x[0], x[1], m, part)
						d := b.SumSat(how, width, x[0], x[1], m)
						b.FreeMask(m)
						return []Vec{d}
					},
					func(r *reference, f []lane.Flags) {
						carry := f[0]
						switch x, y := r.x(0), r.x(1); how {
						case SumAdd:
							r.AddFlags(f, x, y, width, sat, whole)
							r.AddSat(r.d(), x, y, width, whole)
						case SumSub:
							r.SubFlags(f, x, y, width, sat, whole)
							r.SubSat(r.d(), x, y, width, whole)
						default:
							r.AddCarryFlags(f, x, y, []lane.Flags{carry}, width, sat, whole)
							r.AddCarrySat(r.d(), x, y, []lane.Flags{carry}, width, whole)
						}
					}))
			}
		}
		for how := ShiftLeft; how <= ShiftRightS; how++ {
			k := flagging(fmt.Sprint("ShiftFlags/", how, width), 2,
				func(b *Builder, x []Vec, part int) []Vec {
					n := b.copy(x[1])
					v := b.copy(x[0])
					if width == 16 {
						b.Free(n, v)
						n = b.ExtractLowU(x[1])
						v = b.ExtractLowU(x[0])
						if how == ShiftRightS {
							b.Free(v)
							v = b.ExtractLowS(x[0])
						}
					}
					b.ShiftFlags(how, width, v, n, part)
					b.Free(n, v)
					return nil
				},
				func(r *reference, f []lane.Flags) {
					if width == 16 {
						for i := range r.in[0] {
							r.in[1][i] &= 0xffff
							r.in[0][i] &= 0xffff
							if how == ShiftRightS {
								r.in[0][i] = uint32(int16(r.in[0][i]))
							}
						}
					}
					switch how {
					case ShiftLeft:
						r.ShlFlags(f, r.x(0), r.x(1), width, whole)
					case ShiftRightU:
						r.ShrUFlags(f, r.x(0), r.x(1), width, whole)
					default:
						r.ShrSFlags(f, r.x(0), r.x(1), width, whole)
					}
				})
			list = append(list, k)
		}
	}
	list = append(list,
		flagging("FFlags", 1, func(b *Builder, x []Vec, part int) []Vec { b.FFlags(x[0], part); return nil },
			func(r *reference, f []lane.Flags) { r.FFlags(f, r.x(0), whole) }),
		flagging("FSlctFlags", 1, func(b *Builder, x []Vec, part int) []Vec { b.FSlctFlags(x[0], part); return nil },
			func(r *reference, f []lane.Flags) { r.FSlctFlags(f, r.x(0), whole) }),
		flagging("DFlags", 2, func(b *Builder, x []Vec, part int) []Vec { b.DFlags(Pair{x[0], x[1]}, part); return nil },
			func(r *reference, f []lane.Flags) { r.DFlags(f, r.pair(0), whole) }))
	for i := range list {
		list[i].words = smallCount
	}
	return list
}

// smallCount makes half of the words small: counts of shifts.
func smallCount(x uint32) uint32 {
	if x&1 != 0 {
		return x >> 1 % 40
	}
	return floatWord(x >> 1)
}

func modes() (list []body) {
	for _, r := range []fpu.Round{fpu.RN, fpu.RZ} {
		list = append(list, dyadic(fmt.Sprint("FMulZeroWins/", r),
			func(b *Builder, x, y Vec) Vec { return b.FMulZeroWins(x, y, r) },
			func(*lane.Kernels) lane.Binary { return lane.FMulZeroWins(tesla.Round(r)) }))
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

// doubles lists the bodies on f64; a row of edges is a row of high words first.
func doubles() (list []body) {
	pairwise := func(name string, n int, emit func(b *Builder, x []Pair) Pair, want func(r *reference)) {
		list = append(list, body{name: name, n: 2 * n, words: doubleWord,
			emit: func(b *Builder, x []Vec, _ int) []Vec {
				var pairs []Pair
				for i := 0; i < len(x); i += 2 {
					pairs = append(pairs, Pair{x[i], x[i+1]})
				}
				d := emit(b, pairs)
				return []Vec{d.Lo, d.Hi}
			},
			want: want})
	}
	for r := fpu.RN; r <= fpu.RZ; r++ {
		t := tesla.Round(r)
		pairwise(fmt.Sprint("DAdd/", r), 2, func(b *Builder, x []Pair) Pair { return b.DAdd(x[0], x[1], r) },
			func(f *reference) { f.DAdd(f.d64(), f.pair(0), f.pair(1), t, whole) })
		pairwise(fmt.Sprint("DMul/", r), 2, func(b *Builder, x []Pair) Pair { return b.DMul(x[0], x[1], r) },
			func(f *reference) { f.DMul(f.d64(), f.pair(0), f.pair(1), t, whole) })
		pairwise(fmt.Sprint("DFma/", r), 3, func(b *Builder, x []Pair) Pair { return b.DFma(x[0], x[1], x[2], r) },
			func(f *reference) { f.DFma(f.d64(), f.pair(0), f.pair(1), f.pair(2), t, whole) })
	}
	pairwise("DMin", 2, func(b *Builder, x []Pair) Pair { return b.DMin(x[0], x[1]) },
		func(f *reference) { f.DMin(f.d64(), f.pair(0), f.pair(1), whole) })
	pairwise("DMax", 2, func(b *Builder, x []Pair) Pair { return b.DMax(x[0], x[1]) },
		func(f *reference) { f.DMax(f.d64(), f.pair(0), f.pair(1), whole) })
	for i := range 4 {
		abs, neg := i&1 != 0, i&2 != 0
		pairwise(fmt.Sprint("DModify/", abs, neg), 1, func(b *Builder, x []Pair) Pair { return b.DModify(x[0], abs, neg) },
			func(f *reference) { f.DModify(f.d64(), f.pair(0), abs, neg, whole) })
	}
	for cmp := range uint8(16) {
		k := masking(fmt.Sprintf("DCompare/%d", cmp), 4,
			func(b *Builder, x []Vec) Mask { return b.DCompare(Pair{x[0], x[1]}, Pair{x[2], x[3]}, cmp) },
			func(r *reference) { r.DCompare(&r.masks, r.pair(0), r.pair(1), cmp, whole) })
		k.words = doubleWord
		list = append(list, k)
	}
	return list
}

// doubleWord makes words that are high words of interesting f64, or low words.
func doubleWord(x uint32) uint32 {
	high := []uint32{0, 0x80000000, 0x7ff00000, 0xfff00000, 0x7ff80000, 0xfff80000, 0x7fefffff, 0x00100000, 0x000fffff,
		0x3ff00000, 0xbff00000, 0x7ff00001, 0xffffffff, 1, 0x3ca00000, 0x03600000}
	switch x & 3 {
	case 0, 1:
		return high[x>>2%uint32(len(high))]
	case 2:
		return x
	}
	return x&^(0x7ff<<20) | (1020+x>>2%8)<<20
}

func TestFlags(t *testing.T)   { run(t, flagBodies()) }
func TestModes(t *testing.T)   { run(t, modes()) }
func TestDoubles(t *testing.T) { run(t, doubles()) }
