package check

import (
	"encoding/binary"
	"math/bits"

	"jacquard/simt/lane"
	"jacquard/simt/machine"
	"jacquard/simt/mem"
	"jacquard/simt/program"
	"jacquard/tesla"
)

// locks are the words of global memory that kernels exchange, by address. Each has the last attempt to
// change the word, and the last attempt that changed it.
type locks map[uint32]*lock

type lock struct {
	value       uint32 // before last
	last, taken attempt
}

// attempt is an exchange by a lane.
type attempt struct {
	u     *program.Op // nil: none
	block [2]int
	warp  int
	lane  int
}

// mostLocks is how many words are followed; others have no holder.
const mostLocks = 1 << 16

// locking is the last exchange of each warp of a block.
type locking struct {
	tries [lane.MaxWarps]struct {
		lanes lane.Mask
		addr  uint32 // of the lowest lane
	}
}

// Wants is for machine.AccessHook: exchanges alone take locks.
func (x *syncWatcher) Wants(u *program.Op) bool {
	return u.Ins.Op == tesla.OpAtom && u.Space == program.SpaceGlobal && (u.Ins.Atom == tesla.AtomExch || u.Ins.Atom == tesla.AtomCas)
}

// Atomic is for machine.AccessHook. Of lanes that exchange one word, the lowest is the first.
func (x *syncWatcher) Atomic(s *machine.State, u *program.Op, w int, _ *mem.Data, addr *lane.Row, m lane.Mask, _ int) {
	t := &x.tries[w]
	t.lanes, t.addr = m, addr[lowest(m)]
	for left := m; left != 0; left &= left - 1 {
		l := lowest(left)
		if k := x.lock(addr[l]); k != nil && (l == lowest(m) || addr[l] != t.addr) {
			k.look(s.Global, addr[l])
			k.last = attempt{u, x.index, w, l}
		}
	}
}

// lock returns the lock at an address; nil if there are too many.
func (g *syncLaunch) lock(addr uint32) *lock {
	k := g.locks[addr]
	if k == nil && len(g.locks) < mostLocks {
		k = &lock{}
		g.locks[addr] = k
	}
	return k
}

// look finds out whether the last attempt changed the word.
func (k *lock) look(m *mem.Space, addr uint32) {
	data := m.Reach(addr)
	if len(data) < 4 {
		return
	}
	if v := binary.LittleEndian.Uint32(data); v != k.value || k.last.u == nil {
		k.value, k.taken = v, k.last
	}
}

// endless returns the finding of a fault: a wait that does not end.
func (g *syncLaunch) endless(f *machine.Fault) *Finding {
	e := &Finding{
		Kind: KindSync, What: Endless, Level: Error, Kernel: f.Kernel, Count: uint64(bits.OnesCount32(uint32(f.Lanes))),
		Text:   "a wait that never ends: " + f.Detail,
		Advice: "See that another thread ends the wait, whatever the order of the threads.",
	}
	here := Thread{Block: f.Block, Warp: f.Warp, Lanes: f.Lanes}
	p := g.l.Program
	if i, ok := p.Index(f.PC); ok {
		e.At = SiteOf(p, &p.Code[i], "wait", here)
	} else {
		e.At = Site{Role: "wait", Device: &Point{PC: f.PC}, Where: []Thread{here}}
	}
	for i := range g.stuck {
		x := &g.stuck[i]
		if x.index != f.Block {
			continue
		}
		if t := &x.tries[f.Warp]; t.lanes&f.Lanes != 0 {
			g.held(e, t.addr)
		}
		for j := range x.waits {
			e.With = append(e.With, x.site(&x.waits[j], "barrier"))
		}
	}
	return e
}

// held adds who holds the lock at an address.
func (g *syncLaunch) held(e *Finding, addr uint32) {
	k := g.locks[addr]
	if k == nil {
		return
	}
	if k.look(g.l.Machine.Global, addr); k.taken.u == nil {
		return
	}
	by := SiteOf(g.l.Program, k.taken.u, "holder", Thread{Block: k.taken.block, Warp: k.taken.warp, Lanes: 1 << k.taken.lane})
	by.Addr, by.Size = &addr, 4
	e.At.Addr = &addr
	e.With = append(e.With, by)
}

// The rest of machine.AccessHook is not wanted.

// Load is for machine.AccessHook.
func (x *syncWatcher) Load(*machine.State, *program.Op, program.Space, int, *lane.Row, lane.Mask, int) {
}

// LoadWord is for machine.AccessHook.
func (x *syncWatcher) LoadWord(*machine.State, *program.Op, *lane.Sel, uint32, int) {}

// Store is for machine.AccessHook.
func (x *syncWatcher) Store(*machine.State, *program.Op, int, *mem.Data, *lane.Row, lane.Mask, int) {
}

// Fetch is for machine.AccessHook.
func (x *syncWatcher) Fetch(*machine.State, *program.Op, int, lane.Mask) {}

// Vote is for machine.AccessHook.
func (x *syncWatcher) Vote(*machine.State, *program.Op, int, lane.Mask, lane.Mask) {}

// VoteJoined is for machine.AccessHook.
func (x *syncWatcher) VoteJoined(*machine.State, *program.Op, int, lane.Mask) {}
