package trace_test

import (
	"encoding/binary"
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/cubin"
	"jacquard/simt"
	"jacquard/simt/load"
	"jacquard/simt/mem"
	"jacquard/tesla"
	kernels "jacquard/testdata/mesa-kernels"
)

// workload is a launch of a kernel of testdata/mesa-kernels. A parameter is a word, or the words of
// a buffer.
type workload struct {
	kernel string
	grid   [2]int
	block  [3]int
	params []any
}

// workloads are launches of many blocks, with and without divergence, bound by loads or arithmetic.
func workloads() []workload {
	const n, threads = 64, 1 << 12
	words := func(n int) []uint32 {
		w := make([]uint32, n)
		for i := range w {
			w[i] = uint32(i*i) * 2654435761 >> 16
		}
		return w
	}
	float := func(v float32) uint32 { return math.Float32bits(v) }
	return []workload{
		{"matmul", [2]int{n / 8, n / 8}, [3]int{8, 8, 1}, []any{words(n * n), words(n * n), words(n * n), uint32(n)}},
		{"vecadd", [2]int{threads / 64, 1}, [3]int{64, 1, 1}, []any{words(threads), words(threads), words(threads), uint32(threads)}},
		{"mandelbrot", [2]int{4, 4}, [3]int{16, 8, 1}, []any{words(64 * 32), uint32(64), uint32(32), uint32(256), float(-2), float(-1.25), float(3. / 64), float(2.5 / 32)}},
		{"collatz", [2]int{threads / 64, 1}, [3]int{64, 1, 1}, []any{words(threads), words(threads), uint32(threads)}},
		{"crc32", [2]int{threads / 32, 1}, [3]int{32, 1, 1}, []any{words(threads * 4), words(threads), uint32(16)}},
	}
}

// launch prepares a launch with the vector instructions simd, as in simt.Host.
func (w *workload) launch(t testing.TB, simd string) *simt.Launch {
	t.Helper()
	data, err := kernels.SM13.ReadFile(w.kernel + "/sm_13.cubin")
	require.NoError(t, err)
	img, err := cubin.Parse(data)
	require.NoError(t, err)
	k := img.Kernel(w.kernel)
	program, err := load.Program(tesla.SM13, k, simt.Host{SIMD: simd})
	require.NoError(t, err)
	l := &simt.Launch{Program: program, Grid: w.grid, Block: w.block, Global: mem.NewSpace(1 << 24), Workers: 1}
	for _, p := range w.params {
		v, ok := p.(uint32)
		if !ok {
			words := p.([]uint32)
			size := uint64(4 * len(words))
			v, err = l.Global.Alloc(size)
			require.NoError(t, err)
			b, err := l.Global.Bytes(v, size)
			require.NoError(t, err)
			for i, x := range words {
				binary.LittleEndian.PutUint32(b[4*i:], x)
			}
		}
		l.Params = binary.LittleEndian.AppendUint32(l.Params, v)
	}
	return l
}
