package cfg_test

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/simt/cfg"
)

// BenchmarkAnalyse runs all analyses on a structured kernel of some 6000 instructions, longer than
// any kernel from a compiler.
func BenchmarkAnalyse(b *testing.B) {
	w := &writer{r: rand.New(rand.NewPCG(7, 8))}
	for len(w.code) < 6000 {
		w.sequence(4, -1)
	}
	w.put(exit())
	b.ReportMetric(float64(len(w.code)), "instructions")
	for b.Loop() {
		g, err := cfg.New(w.code)
		require.NoError(b, err)
		f := g.Functions[0]
		_, err = f.Structure()
		require.NoError(b, err)
		f.Frontiers(f.Position)
	}
}
