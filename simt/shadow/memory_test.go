package shadow

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/simt/mem"
)

// naive is the shadow of memory, byte by byte.
type naive map[uint32]uint8

// The shadow agrees with a map of bytes, and a launch that is put back leaves no trace.
func TestMemory(t *testing.T) {
	const size = 3*pageSize + 700
	r := rand.New(rand.NewPCG(7, 8))
	space := mem.NewSpace(1 << 20)
	base, err := space.AllocIn(make([]byte, size), 0)
	require.NoError(t, err)
	m, want := NewMemory(), naive{}
	change := func() {
		addr := base + r.Uint32N(size)
		n := uint64(min(1+r.IntN(1<<r.IntN(14)), int(base+size-addr)))
		switch r.IntN(5) {
		case 0:
			m.Blank(addr, n)
			for k := range uint32(n) {
				want[addr+k] = 0xff
			}
		case 1, 2:
			m.Define(addr, n)
			for k := range uint32(n) {
				delete(want, addr+k)
			}
		case 3:
			to := base + r.Uint32N(size-uint32(n)+1)
			m.Copy(to, addr, n)
			old := naive{}
			for k := range uint32(n) {
				old[k] = want[addr+k]
			}
			for k := range uint32(n) {
				if want[to+k] = old[k]; old[k] == 0 {
					delete(want, to+k)
				}
			}
		case 4:
			bits := uint8(r.Uint32())
			m.setByte(addr, bits, 3)
			if want[addr] = bits; bits == 0 {
				delete(want, addr)
			}
		}
	}
	check := func() {
		for k := range uint32(size) {
			if bits, _ := m.byte(base + k); bits != want[base+k] {
				t.Fatalf("byte %d: %#x, want %#x", k, bits, want[base+k])
			}
		}
		addr, n := base+r.Uint32N(size), uint64(1+r.IntN(900))
		any := false
		for k := range uint32(n) {
			any = any || want[addr+k] != 0
		}
		require.Equal(t, any, m.Reached(addr, n))
	}
	for range 200 {
		for range 8 {
			change()
		}
		check()
		keep := naive{}
		for k, v := range want {
			keep[k] = v
		}
		back := r.IntN(2) == 0
		m.begin(space)
		data := space.Reach(base)
		before := append([]byte(nil), data...)
		for range 8 {
			change()
			at := base + r.Uint32N(size)
			m.keep(at)
			data[at-base]++
		}
		check()
		if !back {
			m.end()
			continue
		}
		m.back()
		want = keep
		check()
		require.Equal(t, before, data)
	}
}

// Padding is told from what a program forgot to write by what it would align.
func TestPadding(t *testing.T) {
	for _, c := range []struct {
		name    string
		written string // of each structure; x is written
		padding bool
	}{
		{"char, int", "x...xxxx", true},
		{"int, char", "xxxxx...", true},
		{"char, short, char", "x.xxx.", true},
		{"double, int", "xxxxxxxxxxxx....", true},
		{"every other int", "xxxx....", false},
		{"every other char", "x.", false},
		{"the first half", "xxxxxxxx........", false},
		{"the last of three ints", "xxxxxxxx....", false},
		{"two gaps", "x.xxx...xxxx", true},
		{"nothing", "....", false},
	} {
		m := NewMemory()
		const n = 16
		m.Blank(0x1000, uint64(n*len(c.written)))
		for k := range n {
			for i, x := range c.written {
				if x == 'x' {
					m.Define(0x1000+uint32(k*len(c.written)+i), 1)
				}
			}
		}
		out := m.Outputs(Range{0x1000, uint64(n * len(c.written))})
		require.Len(t, out, 1, c.name)
		require.Equal(t, c.padding, out[0].Padding, c.name)
		require.Equal(t, "global", out[0].Space, c.name)
	}
	require.Empty(t, NewMemory().Outputs(Range{0x1000, 64}))
}
