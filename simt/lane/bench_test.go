package lane

import (
	"math/rand/v2"
	"testing"
)

// BenchmarkLane measures the kernels on eight warps; ns/row is the figure to compare.
// The masked form runs them with half the lanes of every warp.
func BenchmarkLane(b *testing.B) {
	const warps = 8
	full, half := &Sel{N: warps, Full: true}, &Sel{N: warps}
	for i := range warps {
		full.Warp[i], full.Mask[i] = uint8(i), All
		half.Warp[i], half.Mask[i] = uint8(i), 0x55555555
	}
	var f file
	for _, k := range kernels() {
		f.fill(rand.New(rand.NewPCG(1, 2)), k.prep)
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
		bench(k.name, full)
		bench(k.name+"/masked", half)
	}
}
