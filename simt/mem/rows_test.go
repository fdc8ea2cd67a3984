package mem

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/simt/lane"
	"jacquard/tesla"
)

// batch is a selection of warps with their registers: addresses and data.
type batch struct {
	sel      lane.Sel
	at, data [lane.MaxWarps]lane.Row
}

// addresses fills the addresses of a batch: mostly one pattern for all warps, with a base per warp.
func (b *batch) addresses(rnd *rand.Rand, base, size uint32) {
	var pattern lane.Row
	kind := rnd.IntN(5)
	for i := range pattern {
		switch kind {
		case 0, 1:
			pattern[i] = size * uint32(i)
		case 2:
		case 3:
			pattern[i] = size * rnd.Uint32N(64)
		case 4:
			pattern[i] = uint32(i) * size * (1 + rnd.Uint32N(2))
		}
	}
	b.sel = lane.Sel{Full: true}
	for w := range lane.MaxWarps {
		m := lane.All
		switch rnd.IntN(8) {
		case 0:
			m = lane.Mask(rnd.Uint32())
		case 1:
			m = lane.All >> rnd.IntN(32)
		case 2:
			m = 0
		}
		from := base + size*rnd.Uint32N(32)
		for i := range b.at[w] {
			b.at[w][i], b.data[w][i] = from+pattern[i], rnd.Uint32()
			if m>>i&1 == 0 && rnd.IntN(2) == 0 {
				b.at[w][i] = rnd.Uint32() // idle lanes may hold any address
			}
		}
		if rnd.IntN(24) == 0 { // out of line
			b.at[w][rnd.IntN(lane.Width)] ^= size << rnd.IntN(4)
		}
		if rnd.IntN(64) == 0 { // a fault
			b.at[w][rnd.IntN(lane.Width)] += 1 << rnd.IntN(16)
		}
		if m != 0 && rnd.IntN(6) != 0 {
			b.sel.Add(w, m)
		}
	}
}

// TestRows compares accesses of several warps at once with accesses warp by warp: memory, registers
// and costs must be the same. If Rows declines, it has changed nothing.
func TestRows(t *testing.T) {
	for _, set := range lane.Sets() {
		t.Run(set.SIMD, func(t *testing.T) {
			rnd := rand.New(rand.NewPCG(11, 12))
			bytes := func(n int) []byte {
				b := make([]byte, n)
				for i := range b {
					b[i] = byte(rnd.Uint32())
				}
				return b
			}
			rows := Rows{Lanes: set}
			types := accessTypes[:0:0]
			for _, x := range accessTypes {
				if x.size <= 4 {
					types = append(types, x)
				}
			}
			const kinds = 5
			access := map[int]*Access{} // per kind and type of instruction
			served := map[string]int{}
			for range 3000 {
				space, image := NewSpace(1<<20), bytes(1000)
				base, err := space.Alloc(1000)
				require.NoError(t, err)
				global, err := space.Bytes(base, 1000)
				require.NoError(t, err)
				banks, blocks := make([]*Shared, lane.MaxWarps), make([]Shared, 3)
				for i := range blocks {
					blocks[i].Reset(1000)
				}
				for w := range banks {
					banks[w] = &blocks[w/6]
				}
				bank := Const(image)
				fill := func() {
					copy(global, image)
					for i := range blocks {
						copy(blocks[i].Bytes(), image)
					}
				}
				all := func() (list [][]byte) {
					for _, b := range [][]byte{global, blocks[0].Bytes(), blocks[1].Bytes(), blocks[2].Bytes()} {
						list = append(list, append([]byte(nil), b...))
					}
					return list
				}

				var b batch
				from := uint32(0)
				how := rnd.IntN(kinds)
				if how < 2 {
					from = base
				}
				typ := types[rnd.IntN(len(types))]
				b.addresses(rnd, from+typ.size*rnd.Uint32N(100), typ.size)
				if b.sel.N == 0 {
					continue
				}
				got, want := b, b
				at := func(b *batch) lane.Rows { return lane.RowsOf(&b.at[0], 1) }
				data := func(b *batch) lane.Rows { return lane.RowsOf(&b.data[0], 1) }
				offset, near := uint32(0), at
				switch rnd.IntN(4) {
				case 0: // a load over its own addresses
					data = at
				case 1: // some kinds take part of the address as an offset
					offset = 4 * rnd.Uint32N(64)
					behind := b.at
					for w := range behind {
						for i := range behind[w] {
							behind[w][i] -= offset
						}
					}
					near = func(*batch) lane.Rows { return lane.RowsOf(&behind[0], 1) }
				}
				key := kinds*int(typ.t) + how
				if access[key] == nil {
					access[key] = new(Access)
				}
				a := access[key]
				before := a.Cost
				fill()
				var name string
				var ok bool
				var each func(d *Data, at *lane.Row, w int, m lane.Mask, c *Cost) *Violation
				switch how {
				case 0:
					name, ok = "global load", rows.LoadGlobal(space, typ.t, data(&got), at(&got), &b.sel, a, true)
					each = func(d *Data, at *lane.Row, _ int, m lane.Mask, c *Cost) *Violation {
						return space.Load(d, at, m, typ.t, c)
					}
				case 1:
					name, ok = "global store", rows.StoreGlobal(space, typ.t, data(&got), at(&got), &b.sel, a, true)
					each = func(d *Data, at *lane.Row, _ int, m lane.Mask, c *Cost) *Violation {
						return space.Store(d, at, m, typ.t, c)
					}
				case 2:
					name, ok = "shared load", rows.LoadShared(banks, typ.t, data(&got), near(&got), offset, &b.sel, a, true)
					each = func(d *Data, at *lane.Row, w int, m lane.Mask, c *Cost) *Violation {
						return banks[w].Load(d, at, m, typ.t, c)
					}
				case 3:
					name, ok = "shared store", rows.StoreShared(banks, typ.t, data(&got), near(&got), offset, &b.sel, a, true)
					each = func(d *Data, at *lane.Row, w int, m lane.Mask, c *Cost) *Violation {
						return banks[w].Store(d, at, m, typ.t, c)
					}
				case 4:
					name, ok = "constant load", rows.LoadConst(bank, typ.t, data(&got), near(&got), offset, &b.sel, a, true)
					each = func(d *Data, at *lane.Row, _ int, m lane.Mask, c *Cost) *Violation {
						return bank.Load(d, at, m, typ.t, c)
					}
				}
				after := all()
				fill()
				if !ok {
					require.Equal(t, b, got, name)
					require.Equal(t, before, a.Cost, name)
					require.Equal(t, all(), after, name)
					continue
				}
				served[name]++
				cost := before
				for k := range b.sel.N {
					w := int(b.sel.Warp[k])
					d := data(&want).At(w)
					require.Nil(t, each(&Data{d}, &want.at[w], w, b.sel.Mask[k], &cost), name)
				}
				require.Equal(t, want, got, name)
				require.Equal(t, cost, a.Cost, name)
				require.Equal(t, all(), after, name)
			}
			require.Len(t, served, kinds)
			for name, n := range served {
				require.Greater(t, n, 60, name)
			}
		})
	}
}

// A pattern that changes all the time is given up, and learned again later.
func TestRowsLearn(t *testing.T) {
	var block Shared
	block.Reset(4096)
	banks := []*Shared{&block}
	sel := lane.Sel{Full: true}
	sel.Add(0, lane.All)
	rows, a := Rows{Lanes: lane.Sets()[0]}, new(Access)
	rnd := rand.New(rand.NewPCG(1, 2))
	var d, at lane.Row
	load := func() bool {
		return rows.LoadShared(banks, tesla.B32, lane.RowsOf(&d, 1), lane.RowsOf(&at, 1), 0, &sel, a, true)
	}
	taken := 0
	for range 160 {
		for i := range at {
			at[i] = 4 * rnd.Uint32N(1024)
		}
		if load() {
			taken++
		}
	}
	require.Less(t, taken, 40)
	n := 0
	for !load() { // the last once more
		n++
		require.Less(t, n, 32)
	}
	require.True(t, load())
}
