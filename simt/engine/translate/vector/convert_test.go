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
				integers := to < fpu.F16 && from < fpu.F16
				if c.Integral && (to < fpu.F16 || from < fpu.F16) || c.Sat && to < fpu.F16 || c.Round != fpu.RN && integers {
					continue // has no meaning
				}
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
						lane.Convert(c)(r.d(), r.x(0), whole)
						flags, _ := lane.CvtFlags(typeOf(c.To))
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
					convert, ok := lane.CvtKernel64(typeOf(c.To), typeOf(c.From), tesla.Round(c.Round), c.Integral, c.Abs, c.Neg, c.Sat)
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
		require.Equal(t, map[Level]int{AVX2: 407, AVX512: 413}[l], len(list))
		for i := range list {
			try(t, &list[i], l)
			list[i].words, list[i].name = floatWord, list[i].name+" of numbers"
			try(t, &list[i], l)
		}
	}
}
