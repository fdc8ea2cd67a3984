package shadow

import (
	"slices"

	"jacquard/simt/mem"
)

// undo is what a launch has changed, of memory and of its shadow. Outside of a first stage the epoch
// is 0, and nothing is kept.
type undo struct {
	// Again says that launches may be given up and run again: Back comes between, and Done at the end.
	Again bool

	epoch  uint32
	epochs uint32 // begun
	space  *mem.Space
	pages  []keptPage
	data   []keptData
	saved  [1 << (32 - pageBits - leafBits)]*[leafSize]saved
}

// keptPage is a page of the shadow before the launch.
type keptPage struct {
	addr uint32
	page *page
}

// keptData is the content of memory before the launch.
type keptData struct{ memory, content []byte }

// saved says which parts of a page of memory are kept: bit i is for 256 bytes from byte 256*i on,
// and allocations begin at multiples of that.
type saved struct {
	epoch uint32
	parts uint16
}

const partSize = pageSize / 16

// begin keeps all that a launch changes from now on.
func (u *undo) begin(s *mem.Space) {
	u.epochs++
	u.epoch, u.space = u.epochs, s
	u.forget()
}

// Back makes the shadow and memory as they were before the launch, which was given up.
func (m *Memory) Back() {
	if m.epoch != 0 {
		m.back()
	}
}

// Done says that the launch is over.
func (m *Memory) Done() { m.end() }

// end stops keeping. The changes stay.
func (m *Memory) end() {
	m.epoch, m.space = 0, nil
	m.forget()
}

// back puts memory and its shadow back as they were at the beginning, and stops keeping.
func (m *Memory) back() {
	for _, k := range slices.Backward(m.pages) {
		m.set(k.addr, k.page)
	}
	for _, k := range m.data {
		copy(k.memory, k.content)
	}
	m.epoch, m.space = 0, nil
	m.forget()
}

func (u *undo) forget() {
	clear(u.pages)
	clear(u.data)
	u.pages, u.data = u.pages[:0], u.data[:0]
}

// keepPage keeps the page with an address, which is about to be replaced.
func (u *undo) keepPage(addr uint32, p *page) {
	if u.epoch != 0 && (p == nil || p == blankPage || p.epoch != u.epoch) {
		u.pages = append(u.pages, keptPage{addr, p})
	}
}

// keep keeps the content of the page with an address, before the launch stores there.
func (u *undo) keep(addr uint32) {
	leaf := &u.saved[addr>>(pageBits+leafBits)]
	if *leaf == nil {
		*leaf = new([leafSize]saved)
	}
	s := &(*leaf)[addr>>pageBits%leafSize]
	if s.epoch != u.epoch {
		*s = saved{epoch: u.epoch}
	}
	if s.parts>>(addr%pageSize/partSize)&1 != 0 {
		return
	}
	base, _, ok := u.space.Owner(addr)
	if !ok {
		return // it will fault
	}
	whole := u.space.Reach(base)
	from := max(int64(addr&^(pageSize-1))-int64(base), 0)
	to := min(int64(addr|(pageSize-1))+1-int64(base), int64(len(whole)))
	if from >= to {
		return
	}
	memory := whole[from:to]
	u.data = append(u.data, keptData{memory, append([]byte(nil), memory...)})
	for at := (int64(base) + from) % pageSize; at < (int64(base)+to-1)%pageSize+1; at += partSize {
		s.parts |= 1 << (at / partSize)
	}
}
