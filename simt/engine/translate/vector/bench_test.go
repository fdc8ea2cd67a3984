package vector

import (
	"fmt"
	"strings"
	"testing"
	"unsafe"

	"jacquard/simt/lane"
)

// BenchmarkBodies times rows in a loop of compiled code. Each iteration reads the sources from
// memory and stores the results. The name's end tells of unusual sources.
func BenchmarkBodies(b *testing.B) {
	bodies := map[string]body{}
	for _, list := range [][]body{wordwise(), floats(), specials(), doubles(), comparisons(), flagBodies()} {
		for _, k := range list {
			bodies[k.name] = k
		}
	}
	sources := map[string][]uint32{
		"":      {0x3fc00000, 0x3fa00000, 0x3f900000},
		"f64":   {0, 0x3ff80000, 0, 0x3ff40000, 0, 0x3ff10000},
		"zero":  {0, 0x3fc00000, 0x3f900000},
		"bytes": {0x3fc00000},
		"tiny":  {0x00900000, 0x3e000000, 0x01000000},
	}
	for _, l := range levels(b) {
		for _, name := range []string{
			"Add", "Mul24LoU", "Mul24HiU", "IMulAdd", "FAdd", "FMul", "FMin", "FMad", "FMad zero", "FMad tiny", "FCompare/1", "SumFlags/0/32/false",
			"Rcp", "Rcp zero", "Rcp bytes", "Rsqrt", "Rsqrt bytes", "Ex2", "Lg2", "Sin", "PreEx2", "PreSin", "DAdd/0 f64", "DFma/0 f64", "DFma/3 f64",
		} {
			b.Run(fmt.Sprintf("%v/%s", l, name), func(b *testing.B) {
				base, kind, _ := strings.Cut(name, " ")
				k, ok := bodies[name]
				if !ok {
					k = bodies[base]
				}
				const rows = 1000
				c := compile(b, &k, l, SpecialDemand, rows)
				f := newFrame()
				for i, x := range sources[kind] {
					for j := range lane.Width {
						f.in[i][j] = x
					}
				}
				for b.Loop() {
					c.entry.Call(unsafe.Pointer(f))
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/rows, "ns/row")
				b.ReportMetric(0, "ns/op")
			})
		}
	}
}
