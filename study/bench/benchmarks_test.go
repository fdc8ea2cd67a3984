package bench

import (
	"fmt"
	"testing"

	"jacquard/simt"
)

// BenchmarkKernels launches every workload with all vector instructions of the host, with one
// worker and with all. An operation is a launch; compare ns/warp-instr.
func BenchmarkKernels(b *testing.B) {
	for _, w := range Workloads() {
		for _, simd := range simt.SIMDs() {
			for _, workers := range []int{1, 0} {
				name := fmt.Sprintf("%s/%s/%d", w.Name, simd, workers)
				b.Run(name, func(b *testing.B) { launches(b, &w, simd, workers) })
			}
		}
	}
}

// BenchmarkClasses is BenchmarkKernels for loops of one class of instructions.
func BenchmarkClasses(b *testing.B) {
	for _, c := range Classes() {
		for _, simd := range simt.SIMDs() {
			w := c.Workload()
			b.Run(c.Name+"/"+simd, func(b *testing.B) { launches(b, &w, simd, 1) })
		}
	}
}

func launches(b *testing.B, w *Workload, simd string, workers int) {
	ready, err := w.Prepare(simt.Host{SIMD: simd})
	if err != nil {
		b.Fatal(err)
	}
	l := ready.launch
	l.Workers = workers
	var issued uint64
	for b.Loop() {
		s, err := ready.run(&l)
		if err != nil {
			b.Fatal(err)
		}
		issued = s.WarpInstructions
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(issued), "ns/warp-instr")
}
