package check

import (
	"jacquard/simt/lane"
	"jacquard/simt/machine"
	"jacquard/simt/mem"
	"jacquard/simt/program"
	"jacquard/tesla"
)

// stepWatch finds the first Dependence of a block. It goes by what lanes do and by
// barriers, not by who happens to be first, so it finds a dependence under a policy that
// keeps lanes in step as well. A store of the value that is there already changes nothing for
// anybody.
//
// Not looked at: different values that lanes store to one place by one and the same
// instruction, of which any may stay; lanes of different warps; words read and stored under
// a lock; atomics; textures.
type stepWatch struct {
	st       *machine.State
	b        *machine.Block
	interval uint32 // counts barriers and starts of blocks
	apart    string // the policy, if it may run lanes apart
	found    *Dependence
	shared   stepMemory
	global   stepMemory
	votes    stepVotes
}

// clash collects what is wrong with one access of a warp.
type clash struct {
	in    *stepMemory
	addr  uint32
	lanes lane.Mask // of this access
	store bool      // it is a store
	first clashed
}

// clashed is the access before it.
type clashed struct {
	lanes lane.Mask
	at    *program.Op
	store bool
}

// newStepWatch makes a watch of one block. The policy is named if it may run lanes apart.
func newStepWatch(st *machine.State, b *machine.Block, policy string) *stepWatch {
	s := &stepWatch{st: st, b: b, apart: policy, shared: stepMemory{unit: 2}, global: stepMemory{unit: 2, global: true}}
	for i := range st.Program.Kernel.Code {
		in := &st.Program.Kernel.Code[i]
		switch in.Op {
		case tesla.OpStShared:
			s.shared.narrow(mem.Size(in.Type))
		case tesla.OpStGlobal:
			s.global.narrow(mem.Size(in.Type))
		}
	}
	return s
}

// start begins a block.
func (s *stepWatch) start() { s.found = nil; s.passed() }

// passed begins an interval: a barrier of the block opened.
func (s *stepWatch) passed() {
	s.interval++
	s.shared.recycle()
	s.global.recycle()
	s.votes.recycle()
}

// of returns the memory that an access goes to, nil for one that is not looked at.
func (s *stepWatch) of(where program.Space) *stepMemory {
	switch where {
	case program.SpaceShared:
		return &s.shared
	case program.SpaceGlobal:
		return &s.global
	}
	return nil
}

// load is told that lanes m of warp w will read size bytes each at their addresses.
func (s *stepWatch) load(u *program.Op, where program.Space, w int, addr *lane.Row, m lane.Mask, size int) {
	x := s.of(where)
	if x == nil {
		return
	}
	k := clash{in: x}
	for ; m != 0; m &= m - 1 {
		l := lowest(m)
		s.look(u, w, addr[l], m&-m, size, &k)
	}
	s.report(u, w, &k)
}

// loadWord is told that lanes m of warp w will read size bytes at one address of shared memory.
func (s *stepWatch) loadWord(u *program.Op, w int, m lane.Mask, addr uint32, size int) {
	k := clash{in: &s.shared}
	s.look(u, w, addr, m, size, &k)
	s.report(u, w, &k)
}

// look notes that lanes m of warp w read size bytes at addr.
func (s *stepWatch) look(u *program.Op, w int, addr uint32, m lane.Mask, size int, k *clash) {
	first, last := k.in.pieces(addr, size)
	for i := first; i < last; i++ {
		c := k.in.cell(s.st, s.b, w, i, s.interval)
		if c == nil {
			return
		}
		if others := m &^ c.stored; c.changed && others != 0 {
			k.note(addr, others, clashed{c.stored, c.storedAt, true})
		}
		c.read, c.readAt = c.read|m, u
	}
}

// store is told that lanes m of warp w will store size bytes of data each at their
// addresses.
func (s *stepWatch) store(u *program.Op, w int, data *mem.Data, addr *lane.Row, m lane.Mask, size int) {
	x := s.of(u.Space)
	if x == nil {
		return
	}
	k := clash{in: x, store: true}
	for ; m != 0; m &= m - 1 {
		l, who := lowest(m), m&-m
		first, last := x.pieces(addr[l], size)
		for i := first; i < last; i++ {
			at := (i - first) << x.unit
			v := data[at/4][l] >> (8 * (at % 4)) & (1<<(8<<x.unit) - 1)
			c := x.cell(s.st, s.b, w, i, s.interval)
			if c == nil {
				break
			}
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
	s.report(u, w, &k)
}

// note adds lanes that come after what was first; of the first only the first of all is kept.
func (k *clash) note(addr uint32, lanes lane.Mask, first clashed) {
	if k.lanes == 0 {
		k.addr, k.first = addr, first
	}
	k.lanes |= lanes
}

// report keeps the first dependence of the block.
func (s *stepWatch) report(u *program.Op, w int, k *clash) {
	if k.lanes == 0 || s.found != nil {
		return
	}
	s.found = &Dependence{
		Kernel: s.st.Program.Kernel.Name, Policy: s.apart, Block: s.b.Index, Warp: w, Space: k.in.name(), Addr: k.addr,
		First: Access{k.first.at.PC, k.first.at.Ins.String(), k.first.lanes, k.first.store},
		Then:  Access{u.PC, u.Ins.String(), k.lanes, k.store},
	}
}
