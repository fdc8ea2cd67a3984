package accuracy_test

import (
	"math"
	"math/bits"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/toolkit/libdevice"
	"jacquard/toolkit/libdevice/accuracy"
)

// word is the definition of a function on words: its result and its stores, or nil if it is open.
type word func(a []uint64) []uint64

func usesDouble(f *libdevice.Function) bool {
	return strings.Contains(f.Result+strings.Join(f.Params, " "), "double")
}

// ints makes a word of a function of int.
func ints(f func(a, b, c int32) int32) word {
	return func(a []uint64) []uint64 {
		var x [3]int32
		for i := range a {
			x[i] = int32(a[i])
		}
		return []uint64{uint64(uint32(f(x[0], x[1], x[2])))}
	}
}

func uints(f func(a, b, c uint32) uint32) word {
	return func(a []uint64) []uint64 {
		var x [3]uint32
		for i := range a {
			x[i] = uint32(a[i])
		}
		return []uint64{uint64(f(x[0], x[1], x[2]))}
	}
}

func wide(f func(a, b uint64) uint64) word {
	return func(a []uint64) []uint64 { return []uint64{f(a[0], a[len(a)-1])} }
}

func signed(f func(a, b int64) int64) word {
	return wide(func(a, b uint64) uint64 { return uint64(f(int64(a), int64(b))) })
}

func truth(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}

func same(a []uint64) []uint64 { return a[:1] }

func distance(a, b int32) int32 {
	if a > b {
		return a - b
	}
	return b - a
}

// integers are the functions of integers.
var integers = map[string]word{
	"abs":       ints(func(a, _, _ int32) int32 { return max(a, -a) }),
	"llabs":     signed(func(a, _ int64) int64 { return max(a, -a) }),
	"brev":      uints(func(a, _, _ uint32) uint32 { return bits.Reverse32(a) }),
	"brevll":    wide(func(a, _ uint64) uint64 { return bits.Reverse64(a) }),
	"byte_perm": uints(permute),
	"clz":       uints(func(a, _, _ uint32) uint32 { return uint32(bits.LeadingZeros32(a)) }),
	"clzll":     wide(func(a, _ uint64) uint64 { return uint64(bits.LeadingZeros64(a)) }),
	"ffs":       uints(func(a, _, _ uint32) uint32 { return uint32(bits.TrailingZeros32(a)+1) % 33 }),
	"ffsll":     wide(func(a, _ uint64) uint64 { return uint64(bits.TrailingZeros64(a)+1) % 65 }),
	"popc":      uints(func(a, _, _ uint32) uint32 { return uint32(bits.OnesCount32(a)) }),
	"popcll":    wide(func(a, _ uint64) uint64 { return uint64(bits.OnesCount64(a)) }),
	"hadd":      ints(func(a, b, _ int32) int32 { return int32((int64(a) + int64(b)) >> 1) }),
	"rhadd":     ints(func(a, b, _ int32) int32 { return int32((int64(a) + int64(b) + 1) >> 1) }),
	"uhadd":     uints(func(a, b, _ uint32) uint32 { return uint32((uint64(a) + uint64(b)) >> 1) }),
	"urhadd": uints(func(a, b, _ uint32) uint32 {
		return uint32((uint64(a) + uint64(b) + 1) >> 1)
	}),
	"max":    ints(func(a, b, _ int32) int32 { return max(a, b) }),
	"min":    ints(func(a, b, _ int32) int32 { return min(a, b) }),
	"umax":   uints(func(a, b, _ uint32) uint32 { return max(a, b) }),
	"umin":   uints(func(a, b, _ uint32) uint32 { return min(a, b) }),
	"llmax":  signed(func(a, b int64) int64 { return max(a, b) }),
	"llmin":  signed(func(a, b int64) int64 { return min(a, b) }),
	"ullmax": wide(func(a, b uint64) uint64 { return max(a, b) }),
	"ullmin": wide(func(a, b uint64) uint64 { return min(a, b) }),
	"mul24":  ints(func(a, b, _ int32) int32 { return int32(int64(a<<8>>8) * int64(b<<8>>8)) }),
	"umul24": uints(func(a, b, _ uint32) uint32 {
		return uint32(uint64(a<<8>>8) * uint64(b<<8>>8))
	}),
	"mulhi":  ints(func(a, b, _ int32) int32 { return int32(int64(a) * int64(b) >> 32) }),
	"umulhi": uints(func(a, b, _ uint32) uint32 { return uint32(uint64(a) * uint64(b) >> 32) }),
	"mul64hi": wide(func(a, b uint64) uint64 {
		high, _ := bits.Mul64(a, b)
		return high - uint64(int64(a)>>63)&b - uint64(int64(b)>>63)&a
	}),
	"umul64hi": wide(func(a, b uint64) uint64 { high, _ := bits.Mul64(a, b); return high }),
	"sad":      ints(func(a, b, c int32) int32 { return distance(a, b) + c }),
	"usad":     uints(func(a, b, c uint32) uint32 { return max(a, b) - min(a, b) + c }),

	"float_as_int": same, "float_as_uint": same, "int_as_float": same, "uint_as_float": same,
	"double_as_longlong": same, "longlong_as_double": same,
	"double2hiint":   wide(func(a, _ uint64) uint64 { return a >> 32 }),
	"double2loint":   wide(func(a, _ uint64) uint64 { return a & math.MaxUint32 }),
	"hiloint2double": func(a []uint64) []uint64 { return []uint64{a[0]<<32 | a[1]&math.MaxUint32} },
}

// permute takes bytes of two words by the selectors of a third.
func permute(a, b, c uint32) (y uint32) {
	both := uint64(b)<<32 | uint64(a)
	for i := range 4 {
		selector := c >> (4 * i) & 15
		part := byte(both >> (8 * (selector & 7)))
		if selector&8 != 0 {
			part = byte(int8(part) >> 7)
		}
		y |= uint32(part) << (8 * i)
	}
	return y
}

// words are the functions with exact results.
func words() map[string]word {
	all := map[string]word{}
	for _, group := range []map[string]word{integers, simd(), parts(), roundings()} {
		for name, w := range group {
			all["__nv_"+name] = w
		}
	}
	return all
}

// Every function is measured or certain.
func TestEveryFunctionIsTested(t *testing.T) {
	known := words()
	for _, m := range accuracy.Measurements() {
		known[m.Function.Name] = nil
	}
	known["__nv_rcp64h"] = nil // TestReciprocal
	for _, f := range tested() {
		require.Contains(t, known, f.Name)
		delete(known, f.Name)
	}
	require.Empty(t, known, "tests of functions that are not in the table")
}

// Functions give the words that Go computes.
func TestWords(t *testing.T) {
	l := library(t)
	known := words()
	for _, f := range tested() {
		w := known[f.Name]
		if w == nil {
			continue
		}
		t.Run(f.Name, func(t *testing.T) {
			t.Parallel()
			const n = 512
			random := rand.New(rand.NewPCG(1, 2))
			var args []uint64
			for range n {
				for _, p := range f.Params {
					if !strings.HasSuffix(p, "*") {
						args = append(args, argument(random, p))
					}
				}
			}
			got, err := l.Run(&f, args)
			require.NoError(t, err)
			in, out, compared := len(args)/n, len(got)/n, 0
			for i := range n {
				row := args[in*i : in*(i+1)]
				want := w(row)
				if want == nil {
					continue
				}
				compared++
				require.Equal(t, want, got[out*i:out*(i+1)], "%s(%#x)", f.Name, row)
			}
			require.Greater(t, compared, n/8)
		})
	}
}

// argument returns a random argument of a type. Floats are moderate numbers, special ones, halves.
func argument(random *rand.Rand, kind string) uint64 {
	x := math.Ldexp(random.Float64()*2-1, random.IntN(60)-20)
	if random.IntN(4) == 0 {
		x = math.Round(x*2) / 2
	}
	if random.IntN(16) == 0 {
		special := []float64{0, math.Copysign(0, -1), math.Inf(1), math.Inf(-1), math.NaN(), 0.5, 1, -1}
		x = special[random.IntN(len(special))]
	}
	switch kind {
	case "float":
		return uint64(math.Float32bits(float32(x)))
	case "double":
		return math.Float64bits(x)
	case "ushort":
		return random.Uint64() & math.MaxUint16
	}
	w := random.Uint64() >> random.IntN(64)
	if random.IntN(2) == 0 {
		w = -w
	}
	if kind == "int" || kind == "uint" {
		w &= math.MaxUint32
		if random.IntN(4) == 0 {
			w >>= random.IntN(32)
		}
	}
	return w
}
