package mem

import (
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/simt/lane"
	"jacquard/tesla"
)

func TestSharedReset(t *testing.T) {
	var s Shared
	require.Equal(t, &Violation{OutOfRange, 's', 1, 0}, s.Load(&Data{same(0)}, same(0), 1, tesla.U8, nil))
	s.Reset(100)
	require.Len(t, s.Bytes(), 100)
	require.Nil(t, s.Store(&Data{same(7)}, same(96), 1, tesla.B32, nil))
	won, v := s.LoadLock(same(0), same(96), 1, nil)
	require.Nil(t, v)
	require.Equal(t, lane.Mask(1), won)
	require.Equal(t, &Violation{OutOfRange, 's', 1, 100}, s.Load(&Data{same(0)}, same(100), 1, tesla.B32, nil))

	s.Reset(104)
	require.Equal(t, make([]byte, 104), s.Bytes())
	won, v = s.LoadLock(same(0), same(96), 1, nil)
	require.Nil(t, v)
	require.Equal(t, lane.Mask(1), won, "a new block's locks are free")
	s.Reset(16384)
	require.Equal(t, make([]byte, 16384), s.Bytes())
}

func TestLoadWord(t *testing.T) {
	var s Shared
	s.Reset(10)
	copy(s.Bytes(), "\x01\x82\x03\x84\x05\x86\x07\x88\x09\x8a")
	c := Const("\x01\x82\x03\x84\x05\x86\x07\x88\x09\x8a\x0b")
	for _, x := range []struct {
		name   string
		offset uint32
		t      tesla.Type
		want   uint32
		ok     bool
		bank   uint32
		bankOK bool
	}{
		{"u8", 3, tesla.U8, 0x84, true, 0x84, true},
		{"u16", 2, tesla.U16, 0x8403, true, 0x8403, true},
		{"s16", 8, tesla.S16, 0xffff8a09, true, 0xffff8a09, true},
		{"b16", 8, tesla.B16, 0x8a09, true, 0x8a09, true},
		{"b32", 4, tesla.B32, 0x88078605, true, 0x88078605, true},
		{"cut by the end", 8, tesla.B32, 0, false, 0x000b8a09, true},
		{"beyond the end", 12, tesla.B32, 0, false, 0, true},
		{"far beyond", 0xfffffffc, tesla.B32, 0, false, 0, true},
		{"misaligned half", 1, tesla.U16, 0, false, 0, false},
		{"misaligned word", 2, tesla.B32, 0, false, 0, false},
	} {
		t.Run(x.name, func(t *testing.T) {
			v, ok := s.LoadWord(x.offset, x.t)
			require.Equal(t, x.ok, ok)
			require.Equal(t, x.want, v)
			require.Equal(t, !ok, s.Load(&Data{same(0)}, same(x.offset), lane.All, x.t, nil) != nil, "Load agrees")
			d := same(0)
			require.Equal(t, x.bankOK, c.Load(&Data{d}, same(x.offset), lane.All, x.t, nil) == nil)
			require.Equal(t, x.bank, d[0])
		})
	}
	require.Panics(t, func() { s.LoadWord(0, tesla.B64) })
}

func TestConstMisaligned(t *testing.T) {
	require.Equal(t, &Violation{Misaligned, 'c', 0xee, 1}, Const(nil).Load(&Data{same(0)}, from(0, 1), 0xff, tesla.B32, nil))
}

func TestLocks(t *testing.T) {
	var s Shared
	s.Reset(2048)
	require.Nil(t, s.Store(&Data{number(50)}, from(0, 4), lane.All, tesla.B32, nil))

	// four lanes per word: the lowest wins, all read
	addr := rowOf(func(i int) uint32 { return uint32(i) / 4 * 4 })
	d := same(9)
	won, v := s.LoadLock(d, addr, 0xfffffff0, nil)
	require.Nil(t, v)
	require.Equal(t, lane.Mask(0x11111110), won)
	require.Equal(t, uint32(9), d[3])
	require.Equal(t, uint32(51), d[4])
	require.Equal(t, uint32(57), d[31])

	// no lane wins a locked word
	won, v = s.LoadLock(d, addr, lane.All, nil)
	require.Nil(t, v)
	require.Equal(t, lane.Mask(1), won)

	// the winners write and release; the next lanes win
	require.Nil(t, s.StoreUnlock(number(200), addr, 0x11111111, nil))
	won, v = s.LoadLock(d, addr, 0xeeeeeeee, nil)
	require.Nil(t, v)
	require.Equal(t, lane.Mask(0x22222222), won)
	require.Equal(t, uint32(228), d[31])

	// every word has a lock of its own
	won, v = s.LoadLock(d, from(64, 4), lane.All, nil)
	require.Nil(t, v)
	require.Equal(t, lane.All, won)
	won, v = s.LoadLock(d, from(2048-128, 4), lane.All, nil)
	require.Nil(t, v)
	require.Equal(t, lane.All, won)
}

func TestLocksRefuse(t *testing.T) {
	var s Shared
	s.Reset(64)
	_, v := s.LoadLock(same(0), from(0, 4), lane.All, nil)
	require.Equal(t, &Violation{OutOfRange, 's', 0xffff0000, 64}, v)
	won, v := s.LoadLock(same(0), from(0, 4), 0xffff, nil)
	require.Nil(t, v)
	require.Equal(t, lane.Mask(0xffff), won, "a refused access locks nothing")

	require.Equal(t, &Violation{Misaligned, 's', 0xa, 2}, s.StoreUnlock(number(1), from(0, 2), 0xe, nil))
	won, v = s.LoadLock(same(0), from(0, 4), 0xffff, nil)
	require.Nil(t, v)
	require.Zero(t, won, "a refused access unlocks nothing")
	require.Equal(t, make([]byte, 64), s.Bytes())
}

func TestLocalRows(t *testing.T) {
	for bytes, want := range map[int]int{0: 0, 1: 4, 16: 4, 17: 8, 40: 12, 16384: 4096} {
		require.Equal(t, want, LocalRows(bytes), "%d bytes", bytes)
	}
}

func TestLocalIsPrivate(t *testing.T) {
	l := make(Local, LocalRows(24)) // 32 bytes per thread
	require.Nil(t, l.Store(&Data{number(0x100)}, same(8), lane.All, tesla.B32, nil))
	require.Equal(t, *number(0x100), l[2])
	require.Nil(t, l.Store(&Data{same(0xabcd)}, same(9), 1<<3, tesla.U8, nil))
	d := same(0)
	require.Nil(t, l.Load(&Data{d}, same(8), lane.All, tesla.B32, nil))
	require.Equal(t, uint32(0xcd03), d[3])
	require.Equal(t, uint32(0x104), d[4])
	require.Nil(t, l.Load(&Data{d}, same(31), lane.All, tesla.U8, nil))
	require.Equal(t, &Violation{OutOfRange, 'l', lane.All, 32}, l.Load(&Data{d}, same(32), lane.All, tesla.U8, nil))
	require.Equal(t, &Violation{OutOfRange, 'l', 1, 0}, Local(nil).Store(&Data{d}, same(0), 1, tesla.U8, nil))
}
