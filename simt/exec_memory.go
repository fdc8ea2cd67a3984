package simt

import (
	"fmt"

	"jacquard/simt/lane"
	"jacquard/simt/mem"
	"jacquard/tesla"
)

// Global memory windows: 14 is the whole of it, 15 a page that memory fences read
// (formats/abi.md 2 and 3).
const (
	windowGlobal = 14
	windowFence  = 15
)

// memorySource reads source x, which lies in s[] or c[], into scratch row tmpSrc+i.
func (b *Block) memorySource(x *source, i int, s *lane.Sel) lane.Rows {
	d := b.scratch(tmpSrc + i)
	if x.mode == srcShared {
		v, ok := b.shared.LoadWord(x.offset, x.typ)
		if !ok {
			all := *uniform(x.offset)
			b.raiseAccess(int(s.Warp[0]), b.shared.Load(&mem.Data{d.At(0)}, &all, s.Mask[0], x.typ))
			return d
		}
		if x.half {
			v = extend(v, x.signed)
		}
		r := d.At(0)
		for k := range r {
			r[k] = v
		}
		return lane.RowsOf(r, 0)
	}
	for k := range s.N {
		w := int(s.Warp[k])
		addr := b.address(x.base, x.offset, x.post, w, s.Mask[k])
		to := mem.Data{d.At(w)}
		var v *mem.Violation
		if x.mode == srcSharedAt {
			v = b.shared.Load(&to, addr, s.Mask[k], x.typ)
		} else {
			v = b.constant(x.bank).Load(&to, addr, s.Mask[k], x.typ)
		}
		if v != nil {
			b.raiseAccess(w, v)
			return d
		}
	}
	if x.half {
		if x.signed {
			lane.ExtractLowS(d, d, s)
		} else {
			lane.ExtractLowU(d, d, s)
		}
	}
	return d
}

func extend(v uint32, signed bool) uint32 {
	if signed {
		return uint32(int32(int16(v)))
	}
	return v & 0xffff
}

func (b *Block) constant(bank uint8) mem.Const { return mem.Const(b.g.l.Const[bank]) }

// address returns the 16-bit addresses of one warp's access through address register base.
// A post-increment takes the register alone and adds the offset to it afterwards.
// Unverified: that the sum wraps at 16 bits.
func (b *Block) address(base uint8, offset uint32, post bool, w int, m lane.Mask) *lane.Row {
	addr := b.scratchRow(tmpAddr, w)
	from := b.addr(base).At(w)
	for i := range addr {
		addr[i] = from[i]
	}
	if !post {
		for i := range addr {
			addr[i] = (addr[i] + offset) & 0xffff
		}
		return addr
	}
	reg := &b.addrs[base][w]
	for i := range reg {
		if m>>i&1 != 0 {
			reg[i] = (reg[i] + offset) & 0xffff
		}
	}
	return addr
}

// operandAddress is address for the memory operand o of a load or store.
func (b *Block) operandAddress(o *tesla.Operand, w int, m lane.Mask) *lane.Row {
	return b.address(o.Base, o.Value, o.Post, w, m)
}

// wordsOf is the number of registers of an access of type t.
func wordsOf(t tesla.Type) int32 { return int32(mem.Size(t)+3) / 4 }

// lowerLoad lowers a load whose Type says how memory is accessed.
func lowerLoad(exec execFunc) func(*lowerer, *uop, *tesla.Instruction) {
	return func(l *lowerer, u *uop, in *tesla.Instruction) {
		l.dest(u, &in.Dst)
		u.words = wordsOf(in.Type)
		u.exec, u.memory = exec, true
		if in.Op == tesla.OpLdGlobal {
			u.window(in)
		}
	}
}

// window replaces execution by a fault if the global window does not exist.
func (u *uop) window(in *tesla.Instruction) {
	if w := in.Src[0].Index; w != windowGlobal && w != windowFence {
		u.exec = func(b *Block, u *uop, s *lane.Sel) bool {
			w := int(s.Warp[0])
			return b.raiseAccess(w, &mem.Violation{Kind: mem.Unmapped, Space: 'g', Lanes: s.Mask[0], Addr: b.reg(int32(u.ins.Src[0].Value)).At(w)[lowest(s.Mask[0])]})
		}
	}
}

// into returns where a load of warp w puts its data: the destination's registers, or
// scratch for those the kernel does not own and for half registers, which keep needs.
func (b *Block) into(u *uop, w int) mem.Data {
	var d mem.Data
	for i := range u.words {
		if r := int(u.dst.index + i); u.dst.mode == dstReg && r < b.p.Kernel.Registers {
			d[i] = &b.regs[r*b.warps+w]
		} else {
			d[i] = b.scratchRow(tmpData+int(i), w)
		}
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
	var d mem.Data
	first := int32(o.Index)
	if o.Kind == tesla.Half {
		first /= 2
		t := b.scratchRow(tmpData, w)
		for i, v := range b.reg(first).At(w) {
			t[i] = v >> (16 * uint(o.Index%2)) & 0xffff
		}
		d[0] = t
		return d
	}
	for i := range words {
		d[i] = b.reg(first + i).At(w)
	}
	return d
}

func execLoadConst(b *Block, u *uop, s *lane.Sel) bool {
	o := &u.ins.Src[0]
	for k := range s.N {
		w := int(s.Warp[k])
		d := b.into(u, w)
		if v := b.constant(o.Index).Load(&d, b.operandAddress(o, w, s.Mask[k]), s.Mask[k], u.ins.Type); v != nil {
			return b.raiseAccess(w, v)
		}
	}
	b.keep(u, s)
	return true
}

func execLoadShared(b *Block, u *uop, s *lane.Sel) bool {
	o := &u.ins.Src[0]
	for k := range s.N {
		w := int(s.Warp[k])
		d := b.into(u, w)
		if v := b.shared.Load(&d, b.operandAddress(o, w, s.Mask[k]), s.Mask[k], u.ins.Type); v != nil {
			return b.raiseAccess(w, v)
		}
	}
	b.keep(u, s)
	return true
}

func lowerLoadShared(l *lowerer, u *uop, in *tesla.Instruction) {
	exec := execLoadShared
	if in.Mods&tesla.Lock != 0 {
		exec = execLoadLock
	}
	lowerLoad(exec)(l, u, in)
}

// execLoadLock reads a word and tries to lock it; the $c says which lanes did.
// Unverified: the $c's value is that of compare-and-set, true for success; compilers only
// rely on success being "less" and failure not (isa/semantics.md 8.2).
func execLoadLock(b *Block, u *uop, s *lane.Sel) bool {
	o := &u.ins.Src[0]
	for k := range s.N {
		w := int(s.Warp[k])
		d := b.into(u, w)
		var v *mem.Violation
		if b.holds[k], v = b.shared.LoadLock(d[0], b.operandAddress(o, w, s.Mask[k]), s.Mask[k]); v != nil {
			return b.raiseAccess(w, v)
		}
	}
	b.keep(u, s)
	if u.cdst != tesla.NoCond {
		lane.MaskFlags(b.flags[u.cdst], &b.holds, s)
	}
	return true
}

func execLoadLocal(b *Block, u *uop, s *lane.Sel) bool {
	o := &u.ins.Src[0]
	for k := range s.N {
		w := int(s.Warp[k])
		d := b.into(u, w)
		if v := b.localOf(w).Load(&d, b.operandAddress(o, w, s.Mask[k]), s.Mask[k], u.ins.Type); v != nil {
			return b.raiseAccess(w, v)
		}
	}
	return true
}

func (b *Block) localOf(w int) mem.Local {
	rows := mem.LocalRows(b.p.Kernel.Local)
	return b.local[w*rows : (w+1)*rows]
}

func execLoadGlobal(b *Block, u *uop, s *lane.Sel) bool {
	o := &u.ins.Src[0]
	addr := b.reg(int32(o.Value))
	for k := range s.N {
		w := int(s.Warp[k])
		d := b.into(u, w)
		var v *mem.Violation
		if o.Index == windowFence {
			v = mem.FencePage{}.Load(&d, addr.At(w), s.Mask[k], u.ins.Type)
		} else {
			v = b.g.l.Global.Load(&d, addr.At(w), s.Mask[k], u.ins.Type)
		}
		if v != nil {
			return b.raiseAccess(w, v)
		}
	}
	return true
}

// lowerStore lowers a store: memory operand in Src[0], data in Src[1].
func lowerStore(exec execFunc) func(*lowerer, *uop, *tesla.Instruction) {
	return func(l *lowerer, u *uop, in *tesla.Instruction) {
		u.words = wordsOf(in.Type)
		u.exec, u.memory = exec, true
		if in.Op == tesla.OpStGlobal {
			u.window(in)
		}
	}
}

func execStoreShared(b *Block, u *uop, s *lane.Sel) bool {
	o := &u.ins.Src[0]
	for k := range s.N {
		w := int(s.Warp[k])
		d := b.data(&u.ins.Src[1], u.words, w)
		addr := b.operandAddress(o, w, s.Mask[k])
		var v *mem.Violation
		if u.ins.Mods&tesla.Unlock != 0 {
			v = b.shared.StoreUnlock(d[0], addr, s.Mask[k])
		} else {
			v = b.shared.Store(&d, addr, s.Mask[k], u.ins.Type)
		}
		if v != nil {
			return b.raiseAccess(w, v)
		}
	}
	return true
}

func execStoreLocal(b *Block, u *uop, s *lane.Sel) bool {
	o := &u.ins.Src[0]
	for k := range s.N {
		w := int(s.Warp[k])
		d := b.data(&u.ins.Src[1], u.words, w)
		if v := b.localOf(w).Store(&d, b.operandAddress(o, w, s.Mask[k]), s.Mask[k], u.ins.Type); v != nil {
			return b.raiseAccess(w, v)
		}
	}
	return true
}

func execStoreGlobal(b *Block, u *uop, s *lane.Sel) bool {
	o := &u.ins.Src[0]
	addr := b.reg(int32(o.Value))
	for k := range s.N {
		w := int(s.Warp[k])
		d := b.data(&u.ins.Src[1], u.words, w)
		var v *mem.Violation
		if o.Index == windowFence {
			v = mem.FencePage{}.Store(&d, addr.At(w), s.Mask[k], u.ins.Type)
		} else {
			v = b.g.l.Global.Store(&d, addr.At(w), s.Mask[k], u.ins.Type)
		}
		if v != nil {
			return b.raiseAccess(w, v)
		}
	}
	return true
}

// lowerAtomic lowers red, whose result goes nowhere, and the atomics that return the old
// value.
func lowerAtomic(l *lowerer, u *uop, in *tesla.Instruction) {
	if in.Op == tesla.OpAtom {
		l.dest(u, &in.Dst)
	}
	u.words = wordsOf(in.Type)
	u.exec, u.memory = execAtomic, true
	u.window(in)
}

func execAtomic(b *Block, u *uop, s *lane.Sel) bool {
	o := &u.ins.Src[0]
	if o.Index == windowFence {
		return b.raise(FaultIllegalAddress, int(s.Warp[0]), s.Mask[0], fmt.Sprintf("g%d[] cannot be written", windowFence))
	}
	addr := b.reg(int32(o.Value))
	for k := range s.N {
		w := int(s.Warp[k])
		a, c := b.data(&u.ins.Src[1], u.words, w), b.data(&u.ins.Src[2], u.words, w)
		var old *mem.Data
		if u.ins.Op == tesla.OpAtom {
			d := b.into(u, w)
			old = &d
		}
		if v := b.g.l.Global.Atomic(u.ins.Atom, u.ins.Type, addr.At(w), &a, &c, s.Mask[k], old); v != nil {
			if v.Kind == mem.Trap {
				return b.raise(FaultTrap, w, v.Lanes, "this atomic operation traps")
			}
			return b.raiseAccess(w, v)
		}
	}
	return true
}

// lowerTexFetch lowers a fetch by integer coordinate. Only one coordinate is modelled:
// what tex1Dfetch compiles to. Sources and results share registers.
func lowerTexFetch(l *lowerer, u *uop, in *tesla.Instruction) {
	if in.Tex.Coords != 1 {
		l.refuse(u, FaultUnsupported, fmt.Sprintf("texture fetch with %d coordinates is not modelled", in.Tex.Coords))
		return
	}
	u.exec, u.memory = execTexFetch, true
}

func execTexFetch(b *Block, u *uop, s *lane.Sel) bool {
	var unbound mem.Texture
	x := &unbound
	if unit := int(u.ins.Tex.Unit); unit < len(b.g.l.Textures) {
		x = &b.g.l.Textures[unit]
	}
	base := int(u.ins.Dst.Index)
	for k := range s.N {
		w := int(s.Warp[k])
		var d mem.Data
		at := base
		for i := range d {
			if u.ins.Tex.Mask>>i&1 == 0 {
				continue
			}
			d[i] = b.scratchRow(tmpData+i, w)
			if at < b.p.Kernel.Registers {
				d[i] = &b.regs[at*b.warps+w]
			}
			at++
		}
		coord := *b.reg(int32(base)).At(w)
		if v := x.Fetch(b.g.l.Global, &coord, s.Mask[k], &d); v != nil {
			return b.raiseAccess(w, v)
		}
	}
	return true
}
