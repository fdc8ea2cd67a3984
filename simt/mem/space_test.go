package mem

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/tesla"
)

func TestAlloc(t *testing.T) {
	s := NewSpace(64 << 10)
	free, total := s.Info()
	require.Equal(t, uint64(64<<10), free)
	require.Equal(t, uint64(64<<10), total)

	for _, c := range []struct {
		size, base, free uint64
	}{
		{1, 0x1000, 60 << 10},
		{4096, 0x3000, 56 << 10}, // a guard page follows each
		{4097, 0x5000, 48 << 10},
		{0, 0x8000, 44 << 10},
	} {
		at, err := s.Alloc(c.size)
		require.NoError(t, err)
		require.Equal(t, c.base, uint64(at))
		b, err := s.Bytes(at, c.size)
		require.NoError(t, err)
		require.Equal(t, make([]byte, c.size), b)
		base, size, ok := s.Range(at)
		require.True(t, ok)
		require.Equal(t, at, base)
		require.Equal(t, c.size, size)
		free, _ := s.Info()
		require.Equal(t, c.free, free)
	}
}

func TestAllocOutOfMemory(t *testing.T) {
	s := NewSpace(10 << 10)
	_, err := s.Alloc(8193) // three pages do not fit
	require.Equal(t, &OutOfMemoryError{Size: 8193, Free: 10 << 10}, err)
	require.EqualError(t, err, "out of device memory: 8193 bytes asked for, 10240 free")
	_, err = s.Alloc(1<<64 - 1)
	require.Equal(t, &OutOfMemoryError{Size: 1<<64 - 1, Free: 10 << 10}, err)
	at, err := s.Alloc(8192)
	require.NoError(t, err)
	_, err = s.Alloc(0)
	require.Equal(t, &OutOfMemoryError{Size: 0, Free: 2 << 10}, err)
	require.NoError(t, s.Free(at))
	_, err = s.Alloc(8192)
	require.NoError(t, err)
}

func TestAllocRunsOutOfAddresses(t *testing.T) {
	s := NewSpace(1 << 40)
	_, err := s.Alloc(1 << 32)
	require.Equal(t, &OutOfMemoryError{Size: 1 << 32, Free: 1 << 40}, err)
	_, err = s.Alloc(1 << 39)
	require.Equal(t, &OutOfMemoryError{Size: 1 << 39, Free: 1 << 40}, err)
}

func TestFreedAddressesComeBackLate(t *testing.T) {
	s := NewSpace(1 << 30)
	a, err := s.Alloc(4096)
	require.NoError(t, err)
	require.NoError(t, s.Free(a))
	b, err := s.Alloc(4096)
	require.NoError(t, err)
	require.NotEqual(t, a, b)

	// the rest of the address space is taken, so the hole is used
	s.next = lastPage - 1
	c, err := s.Alloc(4096)
	require.NoError(t, err)
	require.Equal(t, a, c)
	d, err := s.Alloc(4096)
	require.NoError(t, err)
	require.Equal(t, b+2*pageSize, d)
}

func TestFree(t *testing.T) {
	s := NewSpace(1 << 20)
	at, err := s.Alloc(8192)
	require.NoError(t, err)
	for _, addr := range []uint32{0, at + 1, at + 4096, at + 8192, at - 4096, 0xffffffff} {
		require.Equal(t, &NotAllocatedError{Addr: addr}, s.Free(addr))
	}
	require.EqualError(t, s.Free(0x10), "no allocation starts at 0x10")
	require.NoError(t, s.Free(at))
	require.Equal(t, &NotAllocatedError{Addr: at}, s.Free(at))
	free, total := s.Info()
	require.Equal(t, total, free)
	_, _, ok := s.Range(at)
	require.False(t, ok)
	require.Equal(t, Unmapped, s.Load(&Data{same(0)}, same(at), 1, tesla.B32, nil).Kind)
}

func TestRangeAndBytes(t *testing.T) {
	s := NewSpace(1 << 20)
	at, err := s.Alloc(5000)
	require.NoError(t, err)
	for _, addr := range []uint32{at, at + 1, at + 4999} {
		base, size, ok := s.Range(addr)
		require.True(t, ok)
		require.Equal(t, at, base)
		require.Equal(t, uint64(5000), size)
	}
	for _, addr := range []uint32{0, at - 1, at + 5000, at + 8192} {
		_, _, ok := s.Range(addr)
		require.False(t, ok, "0x%x", addr)
	}

	b, err := s.Bytes(at+10, 4990)
	require.NoError(t, err)
	require.Len(t, b, 4990)
	require.Equal(t, 4990, cap(b))
	b[0] = 7
	again, err := s.Bytes(at, 5000)
	require.NoError(t, err)
	require.Equal(t, byte(7), again[10])
	_, err = s.Bytes(at+5000, 0)
	require.NoError(t, err)

	for _, c := range []RangeError{{at, 5001}, {at + 4999, 2}, {at + 5001, 0}, {0, 1}, {at + 1, 1<<64 - 1}} {
		_, err := s.Bytes(c.Addr, c.Size)
		require.Equal(t, &c, err)
	}
	_, err = s.Bytes(0x10, 3)
	require.EqualError(t, err, "3 bytes at 0x10 are not inside one allocation")
}

func TestAllocIn(t *testing.T) {
	s := NewSpace(10 << 10)
	backing := make([]byte, 5000, 6000)
	at, err := s.AllocIn(backing, 0)
	require.NoError(t, err)
	require.False(t, s.Shared(), "the host does not write it")
	free, _ := s.Info()
	require.Equal(t, uint64(2<<10), free)
	b, err := s.Bytes(at, 5000)
	require.NoError(t, err)
	b[4999] = 7
	require.Equal(t, byte(7), backing[4999])
	_, err = s.AllocIn(backing, 0)
	require.Equal(t, &OutOfMemoryError{Size: 5000, Free: 2 << 10}, err)
	require.NoError(t, s.Free(at))
	_, err = s.AllocIn(backing, 0)
	require.NoError(t, err)
}

func TestMap(t *testing.T) {
	s := NewSpace(0)
	host := make([]byte, 100, 4096)
	at, err := s.Map(host)
	require.NoError(t, err)
	require.Nil(t, s.Store(&Data{number(0)}, from(at, 4), 0x1ffffff, tesla.B32, nil))
	require.Equal(t, []byte{24, 0, 0, 0}, host[96:])
	require.True(t, s.Mapped(at+99))
	require.False(t, s.Mapped(at+4096))
	_, window := s.Window(at, false)
	require.Nil(t, window)
	require.Equal(t, &Violation{OutOfRange, 'g', 1 << 25, at + 100}, s.Store(&Data{number(0)}, from(at, 4), 0x3ffffff, tesla.B32, nil))
	free, total := s.Info()
	require.Zero(t, free)
	require.Zero(t, total)
	require.NoError(t, s.Free(at))
	require.Equal(t, Unmapped, s.Load(&Data{same(0)}, same(at), 1, tesla.B32, nil).Kind)
}

// TestAllocAgainstList compares random allocations and frees with a plain list.
func TestAllocAgainstList(t *testing.T) {
	const capacity = 1 << 20
	type entry struct {
		base uint32
		size uint64
	}
	r := rand.New(rand.NewPCG(3, 4))
	s := NewSpace(capacity)
	var live []entry
	var used uint64
	pages := func(size uint64) uint64 { return max(1, (size+4095)/4096) * 4096 }
	for n := range 3000 {
		if n%500 == 499 {
			s.next = lastPage - 3 // start again at the bottom, where holes are
		}
		if len(live) > 0 && r.IntN(5) < 2 {
			k := r.IntN(len(live))
			require.NoError(t, s.Free(live[k].base))
			used -= pages(live[k].size)
			live = append(live[:k], live[k+1:]...)
			continue
		}
		size := r.Uint64() % (1 << (r.Uint64() % 18))
		at, err := s.Alloc(size)
		if used+pages(size) > capacity {
			require.Equal(t, &OutOfMemoryError{Size: size, Free: capacity - used}, err)
			continue
		}
		require.NoError(t, err)
		require.Zero(t, at%4096)
		require.NotZero(t, at)
		for _, e := range live { // a guard page between any two
			below := uint64(at)+pages(size) < uint64(e.base)
			above := uint64(e.base)+pages(e.size) < uint64(at)
			require.True(t, below || above, "0x%x+%d and 0x%x+%d", at, size, e.base, e.size)
		}
		b, err := s.Bytes(at, size)
		require.NoError(t, err)
		require.Equal(t, make([]byte, size), b)
		for i := range b {
			b[i] = 0xff
		}
		live = append(live, entry{at, size})
		used += pages(size)
		free, _ := s.Info()
		require.Equal(t, uint64(capacity)-used, free)
	}
	require.NotEmpty(t, live)
}

func TestReserve(t *testing.T) {
	s := NewSpace(4 * 4096)
	require.NoError(t, s.Reserve(4097))
	free, total := s.Info()
	require.Equal(t, [2]uint64{2 * 4096, 4 * 4096}, [2]uint64{free, total})
	_, err := s.Alloc(3 * 4096)
	require.Equal(t, &OutOfMemoryError{Size: 3 * 4096, Free: 2 * 4096}, err)
	for _, size := range []uint64{2*4096 + 1, 1 << 40, math.MaxUint64} {
		require.Equal(t, &OutOfMemoryError{Size: size, Free: 2 * 4096}, s.Reserve(size))
	}
	s.Release(4097)
	require.NoError(t, s.Reserve(4*4096))
}

func TestAllocAt(t *testing.T) {
	s := NewSpace(0x2000 + 0x1100 + 0x200)
	require.NoError(t, s.AllocAt(0x10000, make([]byte, 0x2000), 0))
	for _, c := range []struct {
		addr uint32
		size int
		fits bool
	}{
		{0, 1, false},
		{0x20880, 1, false}, // no multiple of 256
		{0x10000, 1, false},
		{0x11000, 1, false},
		{0x11f00, 1, false},
		{0xf000, 0x1001, false}, // reaches page 16
		{0xd000, 0x1001, true},
		{0x13000, 0, true},
		{0xfffff000, 1, false}, // the last page is never mapped
		{0xffffd000, 1, true},
	} {
		b := make([]byte, c.size)
		err := s.AllocAt(c.addr, b, 0)
		if !c.fits {
			require.Equal(t, &PlaceError{Addr: c.addr, Size: uint64(c.size)}, err)
			continue
		}
		require.NoError(t, err, "%#x", c.addr)
		base, size, ok := s.Range(c.addr)
		require.True(t, ok)
		require.Equal(t, c.addr, base)
		require.Equal(t, uint64(c.size), size)
	}
	require.Len(t, s.live, 4)
	require.False(t, s.Shared())
	require.Equal(t, &OutOfMemoryError{Size: 1}, s.AllocAt(0x40000, make([]byte, 1), 0))
	for i := range 3 {
		require.LessOrEqual(t, s.end(s.live[i]), s.live[i+1].page())
	}
}
