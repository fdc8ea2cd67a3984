package mem

import (
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/simt/lane"
	"jacquard/tesla"
)

// block returns a space with one allocation of size bytes, filled with 0, 1, 2 ...
func block(t *testing.T, size uint64) (*Space, uint32) {
	t.Helper()
	s := NewSpace(1 << 20)
	at, err := s.Alloc(size)
	require.NoError(t, err)
	b, err := s.Bytes(at, size)
	require.NoError(t, err)
	for i := range b {
		b[i] = byte(i)
	}
	return s, at
}

func TestLoadTypes(t *testing.T) {
	s, at := block(t, 256)
	b, err := s.Bytes(at, 256)
	require.NoError(t, err)
	copy(b[128:], "\x80\x81\x82\x83\x84\x85\x86\x87\x88\x89\x8a\x8b\x8c\x8d\x8e\x8f")
	for _, c := range []struct {
		name string
		t    tesla.Type
		want [4]uint32
	}{
		{"u8", tesla.U8, [4]uint32{0x80, 9, 9, 9}},
		{"s8", tesla.S8, [4]uint32{0xffffff80, 9, 9, 9}},
		{"u16", tesla.U16, [4]uint32{0x8180, 9, 9, 9}},
		{"s16", tesla.S16, [4]uint32{0xffff8180, 9, 9, 9}},
		{"b32", tesla.B32, [4]uint32{0x83828180, 9, 9, 9}},
		{"b64", tesla.B64, [4]uint32{0x83828180, 0x87868584, 9, 9}},
		{"b128", tesla.B128, [4]uint32{0x83828180, 0x87868584, 0x8b8a8988, 0x8f8e8d8c}},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := &Data{same(9), same(9), same(9), same(9)}
			require.Nil(t, s.Load(d, same(at+128), 1<<5, c.t, nil))
			for k, want := range c.want {
				require.Equal(t, want, d[k][5])
				require.Equal(t, uint32(9), d[k][4], "idle lane")
			}
		})
	}
}

func TestSize(t *testing.T) {
	for _, a := range accessTypes {
		require.Equal(t, int(a.size), Size(a.t))
	}
	require.PanicsWithValue(t, "mem: no access of type 0", func() { Size(tesla.TypeNone) })
	require.PanicsWithValue(t, "mem: no access of type 200", func() { Size(200) })
}

func TestGlobalViolations(t *testing.T) {
	s, at := block(t, 256)
	second, err := s.Alloc(100)
	require.NoError(t, err)
	for _, c := range []struct {
		name string
		addr *lane.Row
		m    lane.Mask
		t    tesla.Type
		want *Violation
	}{
		{"null", same(0), lane.All, tesla.B32, &Violation{Unmapped, 'g', lane.All, 0}},
		{"null page", same(0xffc), 1, tesla.B32, &Violation{Unmapped, 'g', 1, 0xffc}},
		{"last byte", from(at+224, 1), lane.All, tesla.U8, nil},
		{"one past the end", from(at+225, 1), lane.All, tesla.U8, &Violation{OutOfRange, 'g', 1 << 31, at + 256}},
		{"half past the end", from(at+252, 4), 3, tesla.B32, &Violation{OutOfRange, 'g', 2, at + 256}},
		{"aligned quad cut by the end", same(second + 96), 1, tesla.B128, &Violation{OutOfRange, 'g', 1, second + 96}},
		{"below", from(at-4, 4), lane.All, tesla.B32, &Violation{Unmapped, 'g', 1, at - 4}},
		{"guard page", same(at + 4096), 2, tesla.B32, &Violation{Unmapped, 'g', 2, at + 4096}},
		{"misaligned word", from(at+2, 4), 0xf0, tesla.B32, &Violation{Misaligned, 'g', 0xf0, at + 18}},
		{"misaligned double", from(at, 4), lane.All, tesla.B64, &Violation{Misaligned, 'g', 0xaaaaaaaa, at + 4}},
		{"misaligned and outside", same(3), 4, tesla.B32, &Violation{Misaligned, 'g', 4, 3}},
		{"idle lanes do not count", from(at, 64), 0xf, tesla.B32, nil},
		{"wraps around", from(0xffffffc0, 4), lane.All, tesla.B32, &Violation{Unmapped, 'g', lane.All, 0xffffffc0}},
		{"two allocations", rowOf(func(i int) uint32 { return []uint32{at, second}[i%2] + uint32(i) }), 0xffff, tesla.U8, nil},
		{"mixed", rowOf(func(i int) uint32 { return []uint32{at, at + 1, at + 256, 0}[i%4] }), 0xfc, tesla.B32, &Violation{OutOfRange, 'g', 0xec, at + 256}},
		{"no lane", same(0), 0, tesla.B32, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := &Data{same(9), same(9), same(9), same(9)}
			require.Equal(t, c.want, s.Load(d, c.addr, c.m, c.t, nil))
			if c.want != nil {
				require.Equal(t, &Data{same(9), same(9), same(9), same(9)}, d, "a refused load changes nothing")
			}
			before, err := s.Bytes(at, 256)
			require.NoError(t, err)
			kept := string(before)
			require.Equal(t, c.want, s.Store(d, c.addr, c.m, c.t, nil))
			if c.want != nil {
				require.Equal(t, kept, string(before), "a refused store changes nothing")
			}
		})
	}
}

func TestViolationText(t *testing.T) {
	v := &Violation{Misaligned, 'g', 0xf0, 0x1012}
	require.Equal(t, "misaligned address g[0x1012], lanes 000000f0", v.String())
	for k := Unmapped; k <= Overrun; k++ {
		require.NotContains(t, k.String(), "Kind(")
	}
	require.Equal(t, "Kind(0)", Kind(0).String())
	require.Equal(t, "Kind(7)", (Overrun + 1).String())
}

func TestHighestLaneWins(t *testing.T) {
	s, at := block(t, 256)
	second, err := s.Alloc(16)
	require.NoError(t, err)
	for _, c := range []struct {
		name string
		addr *lane.Row
		m    lane.Mask
		want uint32
	}{
		{"all lanes", same(at), lane.All, 131},
		{"some lanes", same(at), 0x00ff0000, 123},
		{"in two allocations", rowOf(func(i int) uint32 { return []uint32{at, second}[i%2] }), lane.All, 130},
	} {
		t.Run(c.name, func(t *testing.T) {
			for _, typ := range []tesla.Type{tesla.U8, tesla.U16, tesla.B32, tesla.B64, tesla.B128} {
				row := number(100)
				require.Nil(t, s.Store(&Data{row, row, row, row}, c.addr, c.m, typ, nil))
				d := &Data{same(0), same(0), same(0), same(0)}
				require.Nil(t, s.Load(d, same(at), 1, typ, nil))
				require.Equal(t, c.want, d[0][0])
			}
		})
	}
}

func TestLoadOverItsAddresses(t *testing.T) {
	s, at := block(t, 1024)
	for name, addr := range map[string]*lane.Row{
		"contiguous": from(at, 16),
		"broadcast":  same(at + 16),
		"scattered":  rowOf(func(i int) uint32 { return at + uint32(i*7%32*16) }),
	} {
		t.Run(name, func(t *testing.T) {
			for k := range 4 {
				row := *addr
				d := &Data{same(0), same(0), same(0), same(0)}
				d[k] = &row
				require.Nil(t, s.Load(d, &row, lane.All, tesla.B128, nil))
				want := &Data{same(0), same(0), same(0), same(0)}
				require.Nil(t, s.Load(want, addr, lane.All, tesla.B128, nil))
				require.Equal(t, want, d)
			}
			row, want := *addr, *same(0)
			require.Nil(t, s.Load(&Data{&want}, addr, lane.All, tesla.B32, nil))
			require.Nil(t, s.Load(&Data{&row}, &row, lane.All, tesla.B32, nil))
			require.Equal(t, want, row)
		})
	}
}

func TestStoreWritesNothingElse(t *testing.T) {
	s, at := block(t, 256)
	require.Nil(t, s.Store(&Data{same(0xeeeeeeee)}, from(at, 4), 0x80000002, tesla.B32, nil))
	b, err := s.Bytes(at, 256)
	require.NoError(t, err)
	for i, v := range b {
		want := byte(i)
		if i/4 == 1 || i/4 == 31 {
			want = 0xee
		}
		require.Equal(t, want, v, "byte %d", i)
	}
}

func TestFencePage(t *testing.T) {
	var f FencePage
	d := &Data{same(9), same(9)}
	require.Nil(t, f.Load(d, from(31*4+7*0x100, 0), lane.All, tesla.B32, nil))
	require.Equal(t, &Data{same(0), same(9)}, d)
	require.Equal(t, &Violation{OutOfRange, 'g', 2, 4096}, f.Load(d, from(4092, 4), 3, tesla.B32, nil))
	require.Equal(t, &Violation{ReadOnly, 'g', 6, 4}, f.Store(d, from(0, 4), 6, tesla.B32, nil))
	require.Nil(t, f.Store(d, from(0, 4), 0, tesla.B32, nil))
}
