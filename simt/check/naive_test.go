package check

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/simt/lane"
	"jacquard/simt/machine"
	"jacquard/simt/mem"
	"jacquard/simt/program"
	"jacquard/tesla"
)

// naive is what InStep promises, lane by lane and byte by byte of the least store: the model that
// InStep is compared with. It keeps what the first clash of each access was.
type naive struct {
	x     *InStep
	cells map[[2]int]*naiveCell // by warp and cell
	clash clash                 // of the present access
	found *clash
}

type naiveCell struct {
	value            uint32
	changed          bool
	read, stored     lane.Mask
	readAt, storedAt *program.Op
}

// cell returns the cell of a warp, with the value in memory if it is new.
func (n *naive) cell(w int, i uint32) *naiveCell {
	key := [2]int{w, int(i)}
	c := n.cells[key]
	if c == nil {
		c = &naiveCell{}
		data, size := n.x.st.Shared.Bytes(), uint32(1)<<n.x.shared.unit
		for k := range size {
			c.value |= uint32(data[i*size+k]) << (8 * k)
		}
		n.cells[key] = c
	}
	return c
}

// access notes that lanes access size bytes each, one lane after the other; data is nil for a load.
func (n *naive) access(u *program.Op, w int, addr, data *lane.Row, m lane.Mask, size int) {
	for ; m != 0; m &= m - 1 {
		n.lanes(u, w, addr, data, m&-m, size)
	}
	n.end()
}

// lanes notes that lanes of who access size bytes at the address of the lowest.
func (n *naive) lanes(u *program.Op, w int, addr, data *lane.Row, who lane.Mask, size int) {
	k, l := &n.clash, lowest(who)
	first, last := n.x.shared.pieces(addr[l], size)
	for i := first; i < last; i++ {
		c := n.cell(w, i)
		if data == nil {
			if others := who &^ n.x.with(c.stored); c.changed && others != 0 {
				k.note(addr[l], others, c.storedAt, c.stored, true)
			}
			c.read, c.readAt = c.read|who, u
			continue
		}
		v := data[l] >> (8 * ((i - first) << n.x.shared.unit)) & (1<<(8<<n.x.shared.unit) - 1)
		if v == c.value {
			c.stored, c.storedAt = c.stored|who, u
			continue
		}
		if others := c.read &^ n.x.with(who); others != 0 {
			k.note(addr[l], who, c.readAt, others, false)
		} else if others := c.stored &^ n.x.with(who); others != 0 && c.storedAt != u {
			k.note(addr[l], who, c.storedAt, others, true)
		}
		*c = naiveCell{value: v, changed: true, stored: who, storedAt: u}
	}
}

// end ends an access.
func (n *naive) end() {
	if n.clash.lanes != 0 && n.found == nil {
		k := n.clash
		n.found = &k
	}
	n.clash = clash{}
}

// InStep finds what the model finds, in random accesses of two warps to few words.
func TestInStepNaive(t *testing.T) {
	found := 0
	for seed := range uint64(4000) {
		r := rand.New(rand.NewPCG(seed, 1))
		types := [][]tesla.Type{{tesla.B32}, {tesla.B32, tesla.U16}, {tesla.B32, tesla.U8}}[r.IntN(3)]
		p := accesses(types)
		st := machine.NewState(p, 2)
		st.Grid = machine.Grid{}
		st.Shared.Reset(512)
		x := NewInStep(st)
		x.Begin("", []int{1, 1, 4, 16}[r.IntN(4)], Scope{})
		x.Start()
		n := naive{x: x, cells: map[[2]int]*naiveCell{}}
		for range 1 + r.IntN(12) {
			if r.IntN(8) == 0 {
				x.Opened()
				clear(n.cells)
				continue
			}
			at := r.IntN(len(p.Code))
			u, w, size := &p.Code[at], r.IntN(2), mem.Size(p.Code[at].Ins.Type)
			addr, m := randomRow(r, size), randomLanes(r)
			if u.Ins.Op != tesla.OpStShared && r.IntN(4) == 0 { // an operand: one address for all lanes
				sel := lane.Sel{Full: m == lane.All}
				sel.Add(w, m)
				addr[lowest(m)] = addr[0]
				n.lanes(u, w, &addr, nil, m, size)
				n.end()
				x.LoadWord(st, u, &sel, addr[lowest(m)], size)
				continue
			}
			if u.Ins.Op != tesla.OpStShared {
				n.access(u, w, &addr, nil, m, size)
				x.Load(st, u, program.SpaceShared, w, &addr, m, size)
				continue
			}
			var data lane.Row
			for l := range data {
				data[l] = uint32(r.IntN(3)) * 0x01010101
			}
			n.access(u, w, &addr, &data, m, size)
			x.Store(st, u, w, &mem.Data{&data}, &addr, m, size)
			for ; m != 0; m &= m - 1 {
				for k := range size {
					st.Shared.Bytes()[int(addr[lowest(m)])+k] = byte(data[lowest(m)] >> (8 * k))
				}
			}
		}
		got := x.Found()
		if n.found == nil {
			require.Nil(t, got, "seed %d", seed)
			continue
		}
		found++
		require.NotNil(t, got, "seed %d", seed)
		require.Equal(t, n.found.addr, got.Addr, "seed %d", seed)
		require.Equal(t, n.found.lanes, got.Then.Lanes, "seed %d", seed)
		require.Equal(t, n.found.first.lanes, got.First.Lanes, "seed %d", seed)
		require.Equal(t, n.found.first.at.PC, got.First.PC, "seed %d", seed)
		require.Equal(t, n.found.first.store, got.First.Store, "seed %d", seed)
	}
	require.Greater(t, found, 1000)
}

// accesses is a program of a load and a store of each type, twice.
func accesses(types []tesla.Type) *program.Program {
	p := &program.Program{}
	for _, op := range []tesla.Op{tesla.OpLdShared, tesla.OpStShared, tesla.OpLdShared, tesla.OpStShared} {
		for _, typ := range types {
			at := int32(len(p.Code))
			p.Code = append(p.Code, program.Op{At: at, PC: uint32(8 * at), Access: program.Access{Memory: true, Space: program.SpaceShared}, Ins: &tesla.Instruction{Op: op, Type: typ}})
		}
	}
	return p
}

// randomRow returns aligned addresses of some shape: consecutive, one for all, strided or any.
func randomRow(r *rand.Rand, size int) (addr lane.Row) {
	base, stride := uint32(r.IntN(32)), uint32(r.IntN(3))
	anywhere := r.IntN(3) == 0
	for l := range addr {
		i := base + stride*uint32(l)
		if anywhere {
			i = uint32(r.IntN(6))
		}
		addr[l] = uint32(size) * i
	}
	if r.IntN(3) == 0 {
		slices.Reverse(addr[:])
	}
	return addr
}

func randomLanes(r *rand.Rand) lane.Mask {
	if m := lane.Mask(r.Uint32()); r.IntN(2) == 0 && m != 0 {
		return m
	}
	return lane.All
}
