package lane

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/fpu"
	"jacquard/sfu"
	"jacquard/simt/engine/reference/alu"
	"jacquard/tesla"
)

// floatCorners are the words at which f32 rules change.
var floatCorners = []uint32{
	0, 1, 0x007fffff, 0x00800000, 0x00800001, 0x3f000000, 0x3f7fffff, 0x3f800000, 0x3fc00000, 0x4b000001,
	0x4effffff, 0x4f000000, 0x4f800000, 0x7f7fffff, 0x7f800000, 0x7f800001, 0x7fffffff,
}

// floatWord turns a random word into an interesting f32: itself, a corner of either sign or a
// number of ordinary size.
func floatWord(x uint32) uint32 {
	switch x & 3 {
	case 0:
		return floatCorners[x>>2%uint32(len(floatCorners))] | x&(1<<31)
	case 1:
		return x
	}
	return x&^(0xff<<23) | (120+x>>2%16)<<23
}

// floatKernels lists the f32 and the special function kernels.
func floatKernels() []kernel {
	list := []kernel{
		single("FAddRN", FAddRN, func(a, b uint32) uint32 { return fpu.Add(a, b, fpu.RN) }),
		single("FAddRZ", FAddRZ, func(a, b uint32) uint32 { return fpu.Add(a, b, fpu.RZ) }),
		single("FSubRN", FSubRN, func(a, b uint32) uint32 { return fpu.Add(a, b^1<<31, fpu.RN) }),
		single("FMulRN", FMulRN, func(a, b uint32) uint32 { return fpu.Mul(a, b, fpu.RN) }),
		single("FMulRZ", FMulRZ, func(a, b uint32) uint32 { return fpu.Mul(a, b, fpu.RZ) }),
		single("FMin", FMin, fpu.Min),
		single("FMax", FMax, fpu.Max),
		ternary("FMad", FMad, fpu.Mad),
		ternary("FMsub", FMsub, func(a, b, c uint32) uint32 { return fpu.Mad(a, b, c^1<<31) }),
		ternary("FNmad", FNmad, func(a, b, c uint32) uint32 { return fpu.Mad(a^1<<31, b, c) }),
		ternary("FSlct", FSlct, fpu.Select),
		unary("FSat", FSat, fpu.Sat),
		unary("Rcp", Rcp, sfu.Rcp),
		unary("Rsqrt", Rsqrt, sfu.Rsqrt),
		unary("Lg2", Lg2, sfu.Lg2),
		unary("Sin", Sin, sfu.Sin),
		unary("Cos", Cos, sfu.Cos),
		unary("Ex2", Ex2, sfu.Ex2),
		unary("PreSin", PreSin, sfu.PreSin),
		unary("PreEx2", PreEx2, sfu.PreEx2),
		resultFlags("FFlags", FFlags, func(a uint32) uint8 { return uint8(fpu.FlagsOf(a)) }),
		resultFlags("FSlctFlags", FSlctFlags, func(a uint32) uint8 { return uint8(fpu.FlagsSelect(a)) }),
	}
	for cmp := range uint8(16) {
		m := new([MaxWarps]Mask)
		list = append(list, kernel{
			name: fmt.Sprintf("FCompare%d", cmp),
			run: func(d, a, b, _ Rows, f []Flags, s *Sel) {
				FCompare(m, a, b, cmp, s)
				Expand(d, m, s)
				MaskFlags(f, m, s)
			},
			ref: func(x lane0) (uint32, uint8) {
				if uint8(fpu.Compare(x.a, x.b))&cmp != 0 {
					return ones, alu.S
				}
				return 0, alu.Z
			},
		})
	}
	for i := range list {
		list[i].prep = floatWord
	}
	return list
}

func single(name string, run func(d, a, b Rows, s *Sel), ref func(a, b uint32) uint32) kernel {
	return binary(name, run, func(a, b uint32) (uint32, uint8) { return ref(a, b), 0 })
}

func ternary(name string, run func(d, a, b, c Rows, s *Sel), ref func(a, b, c uint32) uint32) kernel {
	return kernel{
		name: name,
		run:  func(d, a, b, c Rows, _ []Flags, s *Sel) { run(d, a, b, c, s) },
		ref:  func(x lane0) (uint32, uint8) { return ref(x.a, x.b, x.c), x.flags },
	}
}

func resultFlags(name string, run func(f []Flags, r Rows, s *Sel), ref func(a uint32) uint8) kernel {
	return kernel{
		name: name,
		run:  func(_, a, _, _ Rows, f []Flags, s *Sel) { run(f, a, s) },
		ref:  func(x lane0) (uint32, uint8) { return x.d, ref(x.a) },
	}
}

// conversionKernels lists every conversion between types of at most 32 bits, with and
// without each modifier, together with its flags.
func conversionKernels(t *testing.T) []kernel {
	t.Helper()
	types := []tesla.Type{
		tesla.U8, tesla.S8, tesla.U8W, tesla.S8W, tesla.U16, tesla.S16, tesla.U32, tesla.S32, tesla.F16, tesla.F32,
	}
	var list []kernel
	for _, to := range types {
		for _, from := range types {
			for mods := range 8 {
				r := tesla.Round(mods & 3)
				on := mods>>2 == 1
				run, ok := CvtKernel(to, from, r, on, on, on, on)
				require.True(t, ok, "%v %v", to, from)
				flags, ok := CvtFlags(to)
				require.True(t, ok, "%v", to)
				c, ok := Conversion(to, from, r, on, on, on, on)
				require.True(t, ok, "%v %v", to, from)
				list = append(list, kernel{
					name: c.String(),
					prep: floatWord,
					run: func(d, a, _, _ Rows, f []Flags, s *Sel) {
						run(d, a, s)
						flags(f, d, s)
					},
					ref: func(x lane0) (uint32, uint8) {
						r, f := c.Do(uint64(x.a))
						return uint32(r), uint8(f)
					},
				})
			}
		}
	}
	return list
}

func TestFloatKernels(t *testing.T) {
	for _, k := range floatKernels() {
		t.Run(k.name, func(t *testing.T) { tryAliases(t, k, 8) })
	}
}

func TestCvtKernels(t *testing.T) {
	for _, k := range conversionKernels(t) {
		tryAliases(t, k, 1)
	}
}

func tryAliases(t *testing.T, k kernel, times int) {
	t.Helper()
	rnd := rand.New(rand.NewPCG(5, 6))
	var f file
	for range times {
		for _, regs := range aliases {
			f.fill(rnd, k.prep)
			k.check(t, &f, regs, randomSel(rnd))
		}
	}
}

func TestCvtRefusals(t *testing.T) {
	for _, c := range []struct{ to, from tesla.Type }{
		{tesla.F64, tesla.F32}, {tesla.S32, tesla.F64}, {tesla.F32, tesla.B32}, {tesla.TypeNone, tesla.F32}, {tesla.U24, tesla.U32},
	} {
		_, ok := CvtKernel(c.to, c.from, tesla.RN, false, false, false, false)
		require.False(t, ok, "%v", c)
	}
	for _, c := range []struct{ to, from tesla.Type }{
		{tesla.F32, tesla.F32}, {tesla.S64, tesla.U32}, {tesla.F64, tesla.U16}, {tesla.F16, tesla.F64}, {tesla.B64, tesla.F64},
	} {
		_, ok := CvtKernel64(c.to, c.from, tesla.RN, false, false, false, false)
		require.False(t, ok, "%v", c)
	}
	_, ok := CvtFlags(tesla.F64)
	require.False(t, ok)
}

func TestFloatKernelsDoNotAllocate(t *testing.T) {
	var f file
	rnd := rand.New(rand.NewPCG(3, 4))
	s := &Sel{N: 2, Warp: [MaxWarps]uint8{0, 3}, Mask: [MaxWarps]Mask{All, 0x5a5a}}
	for _, k := range append(floatKernels(), conversionKernels(t)...) {
		f.fill(rnd, k.prep)
		n := testing.AllocsPerRun(20, func() {
			k.run(f.register(0), f.register(1), f.register(2), f.register(3), f.flags[:], s)
		})
		require.Zero(t, n, k.name)
	}
}
