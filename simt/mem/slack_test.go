package mem

import (
	"hash/maphash"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/simt/lane"
	"jacquard/tesla"
)

// slackened returns a space with three allocations of size bytes, each with slack to the end of its
// page. at is the address of the middle one.
func slackened(t *testing.T, size int) (s *Space, below, at, above uint32) {
	t.Helper()
	s = NewSpace(1 << 20)
	var where [3]uint32
	for i := range where {
		var err error
		where[i], err = s.AllocIn(make([]byte, pageSize), pageSize-size)
		require.NoError(t, err)
	}
	return s, where[0], where[1], where[2]
}

func TestWithSlack(t *testing.T) {
	for size, want := range map[uint64]uint64{0: 4096, 1: 4096, 96: 4096, 4096: 4096, 4097: 8192, 1 << 32: 1 << 32} {
		require.Equal(t, want, WithSlack(size))
	}
}

func TestSlackIsNoPartOfAnAllocation(t *testing.T) {
	s, below, at, _ := slackened(t, 96)
	free, _ := s.Info()
	require.Equal(t, uint64(1<<20-3*pageSize), free, "slack costs nothing: whole pages count anyway")
	_, size, ok := s.Range(at)
	require.True(t, ok)
	require.Equal(t, uint64(96), size)
	_, _, ok = s.Range(at + 96)
	require.False(t, ok)
	_, err := s.Bytes(at, 97)
	require.Equal(t, &RangeError{at, 97}, err)
	for _, b := range s.All() {
		require.Len(t, b, 96)
		require.Equal(t, 96, cap(b))
	}
	require.Len(t, s.Reach(at), pageSize)
	require.Len(t, s.Reach(at+90), pageSize-90)
	require.Empty(t, s.Reach(at+pageSize))
	require.Nil(t, s.Reach(0x10))
	base, size, ok := s.Owner(at + 4000)
	require.True(t, ok)
	require.Equal(t, at, base)
	require.Equal(t, uint64(96), size)
	_, _, ok = s.Owner(below + pageSize)
	require.False(t, ok, "the guard page")
	require.Equal(t, &NotAllocatedError{at + 96}, s.Free(at+96))
	require.NoError(t, s.Free(at))
	require.Equal(t, &Violation{Unmapped, 'g', 1, at + 96}, s.Load(&Data{same(0)}, same(at+96), 1, tesla.B32, nil))
}

func TestSlackEndsWithThePage(t *testing.T) {
	s := NewSpace(1 << 20)
	require.Panics(t, func() { s.AllocIn(make([]byte, pageSize+1), pageSize+1-96) })
	require.Panics(t, func() { s.AllocAt(0x10000, make([]byte, 2*pageSize), 5000) })
	at, err := s.AllocIn(make([]byte, 2*pageSize), 0)
	require.NoError(t, err)
	require.Equal(t, Unmapped, s.Store(&Data{same(0)}, same(at+2*pageSize), 1, tesla.B32, nil).Kind)
}

func TestSlackViolations(t *testing.T) {
	const size = 98 // elements can straddle the end
	for _, c := range []struct {
		name string
		addr func(at uint32) *lane.Row
		m    lane.Mask
		t    tesla.Type
		want func(at uint32) *Violation // nil: no violation
	}{
		{"the last byte", func(at uint32) *lane.Row { return same(at + 97) }, lane.All, tesla.U8, nil},
		{"the first byte of slack", func(at uint32) *lane.Row { return same(at + 98) }, 4, tesla.U8,
			func(at uint32) *Violation { return &Violation{Overrun, 'g', 4, at + 98} }},
		{"across the end", func(at uint32) *lane.Row { return from(at+92, 4) }, 3, tesla.B32,
			func(at uint32) *Violation { return &Violation{Overrun, 'g', 2, at + 96} }},
		{"a warp that passes the end", func(at uint32) *lane.Row { return from(at, 4) }, lane.All, tesla.B32,
			func(at uint32) *Violation { return &Violation{Overrun, 'g', 0xff000000, at + 96} }},
		{"the last of the slack", func(at uint32) *lane.Row { return from(at+pageSize-128, 4) }, lane.All, tesla.B32,
			func(at uint32) *Violation { return &Violation{Overrun, 'g', lane.All, at + pageSize - 128} }},
		{"beyond the slack", func(at uint32) *lane.Row { return from(at+pageSize-124, 4) }, lane.All, tesla.B32,
			func(at uint32) *Violation { return &Violation{Unmapped, 'g', 1 << 31, at + pageSize} }},
		{"misaligned in slack", func(at uint32) *lane.Row { return same(at + 102) }, 1, tesla.B32,
			func(at uint32) *Violation { return &Violation{Misaligned, 'g', 1, at + 102} }},
		{"before the allocation", func(at uint32) *lane.Row { return from(at-4, 4) }, lane.All, tesla.B32,
			func(at uint32) *Violation { return &Violation{Unmapped, 'g', 1, at - 4} }},
		{"null", func(uint32) *lane.Row { return same(96) }, 1, tesla.B32,
			func(uint32) *Violation { return &Violation{Unmapped, 'g', 1, 96} }},
	} {
		t.Run(c.name, func(t *testing.T) {
			s, _, at, _ := slackened(t, size)
			addr := c.addr(at)
			var want *Violation
			if c.want != nil {
				want = c.want(at)
			}
			happens := want == nil || want.Kind == Overrun
			untouched := string(s.Reach(at))
			require.Equal(t, want, s.Store(&Data{same(7)}, addr, c.m, c.t, nil))
			require.Equal(t, happens, string(s.Reach(at)) != untouched)
			require.Equal(t, happens, s.Written(at))
			d := &Data{same(9)}
			require.Equal(t, want, s.Load(d, addr, c.m, c.t, nil))
			if happens {
				require.Equal(t, uint32(7), d[0][first(c.m)])
			} else {
				require.Equal(t, same(9), d[0])
			}
			if c.t == tesla.B32 {
				require.Equal(t, want, s.Atomic(tesla.AtomAdd, tesla.U32, addr, &Data{same(1)}, nil, c.m, nil))
			}
		})
	}
}

// TestSlackAgainstLargerAllocation compares an allocation with slack and an allocation as large as
// both together: only the violations differ. Neighbours do not change.
func TestSlackAgainstLargerAllocation(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for range 400 {
		size := 1 + r.IntN(pageSize-1)
		s, below, at, above := slackened(t, size)
		large := NewSpace(1 << 20)
		require.NoError(t, large.AllocAt(at, make([]byte, pageSize), 0))
		for range 20 {
			a, what := accessTypes[r.IntN(len(accessTypes))], r.IntN(3)
			if what == 2 && a.size > 8 { // no atomic is that wide
				a = accessType{tesla.U64, 8, false}
			}
			start, step := uint32(r.IntN(pageSize+64)), a.size*uint32(r.IntN(3))
			if r.IntN(2) == 0 { // near the end
				start = uint32(max(0, size-64+r.IntN(96)))
			}
			start = start / a.size * a.size
			addr, m := from(at+start, step), lane.Mask(r.Uint32())
			m |= lane.Mask(r.Uint32())
			words := Data{rowOf(func(int) uint32 { return r.Uint32() }), number(1), number(2), number(3)}
			var got, want Data
			for k := range got {
				got[k], want[k] = new(lane.Row), new(lane.Row)
			}
			var cost, costs Cost
			var v, w *Violation
			switch what {
			case 0:
				v, w = s.Load(&got, addr, m, a.t, &cost), large.Load(&want, addr, m, a.t, &costs)
			case 1:
				v, w = s.Store(&words, addr, m, a.t, &cost), large.Store(&words, addr, m, a.t, &costs)
			case 2:
				v = s.Atomic(tesla.AtomAdd, a.t, addr, &words, nil, m, &got)
				w = large.Atomic(tesla.AtomAdd, a.t, addr, &words, nil, m, &want)
			}
			require.Equal(t, want, got)
			require.Equal(t, costs, cost)
			require.Equal(t, large.Reach(at), s.Reach(at))
			if w != nil {
				require.Equal(t, w, v)
				continue
			}
			beyond := lane.Mask(0)
			for i, b := range addr {
				if m>>i&1 != 0 && int(b-at)+int(a.size) > size {
					beyond |= 1 << i
				}
			}
			if beyond == 0 {
				require.Nil(t, v)
			} else {
				require.Equal(t, &Violation{Overrun, 'g', beyond, addr[first(beyond)]}, v)
			}
		}
		for _, n := range []uint32{below, above} {
			require.Equal(t, make([]byte, pageSize), s.Reach(n))
			require.False(t, s.Written(n))
		}
	}
}

func TestCloneKeepsSlack(t *testing.T) {
	s, _, at, _ := slackened(t, 96)
	require.Equal(t, Overrun, s.Store(&Data{number(1)}, from(at, 4), lane.All, tesla.B32, nil).Kind)
	c := s.Clone(func(_ uint32, data []byte) []byte { return slices.Clone(data) })
	require.Equal(t, s.Reach(at), c.Reach(at))
	_, size, _ := c.Range(at)
	require.Equal(t, uint64(96), size)
	seed := maphash.MakeSeed()
	require.Equal(t, s.Fingerprint(seed), c.Fingerprint(seed))
	c.Reach(at)[100]++
	require.NotEqual(t, s.Fingerprint(seed), c.Fingerprint(seed), "a loop may make progress in slack only")
}
