package schedule

import (
	"testing"

	"jacquard/simt/mem"
)

// BenchmarkLaunch measures the overhead of a launch: the kernel ends at once.
func BenchmarkLaunch(b *testing.B) {
	p := writtenProgram(b, func(*kernelWriter) {})
	space := mem.NewSpace(1 << 20)
	for _, c := range []struct {
		name            string
		blocks, threads int
	}{{"one thread", 1, 1}, {"one block", 1, 256}, {"ten waves", 40, 256}} {
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			l := &Launch{Program: p, Grid: [2]int{c.blocks, 1}, Block: [3]int{c.threads, 1, 1}, Params: make([]byte, 4), Global: space}
			for b.Loop() {
				if _, err := Run(l); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
