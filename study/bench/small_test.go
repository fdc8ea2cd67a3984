package bench

import (
	"encoding/binary"
	"math"
	"math/big"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

// wordsIn returns the words in a buffer.
func wordsIn(b []byte) []uint32 {
	w := make([]uint32, len(b)/4)
	for i := range w {
		w[i] = binary.LittleEndian.Uint32(b[4*i:])
	}
	return w
}

// floatsIn returns the numbers in a buffer.
func floatsIn(b []byte) []float64 {
	f := make([]float64, len(b)/4)
	for i, v := range wordsIn(b) {
		f[i] = float64(math.Float32frombits(v))
	}
	return f
}

// checks compares the buffers after the programs in small with a plain computation.
var checks = map[string]func(t *testing.T, buffers [][]byte){
	"histogram": func(t *testing.T, buffers [][]byte) {
		want := make([]uint32, histogramBlocks*256)
		for i, b := range buffers[0] {
			want[i/4/histogramThreads%histogramBlocks*256+int(b)]++
		}
		require.Equal(t, want, wordsIn(buffers[1]))
	},
	"bitonic": func(t *testing.T, buffers [][]byte) {
		pairs := func(keys, values []byte) (list []uint64) {
			k, v := wordsIn(keys), wordsIn(values)
			for i := range k {
				list = append(list, uint64(i/bitonicKeys)<<56|uint64(k[i])<<32|uint64(v[i]))
			}
			return list
		}
		require.True(t, slices.IsSorted(pairs(buffers[2], make([]byte, len(buffers[2])))))
		want, got := pairs(buffers[0], buffers[1]), pairs(buffers[2], buffers[3])
		slices.Sort(want)
		slices.Sort(got)
		require.Equal(t, want, got)
	},
	"bisection": func(t *testing.T, buffers [][]byte) {
		diagonal, beside := floatsIn(buffers[0]), floatsIn(buffers[1])
		for i, value := range floatsIn(buffers[2]) {
			from, k := i/bisectionOrder*bisectionOrder, i%bisectionOrder
			below := func(x float64) (n int) {
				delta := 1.0
				for j := from; j < from+bisectionOrder; j++ {
					s := beside[j]
					if j == from {
						s = 0
					}
					if delta = diagonal[j] - x - s*s/delta; delta < 0 {
						n++
					}
				}
				return n
			}
			const near = 2e-4
			require.LessOrEqual(t, below(value-near), k)
			require.Greater(t, below(value+near), k)
		}
	},
	"textureconv": func(t *testing.T, buffers [][]byte) {
		texels, sums := floatsIn(picture()[0].Texels), floatsIn(buffers[0])
		for i, sum := range sums {
			want, row := 0.0, i/textureWidth*textureWidth
			for k := -8; k <= 8; k++ {
				x := min(max(i-row+k, 0), textureWidth-1)
				want += texels[row+x] * float64(9-max(k, -k))
			}
			require.InDelta(t, want, sum, 1e-4)
		}
	},
	"intervals": func(t *testing.T, buffers [][]byte) {
		const digits = 200
		for i, a := range floatsIn(buffers[0]) {
			low := math.Float64frombits(binary.LittleEndian.Uint64(buffers[1][16*i:]))
			high := math.Float64frombits(binary.LittleEndian.Uint64(buffers[1][16*i+8:]))
			cube := func(x float64) *big.Float {
				b := new(big.Float).SetPrec(digits).SetFloat64(x)
				return b.Mul(b, new(big.Float).SetPrec(digits).Mul(b, b))
			}
			require.LessOrEqual(t, cube(low).Cmp(big.NewFloat(a)), 0, "%v", a)
			require.GreaterOrEqual(t, cube(high).Cmp(big.NewFloat(a)), 0, "%v", a)
			require.Less(t, high-low, 1e-14)
		}
	},
	"wide": func(t *testing.T, buffers [][]byte) {
		swapped := func(b []byte, half int) (list []byte) {
			for part := range slices.Chunk(b, 2*half) {
				list = append(append(list, part[half:]...), part[:half]...)
			}
			return list
		}
		require.Equal(t, swapped(buffers[0], 16), buffers[2])
		require.Equal(t, swapped(buffers[1], 4), buffers[3])
	},
	"misaligned": func(t *testing.T, buffers [][]byte) {
		words, sums := wordsIn(buffers[0]), wordsIn(buffers[3])
		for i := range accesses {
			half := binary.LittleEndian.Uint16(buffers[2][2*i:])
			want := words[i+1] + words[2*i] + uint32(buffers[1][i]) + uint32(half)
			require.Equal(t, want, sums[i+1])
			require.Equal(t, byte(want), buffers[4][i])
			require.Equal(t, uint16(want), binary.LittleEndian.Uint16(buffers[5][2*i+2:]))
		}
	},
	oneBlock: func(t *testing.T, buffers [][]byte) {
		sum, sums := uint32(0), wordsIn(buffers[1])
		for i, v := range wordsIn(buffers[0]) {
			sum += v
			require.Equal(t, sum, sums[i])
		}
	},
}

func TestSmallWorkloads(t *testing.T) {
	for _, w := range smallWorkloads() {
		t.Run(w.Name, func(t *testing.T) {
			require.Contains(t, checks, w.Name)
			b, _ := launchOnce(t, &w)
			checks[w.Name](t, b.buffers)
		})
	}
}

// A measurement of the workload of many launches counts all of them.
func TestManyLaunches(t *testing.T) {
	all := smallWorkloads()
	w := &all[len(all)-1]
	require.Equal(t, oneBlock, w.Name)
	b, once := launchOnce(t, w)
	r, err := b.Run(1, 0)
	require.NoError(t, err)
	require.Equal(t, leastLaunches*launchesEach, r.Launches)
	require.Equal(t, launchesEach*once.WarpInstructions, r.WarpInstructions)
	require.Equal(t, launchesEach*once.ThreadInstructions, r.ThreadInstructions)
	require.Greater(t, r.Seconds, launchesEach*1e-7)
}
