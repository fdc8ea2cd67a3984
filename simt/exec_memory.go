package simt

import (
	"jacquard/simt/lane"
	"jacquard/simt/mem"
	"jacquard/tesla"
)

// space is the memory a load or store goes to.
type space uint8

const (
	spaceConst space = iota
	spaceShared
	spaceLocal
	spaceGlobal
	spaceFence // the page of global memory that fences read
)

// Global memory windows: 14 is the whole of it, 15 a page that memory fences read
// (docs/isa/memory.md, Spaces).
const (
	windowGlobal = 14
	windowFence  = 15
)

// wordsOf is the number of registers of an access of type t.
func wordsOf(t tesla.Type) int32 { return int32(mem.Size(t)+3) / 4 }

// lowerLoad lowers a load from s; the instruction's Type says how memory is accessed.
func lowerLoad(s space) func(*lowerer, *uop, *tesla.Instruction) {
	return func(l *lowerer, u *uop, in *tesla.Instruction) {
		l.dest(u, &in.Dst)
		l.access(u, in, s, execLoad)
		u.wordly = u.words == 1 && u.dst.mode == dstReg
		if in.Mods&tesla.Lock != 0 {
			u.exec = execLoadLock
		}
	}
}

// lowerStore lowers a store to s: memory operand in Src[0], data in Src[1].
func lowerStore(s space) func(*lowerer, *uop, *tesla.Instruction) {
	return func(l *lowerer, u *uop, in *tesla.Instruction) {
		l.access(u, in, s, execStore)
		u.wordly = u.words == 1 && in.Src[1].Kind == tesla.Reg
		if in.Mods&tesla.Unlock != 0 {
			u.exec = execStoreUnlock
		}
	}
}

// access notes what all loads, stores and atomics have in common.
func (l *lowerer) access(u *uop, in *tesla.Instruction, s space, exec execFunc) {
	u.memory, u.exec, u.space, u.words = true, exec, s, wordsOf(in.Type)
	if s != spaceGlobal {
		u.addr = l.addressing(&in.Src[0])
		return
	}
	switch in.Src[0].Index {
	case windowGlobal:
	case windowFence:
		u.space = spaceFence
	default:
		u.exec = execNoWindow
	}
}

// execNoWindow is an access to a window of global memory that does not exist.
func execNoWindow(b *Block, u *uop, s *lane.Sel) bool {
	w := int(s.Warp[0])
	addr := b.accessed(u, s).At(w)
	return b.raiseAccess(w, &mem.Violation{Kind: mem.Unmapped, Space: 'g', Lanes: s.Mask[0], Addr: addr[lowest(s.Mask[0])]})
}

// accessed returns the addresses of a load, store or atomic: those in a register for global
// memory, else 16-bit ones.
func (b *Block) accessed(u *uop, s *lane.Sel) lane.Rows {
	if u.space >= spaceGlobal {
		return b.reg(int32(u.ins.Src[0].Value))
	}
	return b.addresses(u.addr, s)
}

// accessedNearby is accessed up to an offset; see nearby.
func (b *Block) accessedNearby(u *uop, s *lane.Sel) (at lane.Rows, offset uint32) {
	if u.space >= spaceGlobal {
		return b.reg(int32(u.ins.Src[0].Value)), 0
	}
	return b.nearby(u.addr, s)
}

// into returns where a load of warp w puts its data: the destination's registers, or
// scratch for those the kernel does not own and for half registers, which keep needs.
func (b *Block) into(u *uop, w int) mem.Data {
	if u.dst.mode == dstReg && int(u.dst.index+u.words) <= b.p.Kernel.Registers {
		return b.registers(u.dst.index, u.words, w)
	}
	var d mem.Data
	for i := range u.words {
		if r := int(u.dst.index + i); u.dst.mode == dstReg && r < b.p.Kernel.Registers {
			d[i] = &b.regs[r*b.step+w]
		} else {
			d[i] = b.scratchRow(tmpData+int(i), w)
		}
	}
	return d
}

// registers returns consecutive registers of warp w, all of which the kernel owns.
func (b *Block) registers(first, words int32, w int) (d mem.Data) {
	at := int(first)*b.step + w
	d[0] = &b.regs[at]
	for i := 1; i < int(words); i++ {
		at += b.step
		d[i] = &b.regs[at]
	}
	return d
}

// keep completes a load into a half register.
func (b *Block) keep(u *uop, s *lane.Sel) {
	if u.dst.mode == dstLow || u.dst.mode == dstHigh {
		b.store(u, b.scratch(tmpData), s)
	}
}

// data returns the registers that hold the data of a store or atomic.
func (b *Block) data(o *tesla.Operand, words int32, w int) mem.Data {
	first := int32(o.Index)
	if o.Kind == tesla.Half {
		first /= 2
		t := b.scratchRow(tmpData, w)
		for i, v := range b.reg(first).At(w) {
			t[i] = v >> (16 * uint(o.Index%2)) & 0xffff
		}
		return mem.Data{t}
	}
	if int(first+words) <= b.p.Kernel.Registers {
		return b.registers(first, words, w)
	}
	var d mem.Data
	for i := range words {
		d[i] = b.reg(first + i).At(w)
	}
	return d
}

// loadWords loads elements of a register or less for all warps of s at once, from addresses offset bytes behind those in at. It
// reports false if that cannot be done.
func (b *Block) loadWords(u *uop, from space, bank uint8, t tesla.Type, d, at lane.Rows, offset uint32, s *lane.Sel) bool {
	if b.steps != nil || b.convoy.mixes {
		return false
	}
	a := &b.access[u.slot]
	switch from {
	case spaceGlobal:
		return b.rows.LoadGlobal(b.g.l.Global, t, d, at, s, a, b.priced)
	case spaceShared:
		return b.rows.LoadShared(b.banks, t, d, at, offset, s, a, b.priced)
	case spaceConst:
		return b.rows.LoadConst(b.constant(bank), t, d, at, offset, s, a, b.priced)
	}
	return false
}

// storeWords is loadWords for stores.
func (b *Block) storeWords(u *uop, d, at lane.Rows, offset uint32, s *lane.Sel) bool {
	if b.steps != nil || b.convoy.mixes {
		return false
	}
	a := &b.access[u.slot]
	switch u.space {
	case spaceGlobal:
		return b.rows.StoreGlobal(b.g.l.Global, u.ins.Type, d, at, s, a, b.priced)
	case spaceShared:
		return b.rows.StoreShared(b.banks, u.ins.Type, d, at, offset, s, a, b.priced)
	}
	return false
}

func execLoad(b *Block, u *uop, s *lane.Sel) bool {
	at, offset := b.accessedNearby(u, s)
	if u.wordly && b.loadWords(u, u.space, u.ins.Src[0].Index, u.ins.Type, b.reg(u.dst.index), at, offset, s) {
		return true
	}
	at = b.exactly(u.addr, at, offset, s)
	c := b.cost(u, u.space, at, u.ins.Type, s)
	for k := range s.N {
		w, m := int(s.Warp[k]), s.Mask[k]
		addr, d := at.At(w), b.into(u, w)
		if b.steps != nil {
			b.steps.load(b, u, u.space, w, addr, m, mem.Size(u.ins.Type))
		}
		if v := b.load(u, &d, addr, w, m, c); v != nil && !b.overran(u, w, v) {
			b.keep(u, upTo(s, k))
			return b.raiseAccess(w, v)
		}
	}
	b.keep(u, s)
	return true
}

// upTo returns the warps of s before one that did wrong, by its position: they are past the instruction, if they are of other blocks.
func upTo(s *lane.Sel, k int) *lane.Sel {
	done := *s
	done.N = k
	return &done
}

func (b *Block) load(u *uop, d *mem.Data, addr *lane.Row, w int, m lane.Mask, c *mem.Cost) *mem.Violation {
	t := u.ins.Type
	switch u.space {
	case spaceConst:
		return b.constant(u.ins.Src[0].Index).Load(d, addr, m, t, c)
	case spaceShared:
		return b.banks[w].Load(d, addr, m, t, c)
	case spaceLocal:
		return b.localOf(w).Load(d, addr, m, t, c)
	case spaceFence:
		return mem.FencePage{}.Load(d, addr, m, t, c)
	}
	return b.g.l.Global.Load(d, addr, m, t, c)
}

func execStore(b *Block, u *uop, s *lane.Sel) bool {
	at, offset := b.accessedNearby(u, s)
	if u.wordly && b.storeWords(u, b.reg(int32(u.ins.Src[1].Index)), at, offset, s) {
		return true
	}
	at = b.exactly(u.addr, at, offset, s)
	c := b.cost(u, u.space, at, u.ins.Type, s)
	for k := range s.N {
		w, m := int(s.Warp[k]), s.Mask[k]
		addr, d := at.At(w), b.data(&u.ins.Src[1], u.words, w)
		if b.steps != nil {
			b.steps.store(b, u, w, &d, addr, m, mem.Size(u.ins.Type))
		}
		if v := b.storeTo(u, &d, addr, w, m, c); v != nil && !b.overran(u, w, v) {
			return b.raiseAccess(w, v)
		}
	}
	return true
}

func (b *Block) storeTo(u *uop, d *mem.Data, addr *lane.Row, w int, m lane.Mask, c *mem.Cost) *mem.Violation {
	t := u.ins.Type
	switch u.space {
	case spaceShared:
		return b.banks[w].Store(d, addr, m, t, c)
	case spaceLocal:
		return b.localOf(w).Store(d, addr, m, t, c)
	case spaceFence:
		return mem.FencePage{}.Store(d, addr, m, t, c)
	}
	return b.g.l.Global.Store(d, addr, m, t, c)
}

func (b *Block) localOf(w int) mem.Local {
	rows := mem.LocalRows(b.p.Kernel.Local)
	return b.local[w*rows : (w+1)*rows]
}
