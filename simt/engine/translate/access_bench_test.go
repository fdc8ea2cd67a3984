package translate

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/simt/engine"
	"jacquard/simt/engine/translate/host"
	"jacquard/simt/lane"
	"jacquard/simt/mem"
)

// BenchmarkAccess measures accesses of a whole warp with their costs, 32 in a row.
func BenchmarkAccess(b *testing.B) {
	patterns := []struct {
		name string
		at   func(lane uint32) uint32 // of words
	}{
		{"run", func(i uint32) uint32 { return 4 * i }},
		{"shifted", func(i uint32) uint32 { return 32 + 4*i }},
		{"tile row", func(i uint32) uint32 { return 4 * (i % 16) }},
		{"tile column", func(i uint32) uint32 { return i / 16 * 64 }},
		{"stride 2", func(i uint32) uint32 { return 8 * i }},
		{"stride 4", func(i uint32) uint32 { return 16 * i }},
		{"stride 16", func(i uint32) uint32 { return 64 * i }},
		{"stride 81", func(i uint32) uint32 { return 324*(i%16) + 4*(i/16) }},
		{"pairs", func(i uint32) uint32 { return 4 * (2*i - i%8) }},
		{"scattered", func(i uint32) uint32 { return 4 * (i * 0x9e3779b1 >> 22) }},
		{"few", func(i uint32) uint32 { return 4 * (i * 0x9e3779b1 >> 28) }},
	}
	const repeat = 32
	for _, simd := range []string{"avx2", "avx512"} {
		if _, err := host.Find(simd); err != nil {
			continue
		}
		for _, text := range []string{"ld $r4 b32 s[$a1]", "st b32 s[$a1] $r4", "ld b32 $r4 g14[$r1]", "st b32 g14[$r1] $r4", "ld $r4 b32 c2[$a1]", "ld b32 $r4 l[$a1]",
			"ld b64 $r4d g14[$r1]", "st b64 g14[$r1] $r4d", "ld b128 $r4q g14[$r1]", "st b128 g14[$r1] $r4q"} {
			p := accessProgram(b, simd, text+strings.Repeat("\n\t"+text, repeat-1))
			code, err := Compile(p)
			require.NoError(b, err)
			for _, x := range patterns {
				b.Run(simd+"/"+text+"/"+x.name, func(b *testing.B) {
					s := newAccessSide(b, p, code)
					var at lane.Row
					for i := range at {
						at[i] = x.at(uint32(i))
						if size := uint32(mem.Size(p.Code[0].Ins.Type)); size > 4 {
							at[i] = at[i] / 4 * size % allocationBytes / size * size
						}
						if strings.Contains(text, "g14") {
							at[i] += s.bases[0]
						}
					}
					s.set(p, 1, &at, lane.All)
					for b.Loop() {
						s.eng.(engine.Runner).RunOn(&engine.Turn{Warp: 1, Lanes: lane.All, Stop: -1, Room: 2 * repeat})
					}
					b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*repeat), "ns/access")
				})
			}
		}
	}
}
