package lane

import (
	"math/rand/v2"
	"testing"

	"jacquard/tesla"
)

// BenchmarkLane measures the kernels on eight warps; ns/row is the figure to compare. The masked
// form runs with half the lanes of every warp, the hard form of f32 kernels with a corner case in
// every row.
func BenchmarkLane(b *testing.B) {
	const warps = 8
	full, half := &Sel{N: warps, Full: true}, &Sel{N: warps}
	for i := range warps {
		full.Warp[i], full.Mask[i] = uint8(i), All
		half.Warp[i], half.Mask[i] = uint8(i), 0x55555555
	}
	var f file
	integers := kernels()
	for i, k := range append(integers, floatKernels()...) {
		bench := func(name string, s *Sel) {
			b.Run(name, func(b *testing.B) {
				dst, x, y, z := f.register(0), f.register(1), f.register(2), f.register(3)
				b.ReportAllocs()
				for b.Loop() {
					k.run(dst, x, y, z, f.flags[:], s)
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/warps, "ns/row")
			})
		}
		if i < len(integers) {
			f.fill(rand.New(rand.NewPCG(1, 2)), k.prep)
		} else {
			f.fill(rand.New(rand.NewPCG(1, 2)), ordinary)
		}
		bench(k.name, full)
		bench(k.name+"/masked", half)
		if i >= len(integers) {
			f.fill(rand.New(rand.NewPCG(1, 2)), k.prep)
			bench(k.name+"/hard", full)
		}
	}
}

// ordinary turns a random word into a number of ordinary size.
func ordinary(x uint32) uint32 { return x&^(0xff<<23) | (120+x>>2%16)<<23 }

// BenchmarkLanePairs is BenchmarkLane for the operations on register pairs, rounding
// towards zero.
func BenchmarkLanePairs(b *testing.B) {
	const warps = 8
	s := &Sel{N: warps, Full: true}
	for i := range warps {
		s.Warp[i], s.Mask[i] = uint8(i), All
	}
	var regs [8 * warps]Row
	rnd := rand.New(rand.NewPCG(1, 2))
	for i := range regs {
		for k := range regs[i] {
			// A random high half; a low half may be anything.
			regs[i][k] = uint32(0x3ff00000 + rnd.IntN(1<<20))
		}
	}
	pair := func(r int) Rows64 {
		return Rows64{Lo: RowsOf(&regs[2*r*warps], 1), Hi: RowsOf(&regs[(2*r+1)*warps], 1)}
	}
	d, x, y, z := pair(0), pair(1), pair(2), pair(3)
	var m [MaxWarps]Mask
	var f [MaxWarps]Flags
	toInt, _ := CvtKernel64(tesla.S32, tesla.F64, tesla.RZ, false, false, false, false)
	fromInt, _ := CvtKernel64(tesla.F64, tesla.S32, tesla.RZ, false, false, false, false)
	toSingle, _ := CvtKernel64(tesla.F32, tesla.F64, tesla.RZ, false, false, false, false)
	for _, k := range []struct {
		name string
		run  func()
	}{
		{"DAdd", func() { DAdd(d, x, y, tesla.RZ, s) }},
		{"DMul", func() { DMul(d, x, y, tesla.RZ, s) }},
		{"DFma", func() { DFma(d, x, y, z, tesla.RZ, s) }},
		{"DMin", func() { DMin(d, x, y, s) }},
		{"DMax", func() { DMax(d, x, y, s) }},
		{"DModify", func() { DModify(d, x, true, true, s) }},
		{"DCompare", func() { DCompare(&m, x, y, 1, s) }},
		{"DFlags", func() { DFlags(f[:], x, s) }},
		{"Cvt s32 f64", func() { toInt(d, x, nil, s) }},
		{"Cvt f64 s32", func() { fromInt(d, x, nil, s) }},
		{"Cvt f32 f64", func() { toSingle(d, x, nil, s) }},
	} {
		b.Run(k.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				k.run()
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/warps, "ns/row")
		})
	}
}
