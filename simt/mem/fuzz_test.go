package mem

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/simt/lane"
	"jacquard/tesla"
)

// decisions turns fuzz input into choices; after its end every choice is 0.
type decisions []byte

func (d *decisions) next() uint32 {
	if len(*d) == 0 {
		return 0
	}
	v := (*d)[0]
	*d = (*d)[1:]
	return uint32(v)
}

func (d *decisions) word() uint32 { return d.next() | d.next()<<8 | d.next()<<16 | d.next()<<24 }

// subject is a space with its model.
type subject struct {
	load, store func(*Data, *lane.Row, lane.Mask, tesla.Type, *Cost) *Violation
	model       naive
	bases       []uint32 // base addresses to try
	final       func(t *testing.T)
}

// subjects returns one space of each kind, filled with r's bytes.
func subjects(t *testing.T, r *rand.Rand) []subject {
	random := func(n int) []byte {
		b := make([]byte, n)
		for i := range b {
			b[i] = byte(r.Uint32())
		}
		return b
	}
	outOfRange := func(uint32) Kind { return OutOfRange }

	space := NewSpace(1 << 20)
	var global subject
	global.load, global.store = space.Load, space.Store
	live := map[uint32]uint64{}
	global.model = naive{space: 'g', bytes: map[place]byte{}, outside: func(addr uint32) Kind {
		for base, size := range live {
			if page := addr / 4096 * 4096; page >= base && (page == base || uint64(page-base) < size) {
				return OutOfRange
			}
		}
		return Unmapped
	}}
	for _, size := range []int{300, 4096, 33} {
		b := random(size)
		base, err := space.Alloc(uint64(size))
		require.NoError(t, err)
		into, err := space.Bytes(base, uint64(size))
		require.NoError(t, err)
		copy(into, b)
		global.model.put(0, base, b)
		live[base] = uint64(size)
		global.bases = append(global.bases, base, base+4096)
	}
	// the first two are good bases
	global.bases[1], global.bases[2] = global.bases[2], global.bases[1]
	for base, size := range live {
		global.bases = append(global.bases, base+uint32(size), base+uint32(size)/2)
	}
	global.bases = append(global.bases, 0, 0xffffff80)
	slices.Sort(global.bases[2:])
	global.final = func(t *testing.T) {
		for base, size := range live {
			b, err := space.Bytes(base, size)
			require.NoError(t, err)
			require.Equal(t, global.model.get(base, len(b)), b, "from g[0x%x] on", base)
		}
	}

	var block Shared
	block.Reset(200)
	var shared subject
	copy(block.Bytes(), random(200))
	shared.load, shared.store = block.Load, block.Store
	shared.model = naive{space: 's', bytes: map[place]byte{}, outside: outOfRange}
	shared.model.put(0, 0, block.Bytes())
	shared.bases = []uint32{0, 72, 100, 200}
	shared.final = func(t *testing.T) {
		require.Equal(t, shared.model.get(0, 200), block.Bytes())
	}

	own := make(Local, LocalRows(40))
	var local subject
	local.load, local.store = own.Load, own.Store
	local.model = naive{space: 'l', private: true, bytes: map[place]byte{}, outside: outOfRange}
	for i := range lane.Width {
		local.model.put(i, 0, make([]byte, 48))
	}
	local.bases = []uint32{0, 16, 40, 48}
	local.final = func(t *testing.T) {
		got := map[place]byte{}
		for k, row := range own {
			for i, v := range row {
				for n := range 4 {
					got[place{i, uint32(4*k + n)}] = byte(v >> (8 * n))
				}
			}
		}
		require.Equal(t, local.model.bytes, got)
	}

	bank := Const(random(203))
	var constant subject
	constant.load = bank.Load
	constant.model = naive{space: 'c', endless: true, bytes: map[place]byte{}}
	constant.model.put(0, 0, bank)
	constant.bases = []uint32{0, 76, 200, 0xff00}

	var fence subject
	fence.load = FencePage{}.Load
	fence.model = naive{space: 'g', bytes: map[place]byte{}, outside: outOfRange}
	fence.model.put(0, 0, make([]byte, 4096))
	fence.bases = []uint32{0, 4000}

	return []subject{global, shared, local, constant, fence}
}

// drive makes the accesses that data describes in every space and its model, and compares
// registers, violations and finally memory.
func drive(t *testing.T, data decisions) {
	spaces := subjects(t, rand.New(rand.NewPCG(uint64(data.word()), 0)))
	var regs [6]lane.Row
	for len(data) > 0 {
		s := &spaces[data.next()%uint32(len(spaces))]
		at := accessTypes[data.next()%uint32(len(accessTypes))]
		r := rand.New(rand.NewPCG(uint64(data.word()), 1))

		masks := []lane.Mask{lane.All, lane.All, lane.Mask(r.Uint32()), 1 << (r.Uint32() % 32), 0, lane.All >> (r.Uint32() % 32)}
		m := masks[data.next()%uint32(len(masks))]
		dst, addr := int(r.Uint32()%3), int(r.Uint32()%6)
		for i := range regs {
			for k := range regs[i] {
				regs[i][k] = r.Uint32()
			}
		}
		base := s.bases[data.next()%uint32(len(s.bases))]
		base += at.size * (data.next() & 7)
		if data.next()%8 == 0 {
			base -= at.size * 32
		}
		how := data.next() % 9
		for i := range regs[addr] {
			a := &regs[addr][i]
			switch how {
			case 0, 1: // element by element
				*a = base + uint32(i)*at.size
			case 2:
				*a = base
			case 3, 4: // in any order
				*a = base + (r.Uint32()%12)*at.size
			case 5: // some misaligned
				*a = base + (r.Uint32()%16)*at.size
				if r.Uint32()%24 == 0 {
					*a++
				}
			case 6: // all over the space
				*a = s.bases[r.Uint32()%uint32(len(s.bases))] + r.Uint32()%4*at.size
			case 7: // at two addresses
				*a = s.bases[r.Uint32()%2] + uint32(i)%4*at.size
			case 8: // idle lanes keep any address
				if m>>i&1 != 0 {
					*a = base + uint32(i)*at.size
				}
			}
		}

		want, before := regs, regs[addr]
		var got, expect *Violation
		var cost, worth Cost
		rows := &Data{&regs[dst], &regs[dst+1], &regs[dst+2], &regs[dst+3]}
		write := s.store != nil && data.next()%2 == 0
		if write {
			got = s.store(rows, &regs[addr], m, at.t, &cost)
			expect = s.model.store(want[:], dst, addr, m, at)
		} else {
			got = s.load(rows, &regs[addr], m, at.t, &cost)
			expect = s.model.load(want[:], dst, addr, m, at)
		}
		require.Equal(t, expect, got, "space %c, type %d, mask %08x, store %t, addresses %x", s.model.space, at.t, m, write, want[addr])
		if got == nil {
			worth = naiveCost(s.model.space, &before, m, at.size)
		}
		require.Equal(t, worth, cost, "space %c, type %d, mask %08x, addresses %x", s.model.space, at.t, m, before)
		require.Equal(t, want, regs, "space %c, type %d, mask %08x, store %t", s.model.space, at.t, m, write)
	}
	for _, s := range spaces {
		if s.final != nil {
			s.final(t)
		}
	}
}

func TestSpacesAgainstModel(t *testing.T) {
	for seed := range uint64(8) {
		r := rand.New(rand.NewPCG(seed, 2))
		data := make(decisions, 12000)
		for i := range data {
			data[i] = byte(r.Uint32())
		}
		drive(t, data)
	}
}

func FuzzSpaces(f *testing.F) {
	f.Add([]byte("a few accesses, to begin with"))
	f.Add(make([]byte, 64))
	f.Fuzz(func(t *testing.T, data []byte) { drive(t, data) })
}
