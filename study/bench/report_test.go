package bench

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// results has one result of every kind.
func results() []*Result {
	result := func(r Result) *Result {
		r.WarpInstructions, r.Seconds = 1000, 1e-5
		r.WarpInstructionsPerSecond, r.ThreadInstructionsPerSecond = 1e8, 3.2e9
		return &r
	}
	add := Comparison{HostAddNS: 2, HostMadNS: 30, HostSFUNS: 100, HostAdds: 5}
	kernel, class := add, add
	kernel.CSeconds, kernel.Slowdown = 1e-6, 10
	class.HostNS, class.HostOps = 4, 2.5
	return []*Result{
		result(Result{Kernel: "matmul", SIMD: "off", Workers: 1, Comparison: &kernel}),
		result(Result{Kernel: "matmul", SIMD: "off", Workers: 2, Comparison: &kernel}),
		result(Result{Kernel: "matmul", SIMD: "avx2", Workers: 1, Comparison: &kernel, DeviceBytes: 1 << 20, PeakBytes: 8 << 20, Counting: 1.25}),
		result(Result{Kernel: "matmul", SIMD: "avx2", Workers: 2, Comparison: &kernel}),
		result(Result{Kernel: "shift", Class: true, SIMD: "avx2", Workers: 1, Comparison: &class}),
		result(Result{Kernel: "matmul", SIMD: "avx2", Workers: 1, Relative: 1, Comparison: &kernel}),
		result(Result{Kernel: "matmul", SIMD: "avx2", Workers: 1, With: "trace", Relative: 3, Comparison: &kernel}),
	}
}

func TestReport(t *testing.T) {
	var s strings.Builder
	require.NoError(t, Report{Markdown: true}.Write(&s, results()))
	require.Contains(t, s.String(), "### Kernels\n\nmillion warp-instructions a second")
	unbroken := strings.ReplaceAll(s.String(), "\n", " ")
	require.Contains(t, unbroken, "then, for avx2 and 1, lane operations")
	require.Contains(t, unbroken, "(2.00 ns; the multiply-add, exact, 30.0 ns; the reciprocal, exact, 100.0 ns)")
	require.Contains(t, s.String(), `
| kernel | warp instr | off, 1 | off, 2 | avx2, 1 | avx2, 2 | G lane op/s | ns | host adds | times C | statistics | MB |
|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|
| matmul | 1000 | 100.0 | 100.0 | 100.0 | 100.0 | 3.20 | 10.0 | 5.0 | 10.0 | +25.0 % | 7 |
`)
	require.Contains(t, s.String(), `
| class | avx2 | C | times |
|---|--:|--:|--:|
| shift | 10.0 | 4.0 | 2.5 |
`)
	require.Contains(t, s.String(), `
| with | matmul |
|---|--:|
| trace | 3.00 |
`)
	s.Reset()
	require.NoError(t, Report{}.Write(&s, results()[4:5]))
	require.Regexp(t, `^Classes: nanoseconds .*\n  class  avx2    C  times\n  shift  10.0  4.0    2.5\n$`, s.String())
}

// Without a comparison the tables have no figures of it.
func TestReportWithoutRival(t *testing.T) {
	var s strings.Builder
	for _, r := range results() {
		r.Comparison = nil
		require.NoError(t, Report{Markdown: true}.Write(&s, []*Result{r}))
	}
	require.Contains(t, s.String(), "| matmul | 1000 | 100.0 | 3.20 | 10.0 | - | - | +25.0 % | 7 |\n")
	require.Contains(t, s.String(), "| shift | 10.0 | - | - |\n")
}

func TestMachine(t *testing.T) {
	require.Regexp(t, `^.+, [0-9]+ cores, [a-z]+, go.*\.$`, Machine())
}
