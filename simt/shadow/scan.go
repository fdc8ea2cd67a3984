package shadow

import (
	"sync/atomic"

	"jacquard/simt/check"
	"jacquard/simt/lane"
	"jacquard/simt/machine"
	"jacquard/simt/mem"
	"jacquard/simt/program"
	"jacquard/tesla"
)

// scan is the checker of the first stage: it looks whether anyone reads bytes without a value.
type scan struct {
	m     *Memory
	stop  *atomic.Bool // ends the launch: somebody does
	found bool
}

// Begin is for check.Checker.
func (s *scan) Begin(l *check.Launch) check.Watch { return &scanned{scan: s, l: l} }

// scanned is a launch in the first stage.
type scanned struct {
	*scan
	l *check.Launch
}

// Block is for check.Watch.
func (s *scanned) Block(st *machine.State) check.Watcher { return &scanner{scanned: s, st: st} }

// End is for check.Watch.
func (s *scanned) End(*machine.Fault) {}

// scanner looks at the blocks that run on a state.
type scanner struct {
	*scanned
	st     *machine.State
	shared blankBytes
	local  []blankWord // by warp and word
}

// blankWord is the lanes of a warp that have not written bytes of a word of local memory.
type blankWord [4]lane.Mask

// Start is for check.Watcher.
func (b *scanner) Start() {
	b.shared.begin(int(b.l.Shared), int(b.l.Head))
	if n := b.rows() * b.st.Warps; n > len(b.local) {
		b.local = make([]blankWord, n)
	}
	for i := range b.local {
		b.local[i] = blankWord{lane.All, lane.All, lane.All, lane.All}
	}
}

// rows is the words of local memory of a thread.
func (b *scanner) rows() int { return mem.LocalRows(b.st.Program.Kernel.Local) }

// Opened is for check.Watcher.
func (b *scanner) Opened() {}

// End is for check.Watcher.
func (b *scanner) End() {}

// Wants is for machine.AccessHook.
func (b *scanner) Wants(u *program.Op) bool {
	for i := range u.Src {
		switch x := &u.Src[i]; x.Mode {
		case program.SrcSharedAt:
			return true
		case program.SrcShared:
			if x.Offset+uint32(mem.Size(x.Type)) > tesla.HeaderBytes {
				return true
			}
		}
	}
	return u.Memory && u.Space != program.SpaceConst && u.Space != program.SpaceFence || u.Ins.Op.ReadsTexels()
}

// note says that somebody reads bytes without a value.
func (b *scanner) note() {
	b.found = true
	b.stop.Store(true)
}

// span returns the bytes from the first to the last that lanes access.
func span(addr *lane.Row, m lane.Mask, size int) (first uint32, n uint64) {
	first, last := ^uint32(0), uint32(0)
	if m == lane.All {
		for _, a := range addr {
			first, last = min(first, a), max(last, a)
		}
	} else {
		each(m, func(l int) { first, last = min(first, addr[l]), max(last, addr[l]) })
	}
	return first, uint64(last-first) + uint64(size)
}

// inRow reports whether lanes access neighbouring elements, each the next.
func inRow(addr *lane.Row, m lane.Mask, size int) bool {
	if m != lane.All {
		return false
	}
	for l, a := range addr {
		if a != addr[0]+uint32(l*size) {
			return false
		}
	}
	return true
}

// near is how long a span may be that is looked at as a whole.
const near = 2 * pageSize

// reached reports whether lanes reach bytes of device memory without a value.
func (b *scanner) reached(addr *lane.Row, m lane.Mask, size int) (yes bool) {
	if first, n := span(addr, m, size); n <= near && !b.m.Reached(first, n) {
		return false
	}
	each(m, func(l int) { yes = yes || b.m.Reached(addr[l], uint64(size)) })
	return yes
}

// defined says that lanes store to device memory.
func (b *scanner) defined(addr *lane.Row, m lane.Mask, size int) {
	switch first, n := span(addr, m, size); {
	case n <= near && !b.m.Reached(first, n):
	case inRow(addr, m, size):
		b.m.Define(first, n)
	default:
		each(m, func(l int) { b.m.Define(addr[l], uint64(size)) })
	}
}

// Load is for machine.AccessHook.
func (b *scanner) Load(_ *machine.State, _ *program.Op, space program.Space, w int, addr *lane.Row, m lane.Mask, size int) {
	yes := false
	switch space {
	case program.SpaceGlobal:
		yes = b.m.count > 0 && b.reached(addr, m, size)
	case program.SpaceShared:
		yes = b.shared.any(addr, m, size)
	case program.SpaceLocal:
		yes = b.anyLocal(w, addr, m, size)
	}
	if yes {
		b.note()
	}
}

// LoadWord is for machine.AccessHook.
func (b *scanner) LoadWord(_ *machine.State, _ *program.Op, _ *lane.Sel, addr uint32, size int) {
	if b.shared.any(&lane.Row{addr}, 1, size) {
		b.note()
	}
}

// Store is for machine.AccessHook.
func (b *scanner) Store(_ *machine.State, u *program.Op, w int, _ *mem.Data, addr *lane.Row, m lane.Mask, size int) {
	switch u.Space {
	case program.SpaceGlobal:
		b.keep(addr, m)
		if b.m.count > 0 {
			b.defined(addr, m, size)
		}
	case program.SpaceShared:
		b.shared.define(addr, m, size)
	case program.SpaceLocal:
		b.defineLocal(w, addr, m, size)
	}
}

// keep keeps the pages that lanes store to.
func (b *scanner) keep(addr *lane.Row, m lane.Mask) {
	if first, n := span(addr, m, 1); first/partSize == uint32((uint64(first)+n-1)/partSize) {
		b.m.keep(first)
		return
	}
	last := uint32(0) // no memory has address 0
	each(m, func(l int) {
		if part := addr[l] / partSize; part != last {
			b.m.keep(addr[l])
			last = part
		}
	})
}

// Atomic is for machine.AccessHook.
func (b *scanner) Atomic(_ *machine.State, _ *program.Op, _ int, _ *mem.Data, addr *lane.Row, m lane.Mask, size int) {
	b.keep(addr, m)
	if b.reached(addr, m, size) {
		b.note()
	}
}

// Fetch is for machine.AccessHook.
func (b *scanner) Fetch(st *machine.State, u *program.Op, w int, m lane.Mask) {
	x, ok := linear(st.Textures, u.Ins)
	if !ok || !b.m.Reached(x.Base, x.Size) {
		return
	}
	at := st.Register(int32(u.Ins.Dst.Index)).At(w)
	each(m, func(l int) {
		if addr, ok := texel(x, u.Ins, at[l]); ok && b.m.Reached(addr, uint64(x.TexelSize())) {
			b.note()
		}
	})
}

// Vote is for machine.AccessHook.
func (b *scanner) Vote(*machine.State, *program.Op, int, lane.Mask, lane.Mask) {}

// VoteJoined is for machine.AccessHook.
func (b *scanner) VoteJoined(*machine.State, *program.Op, int, lane.Mask) {}

// anyLocal reports whether lanes read bytes of local memory that they have not written.
func (b *scanner) anyLocal(w int, addr *lane.Row, m lane.Mask, size int) (yes bool) {
	words := b.local[w*b.rows():][:b.rows()]
	each(m, func(l int) {
		for a := addr[l]; a < addr[l]+uint32(size) && int(a/4) < len(words); a++ {
			yes = yes || words[a/4][a%4]>>l&1 != 0
		}
	})
	return yes
}

// defineLocal says that lanes store to local memory.
func (b *scanner) defineLocal(w int, addr *lane.Row, m lane.Mask, size int) {
	words := b.local[w*b.rows():][:b.rows()]
	each(m, func(l int) {
		for a := addr[l]; a < addr[l]+uint32(size) && int(a/4) < len(words); a++ {
			words[a/4][a%4] &^= 1 << l
		}
	})
}
