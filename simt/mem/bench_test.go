package mem

import (
	"testing"

	"jacquard/simt/lane"
	"jacquard/tesla"
)

// patterns are the address rows of the benchmarks, within 4 KiB.
var patterns = []struct {
	name string
	at   func(i int) uint32
	m    lane.Mask
}{
	{"contiguous", func(i int) uint32 { return uint32(4 * i) }, lane.All},
	{"broadcast", func(int) uint32 { return 64 }, lane.All},
	{"gather", func(i int) uint32 { return uint32(i*1236) & 0xffc }, lane.All},
	{"masked", func(i int) uint32 { return uint32(4 * i) }, 0x0ff0ffff},
}

func BenchmarkGlobal(b *testing.B) {
	s := NewSpace(1 << 20)
	base, _ := s.Alloc(4096)
	benchmark(b, s, base)
}

func BenchmarkShared(b *testing.B) {
	var s Shared
	s.Reset(4096)
	benchmark(b, &s, 0)
}

func BenchmarkLocal(b *testing.B) { benchmark(b, make(Local, LocalRows(4096)), 0) }

func benchmark(b *testing.B, s spaceUnderTest, base uint32) {
	for _, p := range patterns {
		var addr, r lane.Row
		for i := range addr {
			addr[i] = base + p.at(i)
		}
		data := &Data{&r}
		b.Run("load/"+p.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				s.Load(data, &addr, p.m, tesla.B32, nil)
			}
		})
		b.Run("store/"+p.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				s.Store(data, &addr, p.m, tesla.B32, nil)
			}
		})
	}
}

func BenchmarkLoadWord(b *testing.B) {
	var s Shared
	s.Reset(64)
	for b.Loop() {
		s.LoadWord(16, tesla.B32)
	}
}

func BenchmarkAtomic(b *testing.B) {
	s := NewSpace(1 << 20)
	base, _ := s.Alloc(4096)
	var addr, one, old lane.Row
	for i := range addr {
		addr[i], one[i] = base+uint32(4*i), 1
	}
	for b.Loop() {
		s.AtomicAlone(tesla.AtomAdd, tesla.U32, &addr, &Data{&one}, nil, lane.All, &Data{&old})
	}
}

func BenchmarkCosts(b *testing.B) {
	for _, p := range patterns {
		var addr lane.Row
		for i := range addr {
			addr[i] = p.at(i)
		}
		b.Run("global10/"+p.name, func(b *testing.B) {
			for b.Loop() {
				Transactions10(&addr, p.m, 4)
			}
		})
		b.Run("global12/"+p.name, func(b *testing.B) {
			for b.Loop() {
				Transactions12(&addr, p.m, 4)
			}
		})
		b.Run("shared/"+p.name, func(b *testing.B) {
			for b.Loop() {
				SharedSteps(&addr, p.m, 4)
			}
		})
		b.Run("const/"+p.name, func(b *testing.B) {
			for b.Loop() {
				constSteps(&addr, p.m)
			}
		})
	}
}

// BenchmarkSmallAllocations fills every second of many places that were freed.
func BenchmarkSmallAllocations(b *testing.B) {
	const n = 80000
	for b.Loop() {
		s := NewSpace(1 << 30)
		s.Pack()
		var at [n]uint32
		for i := range at {
			at[i], _ = s.AllocSmall(256)
		}
		for i := 0; i < n; i += 2 {
			_ = s.Free(at[i])
		}
		for range n / 2 {
			_, _ = s.AllocSmall(256)
		}
	}
}
