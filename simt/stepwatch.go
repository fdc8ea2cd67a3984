package simt

import (
	"math/bits"

	"jacquard/simt/lane"
	"jacquard/simt/mem"
	"jacquard/tesla"
)

// stepWatch finds the first Dependence of a block. It goes by what lanes do and by
// barriers, not by who happens to be first, so it finds a dependence under a policy that
// keeps lanes in step as well. A store of the value that is there already changes nothing for
// anybody.
//
// Not looked at: global memory; different values that lanes store to one place by one and
// the same instruction, of which any may stay; lanes of different warps; words read and
// stored under a lock.
type stepWatch struct {
	unit     uint   // a cell stands for 1<<unit bytes, no more than the least store of the kernel
	each     int    // cells a warp
	interval uint32 // counts barriers and starts of blocks
	cells    []stepCell
	apart    string // the policy, if it may run lanes apart
	found    *Dependence
}

// stepCell is what the lanes of a warp did to a piece of shared memory in an interval.
type stepCell struct {
	interval uint32 // older: nothing yet
	value    uint32
	changed  bool      // in the interval
	stored   lane.Mask // who stored the value that is there
	read     lane.Mask // who read it
	storedAt *uop      // the last of these
	readAt   *uop
}

// clash collects what is wrong with one access of a warp.
type clash struct {
	addr  uint32
	lanes lane.Mask // who of this access
	store bool      // it is a store
	first clashed
}

// clashed is the access before it.
type clashed struct {
	lanes lane.Mask
	at    *uop
	store bool
}

// newStepWatch makes a watch of one block, nil if the launch asks for none.
func newStepWatch(l *Launch, warps int, loose bool) *stepWatch {
	if l.InStep == InStepOff || l.InStep == InStepAuto && !loose {
		return nil
	}
	s := &stepWatch{unit: 2}
	if loose {
		s.apart = l.Policy
	}
	for i := range l.Program.Kernel.Code {
		if in := &l.Program.Kernel.Code[i]; in.Op == tesla.OpStShared {
			s.unit = min(s.unit, uint(bits.TrailingZeros(uint(mem.Size(in.Type)))))
		}
	}
	s.each = (l.sharedBytes() + 3) >> s.unit
	s.cells = make([]stepCell, warps*s.each)
	return s
}

// start begins a block.
func (s *stepWatch) start() { s.found = nil; s.passed() }

// passed begins an interval: a barrier of the block opened.
func (s *stepWatch) passed() { s.interval++ }

// pieces returns the pieces, from first up to last, of the bytes from addr. There are none
// if the access will fault.
func (s *stepWatch) pieces(b *Block, addr uint32, size int) (first, last int) {
	if end := int(addr) + size; end <= len(b.shared.Bytes()) {
		return int(addr) >> s.unit, (end-1)>>s.unit + 1
	}
	return 0, 0
}

// cell returns what warp w did to piece i.
func (s *stepWatch) cell(b *Block, w, i int) *stepCell {
	c := &s.cells[w*s.each+i]
	if c.interval == s.interval {
		return c
	}
	*c = stepCell{interval: s.interval}
	data := b.shared.Bytes()
	for k := 1<<s.unit - 1; k >= 0; k-- {
		if at := i<<s.unit + k; at < len(data) {
			c.value = c.value<<8 | uint32(data[at])
		}
	}
	return c
}

// load is told that lanes m of warp w read size bytes each at their addresses.
func (s *stepWatch) load(b *Block, u *uop, w int, addr *lane.Row, m lane.Mask, size int) {
	var k clash
	for ; m != 0; m &= m - 1 {
		l := lowest(m)
		s.look(b, u, w, addr[l], m&-m, size, &k)
	}
	s.report(b, u, w, &k)
}

// loadWord is told that the warps of sel read size bytes at one address.
func (s *stepWatch) loadWord(b *Block, u *uop, sel *lane.Sel, addr uint32, size int) {
	for i := range sel.N {
		var k clash
		s.look(b, u, int(sel.Warp[i]), addr, sel.Mask[i], size, &k)
		s.report(b, u, int(sel.Warp[i]), &k)
	}
}

// look notes that lanes m of warp w read size bytes at addr.
func (s *stepWatch) look(b *Block, u *uop, w int, addr uint32, m lane.Mask, size int, k *clash) {
	first, last := s.pieces(b, addr, size)
	for i := first; i < last; i++ {
		c := s.cell(b, w, i)
		if others := m &^ c.stored; c.changed && others != 0 {
			k.note(addr, others, clashed{c.stored, c.storedAt, true})
		}
		c.read, c.readAt = c.read|m, u
	}
}

// store is told that lanes m of warp w will store size bytes of data each at their
// addresses.
func (s *stepWatch) store(b *Block, u *uop, w int, data *mem.Data, addr *lane.Row, m lane.Mask, size int) {
	k := clash{store: true}
	for ; m != 0; m &= m - 1 {
		l, who := lowest(m), m&-m
		first, last := s.pieces(b, addr[l], size)
		for i := first; i < last; i++ {
			at := (i - first) << s.unit
			v := data[at/4][l] >> (8 * (at % 4)) & (1<<(8<<s.unit) - 1)
			c := s.cell(b, w, i)
			if v == c.value {
				c.stored, c.storedAt = c.stored|who, u
				continue
			}
			if others := c.read &^ who; others != 0 {
				k.note(addr[l], who, clashed{others, c.readAt, false})
			} else if others := c.stored &^ who; others != 0 && c.storedAt != u {
				k.note(addr[l], who, clashed{others, c.storedAt, true})
			}
			*c = stepCell{interval: s.interval, value: v, changed: true, stored: who, storedAt: u}
		}
	}
	s.report(b, u, w, &k)
}

// note adds lanes that come after what was first; of the first only the first of all is kept.
func (k *clash) note(addr uint32, lanes lane.Mask, first clashed) {
	if k.lanes == 0 {
		k.addr, k.first = addr, first
	}
	k.lanes |= lanes
}

// report keeps the first dependence of the block.
func (s *stepWatch) report(b *Block, u *uop, w int, k *clash) {
	if k.lanes == 0 || s.found != nil {
		return
	}
	s.found = &Dependence{
		Kernel: b.p.Kernel.Name, Policy: s.apart, Block: b.Index(), Warp: w, Addr: k.addr,
		First: Access{k.first.at.pc, k.first.at.ins.String(), k.first.lanes, k.first.store},
		Then:  Access{u.pc, u.ins.String(), k.lanes, k.store},
	}
}
