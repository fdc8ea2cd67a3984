package lane

import (
	endian "encoding/binary"
	"math/rand/v2"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"
)

// memoryFile is rows beside the memory of every warp of a selection.
type memoryFile struct {
	rows   [2 * MaxWarps]Row
	memory [MaxWarps][4096]byte
	start  [MaxWarps]unsafe.Pointer
}

func newMemoryFile(rnd *rand.Rand) *memoryFile {
	f := new(memoryFile)
	for i := range f.rows {
		for k := range f.rows[i] {
			f.rows[i][k] = rnd.Uint32()
		}
	}
	for w := range f.memory {
		for k := range f.memory[w] {
			f.memory[w][k] = byte(rnd.Uint32())
		}
	}
	return f
}

// point makes the memory of warp k start at an offset, perhaps not a multiple of 4.
func (f *memoryFile) point(offsets *[MaxWarps]int) *memoryFile {
	for k := range f.start {
		f.start[k] = unsafe.Pointer(&f.memory[k][offsets[k]])
	}
	return f
}

func (f *memoryFile) register(n int) Rows { return RowsOf(&f.rows[n*MaxWarps], 1) }

// lanesOf calls f for each selected lane.
func lanesOf(s *Sel, f func(k, w, i int)) {
	for k := range s.N {
		for i := range Width {
			if s.Mask[k]>>i&1 != 0 {
				f(k, int(s.Warp[k]), i)
			}
		}
	}
}

// Every set moves exactly the same words: other memory and idle lanes keep their contents.
func TestMemoryKernels(t *testing.T) {
	le := endian.LittleEndian
	for _, set := range Sets() {
		t.Run(set.SIMD, func(t *testing.T) {
			rnd := rand.New(rand.NewPCG(3, 4))
			for range 200 {
				s := randomSel(rnd)
				f := newMemoryFile(rnd)
				var offsets [MaxWarps]int
				var pattern Row
				var words [MaxWarps]uint32
				for k := range offsets {
					offsets[k] = rnd.IntN(1024)
					words[k] = rnd.Uint32()
				}
				for i := range pattern {
					pattern[i] = rnd.Uint32N(3000)
				}
				for _, c := range []struct {
					name string
					run  func(f *memoryFile)
					want func(f *memoryFile, k, w, i int)
				}{
					{"Gather", func(f *memoryFile) { set.Gather(f.register(0), &f.start, &pattern, s) }, func(f *memoryFile, k, w, i int) {
						f.rows[w][i] = le.Uint32(f.memory[k][offsets[k]+int(pattern[i]):])
					}},
					{"LoadRun", func(f *memoryFile) { set.LoadRun(f.register(0), &f.start, s) }, func(f *memoryFile, k, w, i int) {
						f.rows[w][i] = le.Uint32(f.memory[k][offsets[k]+4*i:])
					}},
					{"StoreRun", func(f *memoryFile) { set.StoreRun(&f.start, f.register(0), s) }, func(f *memoryFile, k, w, i int) {
						le.PutUint32(f.memory[k][offsets[k]+4*i:], f.rows[w][i])
					}},
					{"Scatter", func(f *memoryFile) { set.Scatter(&f.start, &pattern, f.register(0), s) }, func(f *memoryFile, k, w, i int) {
						le.PutUint32(f.memory[k][offsets[k]+int(pattern[i]):], f.rows[w][i])
					}},
					{"Spread", func(f *memoryFile) { set.Spread(f.register(0), &words, s) }, func(f *memoryFile, k, w, i int) {
						f.rows[w][i] = words[k]
					}},
				} {
					want, got := *f, *f
					lanesOf(s, func(k, w, i int) { c.want(&want, k, w, i) })
					c.run(got.point(&offsets))
					require.Equal(t, want.rows, got.rows, c.name)
					require.Equal(t, want.memory, got.memory, c.name)
				}
			}
		})
	}
}

func TestFollow(t *testing.T) {
	for _, set := range Sets() {
		t.Run(set.SIMD, func(t *testing.T) {
			rnd := rand.New(rand.NewPCG(5, 6))
			for range 300 {
				s := randomSel(rnd)
				f := newMemoryFile(rnd)
				var pattern Row
				for i := range pattern {
					pattern[i] = rnd.Uint32()
				}
				var want, out [MaxWarps]Mask
				var bases, base [MaxWarps]uint32
				for k := range s.N {
					row, m := &f.rows[s.Warp[k]], s.Mask[k]
					b := rnd.Uint32()
					bases[k], want[k] = b, m
					lowest := m & -m
					for i := range row {
						switch {
						case m>>i&1 == 0 && rnd.IntN(2) == 0: // idle lanes may hold any address
						case lowest>>i&1 == 0 && rnd.IntN(40) == 0:
							row[i] = b + pattern[i] ^ 1<<rnd.IntN(32)
							want[k] &^= 1 << i
						default:
							row[i] = b + pattern[i]
						}
					}
				}
				set.Follow(&out, &base, f.register(0), &pattern, s)
				require.Equal(t, want, out)
				require.Equal(t, bases, base)
			}
		})
	}
}

// BenchmarkMemory is the time of a selection of sixteen warps.
func BenchmarkMemory(b *testing.B) {
	rnd := rand.New(rand.NewPCG(1, 2))
	var offsets [MaxWarps]int
	for k := range offsets {
		offsets[k] = 192 * k // else all warps would share a few cache lines of the host
	}
	f := newMemoryFile(rnd).point(&offsets)
	s := &Sel{Full: true}
	for w := range MaxWarps {
		s.Add(w, All)
	}
	var pattern Row
	for i := range pattern {
		pattern[i] = 4 * rnd.Uint32N(64)
	}
	var out [MaxWarps]Mask
	var words [MaxWarps]uint32
	for _, set := range Sets() {
		for _, c := range []struct {
			name string
			run  func()
		}{
			{"Follow", func() { set.Follow(&out, &words, f.register(0), &pattern, s) }},
			{"Gather", func() { set.Gather(f.register(0), &f.start, &pattern, s) }},
			{"Scatter", func() { set.Scatter(&f.start, &pattern, f.register(0), s) }},
			{"LoadRun", func() { set.LoadRun(f.register(0), &f.start, s) }},
			{"StoreRun", func() { set.StoreRun(&f.start, f.register(0), s) }},
			{"Spread", func() { set.Spread(f.register(0), &words, s) }},
		} {
			b.Run(c.name+"/"+set.SIMD, func(b *testing.B) {
				for b.Loop() {
					c.run()
				}
			})
		}
	}
}
