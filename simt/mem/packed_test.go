package mem

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/simt/lane"
	"jacquard/tesla"
)

// packed returns a packed Space.
func packed(capacity uint64) *Space {
	s := NewSpace(capacity)
	s.Pack()
	return s
}

// take allocates as the driver does.
func take(t *testing.T, s *Space, size uint64) uint32 {
	t.Helper()
	var at uint32
	var err error
	if s.Packs(size) {
		at, err = s.AllocSmall(size)
	} else {
		at, err = s.AllocIn(make([]byte, WithSlack(size)), int(WithSlack(size)-size))
	}
	require.NoError(t, err)
	return at
}

// Small allocations share pages, large ones have none between them.
func TestPackedLayout(t *testing.T) {
	s := packed(1 << 20)
	first := take(t, s, 1)
	for _, c := range []struct{ size, at uint64 }{
		{96, 256}, {256, 512}, {257, 768}, {4095, 1280}, {4, 5376},
		{4096, chunkSize}, {4097, chunkSize + 4096}, {1 << 16, chunkSize + 3*4096},
		{8, 5632}, {4096, chunkSize + 19*4096},
	} {
		require.Equal(t, first+uint32(c.at), take(t, s, c.size), "%d bytes", c.size)
	}
	free, total := s.Info()
	require.Equal(t, uint64(chunkSize+20*4096), total-free)
}

// Where there is no room for a chunk, small allocations have pages to share, down to the last.
func TestPackedLastPages(t *testing.T) {
	s := packed(chunkSize + 2*pageSize)
	take(t, s, chunkSize)
	first := take(t, s, 1)
	require.Equal(t, first+256, take(t, s, 300))
	require.Equal(t, first+pageSize, take(t, s, 4095))
	require.Equal(t, first+3*256, take(t, s, 256))
	require.Len(t, s.Reach(first+pageSize), pageSize)
	require.Equal(t, &OutOfMemoryError{Size: 4000}, errorOf(s.AllocSmall(4000)))
	require.NoError(t, s.Free(first+pageSize))
	free, _ := s.Info()
	require.Equal(t, uint64(pageSize), free)
	require.Equal(t, first+2*pageSize, take(t, s, 4000))
}

func errorOf(_ uint32, err error) error { return err }

// Random allocations and frees: every address belongs to the allocation that a list of all says, and
// new memory is zero.
func TestPackedAtRandom(t *testing.T) {
	type span struct {
		at   uint32
		size uint64
	}
	random := rand.New(rand.NewPCG(1, 2))
	s := packed(1 << 30)
	var live []span
	for range 4000 {
		if len(live) > 0 && random.IntN(100) < 48 {
			i := random.IntN(len(live))
			require.NoError(t, s.Free(live[i].at))
			live = slices.Delete(live, i, i+1)
		} else {
			size := uint64(1 + random.IntN(1<<random.IntN(15)))
			want, known := uint32(0), false
			if s.Packs(size) {
				want, known = firstRoom(s, aligned(int(size)))
			}
			at := take(t, s, size)
			require.True(t, !known || at == want, "%#x, not %#x", at, want)
			require.Zero(t, at%alignment)
			b, err := s.Bytes(at, size)
			require.NoError(t, err)
			for i := range b {
				require.Zero(t, b[i])
				b[i] = 0xff
			}
			for _, l := range live {
				require.True(t, uint64(at)+size <= uint64(l.at) || uint64(l.at)+l.size <= uint64(at), "%#x overlaps %#x", at, l.at)
			}
			live = append(live, span{at, size})
		}
		if len(live) == 0 {
			continue
		}
		l := live[random.IntN(len(live))]
		for _, off := range []uint64{0, l.size / 2, l.size - 1} {
			base, size, ok := s.Range(l.at + uint32(off))
			require.True(t, ok)
			require.Equal(t, l, span{base, size})
		}
	}
	for _, l := range live {
		require.NoError(t, s.Free(l.at))
	}
	free, total := s.Info()
	require.Equal(t, total, free)
	require.Empty(t, s.live)
	require.Empty(t, s.gaps)
	for _, leaf := range s.pages {
		if leaf != nil {
			require.Equal(t, [leafPages]*allocation{}, *leaf)
		}
	}
}

// firstRoom returns where a small allocation of n bytes lies if a chunk has room: after the one
// before, or in the first gap.
func firstRoom(s *Space, n int) (addr uint32, ok bool) {
	chunks, taken := []*chunk{}, map[uint32]bool{} // by unit
	if s.open != nil {
		chunks = append(chunks, s.open)
	}
	for _, a := range s.live {
		if a.chunk != nil {
			chunks = append(chunks, a.chunk)
			for off := 0; off < aligned(len(a.data)); off += alignment {
				taken[a.base+uint32(off)] = true
			}
		}
	}
	for i, c := range chunks {
		begin, end, run := 0, len(c.bytes), 0
		if i == 0 && c == s.open {
			begin, end = c.next, min(c.next+n, end)
		}
		for off := begin; off < end; off += alignment {
			if run += alignment; taken[c.base()+uint32(off)] {
				run = 0
			}
			if run == n {
				return c.base() + uint32(off+alignment-n), true
			}
		}
	}
	return 0, false
}

// consecutive returns the addresses of consecutive words.
func consecutive(at uint32) *lane.Row {
	var r lane.Row
	for i := range r {
		r[i] = at + 4*uint32(i)
	}
	return &r
}

// A warp that goes on past an allocation comes to the next, and the violation says so. Lanes that
// access several allocations for other reasons do not.
func TestPackedOverrun(t *testing.T) {
	for _, size := range []uint64{256, 4096} {
		s := packed(1 << 20)
		from, to := take(t, s, size), take(t, s, size)
		require.Equal(t, from+uint32(size), to)
		var v, back lane.Row
		for i := range v {
			v[i] = uint32(100 + i)
		}
		reads := consecutive(to - 64)
		want := &Violation{Overrun, 'g', 0xffff0000, to}
		require.Equal(t, want, s.Store(&Data{&v}, reads, lane.All, tesla.B32, nil))
		require.Equal(t, want, s.Load(&Data{&back}, reads, lane.All, tesla.B32, nil))
		require.Equal(t, v, back)
		b, err := s.Bytes(to, 4)
		require.NoError(t, err)
		require.Equal(t, byte(116), b[0], "the neighbour is written to")
		require.Equal(t, want, s.Atomic(tesla.AtomAdd, tesla.U32, reads, &Data{&v}, nil, lane.All, nil))

		swapped := *reads
		slices.Reverse(swapped[:])
		require.Nil(t, s.Load(&Data{&back}, &swapped, lane.All, tesla.B32, nil))
		require.Nil(t, s.Load(&Data{&back}, consecutive(to), lane.All, tesla.B32, nil))
	}
}

// The bytes between small allocations are slack, as far as a page goes.
func TestPackedSlack(t *testing.T) {
	s := packed(1 << 20)
	a, b := take(t, s, 10), take(t, s, 96)
	require.Len(t, s.Reach(a), 256)
	require.Len(t, s.Reach(b), 4096)
	var back lane.Row
	require.Equal(t, &Violation{Overrun, 'g', 1, a + 252}, s.Load(&Data{&back}, same(a+252), 1, tesla.B32, nil))
	require.Equal(t, &Violation{Overrun, 'g', 1, b + 4092}, s.Load(&Data{&back}, same(b+4092), 1, tesla.B32, nil))
	require.Equal(t, &Violation{Unmapped, 'g', 1, b + 4096}, s.Load(&Data{&back}, same(b+4096), 1, tesla.B32, nil))
	require.NoError(t, s.Free(a))
	require.Equal(t, &Violation{Unmapped, 'g', 1, a}, s.Load(&Data{&back}, same(a), 1, tesla.B32, nil))
}

// A Space made of another's allocations at their addresses answers as that one does.
func TestPackedAllocAt(t *testing.T) {
	s := packed(1 << 20)
	for _, size := range []uint64{1, 96, 4096, 5000, 256, 3000, 300} {
		take(t, s, size)
	}
	clone := s.Clone(func(_ uint32, data []byte) []byte { return slices.Clone(data) })
	again := NewSpace(1 << 20)
	for at, data := range s.All() {
		reach := s.Reach(at)
		require.NoError(t, again.AllocAt(at, slices.Clone(reach), len(reach)-len(data)))
	}
	var back lane.Row
	for at := uint32(0); at < 1<<18; at += 32 {
		want := s.Load(&Data{&back}, consecutive(at), lane.All, tesla.B32, nil)
		require.Equal(t, want, again.Load(&Data{&back}, consecutive(at), lane.All, tesla.B32, nil), "%#x", at)
		require.Equal(t, want, clone.Load(&Data{&back}, consecutive(at), lane.All, tesla.B32, nil), "%#x", at)
	}
}
