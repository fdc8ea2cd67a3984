package interp

import (
	"jacquard/simt/lane"
	"jacquard/simt/mem"
	"jacquard/simt/program"
	"jacquard/tesla"
)

var accesses = bindings{
	tesla.OpLdConst:  bindAccess(execLoad),
	tesla.OpLdShared: bindLoadShared,
	tesla.OpLdLocal:  bindAccess(execLoad),
	tesla.OpLdGlobal: bindAccess(execLoad),
	tesla.OpStShared: bindStoreShared,
	tesla.OpStLocal:  bindAccess(execStore),
	tesla.OpStGlobal: bindAccess(execStore),
}

func bindAccess(exec execFunc) func(*program.Program, *op) {
	return func(_ *program.Program, u *op) {
		u.exec = exec
		if u.Space == program.SpaceUnmapped {
			u.exec = execNoWindow
		}
	}
}

func bindLoadShared(_ *program.Program, u *op) {
	u.exec = execLoad
	if u.Ins.Mods&tesla.Lock != 0 {
		u.exec = execLoadLock
	}
}

func bindStoreShared(_ *program.Program, u *op) {
	u.exec = execStore
	if u.Ins.Mods&tesla.Unlock != 0 {
		u.exec = execStoreUnlock
	}
}

// execNoWindow faults an access to a window of global memory that does not exist.
func execNoWindow(eng *Engine, u *op, s *lane.Sel) bool {
	w := int(s.Warp[0])
	addr := eng.accessed(u, s).At(w)
	return eng.RaiseAccess(w, &mem.Violation{Kind: mem.Unmapped, Space: 'g', Lanes: s.Mask[0], Addr: addr[lowest(s.Mask[0])]})
}

// accessed returns the addresses of a load, store or atomic: from a register for global memory,
// else 16-bit addresses.
func (eng *Engine) accessed(u *op, s *lane.Sel) lane.Rows {
	if u.Space >= program.SpaceGlobal {
		return eng.Register(int32(u.Ins.Src[0].Value))
	}
	return eng.addresses(u.Addr, s)
}

// into returns the rows for the data of a load of warp w: the destination's registers. Registers
// that the kernel does not own, and half registers, which keep completes, get scratch rows.
func (eng *Engine) into(u *op, w int) mem.Data {
	if u.Dst.Mode == program.DstReg && int(u.Dst.Index+u.Words) <= eng.Program.Kernel.Registers {
		return eng.registers(u.Dst.Index, u.Words, w)
	}
	var d mem.Data
	for i := range u.Words {
		if r := int(u.Dst.Index + i); u.Dst.Mode == program.DstReg && r < eng.Program.Kernel.Registers {
			d[i] = eng.RegisterRow(r, w)
		} else {
			d[i] = eng.scratchRow(tmpData+int(i), w)
		}
	}
	return d
}

// registers returns consecutive registers of warp w; the kernel must own them all.
func (eng *Engine) registers(first, words int32, w int) (d mem.Data) {
	for i := range int(words) {
		d[i] = eng.RegisterRow(int(first)+i, w)
	}
	return d
}

// keep completes a load into a half register.
func (eng *Engine) keep(u *op, s *lane.Sel) {
	if u.Dst.Mode == program.DstLow || u.Dst.Mode == program.DstHigh {
		eng.store(u, eng.scratch(tmpData), s)
	}
}

// data returns the registers that hold the data of a store or atomic.
func (eng *Engine) data(o *tesla.Operand, words int32, w int) mem.Data {
	first := int32(o.Index)
	if o.Kind == tesla.Half {
		first /= 2
		t := eng.scratchRow(tmpData, w)
		for i, v := range eng.Register(first).At(w) {
			t[i] = v >> (16 * uint(o.Index%2)) & 0xffff
		}
		return mem.Data{t}
	}
	if int(first+words) <= eng.Program.Kernel.Registers {
		return eng.registers(first, words, w)
	}
	var d mem.Data
	for i := range words {
		d[i] = eng.Register(first + i).At(w)
	}
	return d
}

func execLoad(eng *Engine, u *op, s *lane.Sel) bool {
	at := eng.accessed(u, s)
	c := eng.cost(u, u.Space, at, u.Ins.Type, s)
	for k := range s.N {
		w, m := int(s.Warp[k]), s.Mask[k]
		addr, d := at.At(w), eng.into(u, w)
		if eng.Hook != nil {
			eng.Hook.Load(&eng.State, &u.Op, u.Space, w, addr, m, mem.Size(u.Ins.Type))
		}
		if v := eng.load(u, &d, addr, w, m, c); v != nil && !eng.Overran(&u.Op, w, v) {
			eng.keep(u, upTo(s, k))
			return eng.RaiseAccess(w, v)
		}
	}
	eng.pay(u)
	eng.keep(u, s)
	return true
}

// upTo returns the warps of s before position k. The warp at k faulted.
func upTo(s *lane.Sel, k int) *lane.Sel {
	done := *s
	done.N = k
	return &done
}

func (eng *Engine) load(u *op, d *mem.Data, addr *lane.Row, w int, m lane.Mask, c *mem.Cost) *mem.Violation {
	t := u.Ins.Type
	switch u.Space {
	case program.SpaceConst:
		return eng.constant(u.Ins.Src[0].Index).Load(d, addr, m, t, c)
	case program.SpaceShared:
		return eng.Shared.Load(d, addr, m, t, c)
	case program.SpaceLocal:
		return eng.LocalOf(w).Load(d, addr, m, t, c)
	case program.SpaceFence:
		return mem.FencePage{}.Load(d, addr, m, t, c)
	}
	return eng.Global.Load(d, addr, m, t, c)
}

func execStore(eng *Engine, u *op, s *lane.Sel) bool {
	at := eng.accessed(u, s)
	c := eng.cost(u, u.Space, at, u.Ins.Type, s)
	for k := range s.N {
		w, m := int(s.Warp[k]), s.Mask[k]
		addr, d := at.At(w), &eng.stored
		*d = eng.data(&u.Ins.Src[1], u.Words, w)
		if eng.Hook != nil {
			eng.Hook.Store(&eng.State, &u.Op, w, d, addr, m, mem.Size(u.Ins.Type))
		}
		if v := eng.storeTo(u, d, addr, w, m, c); v != nil && !eng.Overran(&u.Op, w, v) {
			return eng.RaiseAccess(w, v)
		}
	}
	eng.pay(u)
	return true
}

func (eng *Engine) storeTo(u *op, d *mem.Data, addr *lane.Row, w int, m lane.Mask, c *mem.Cost) *mem.Violation {
	t := u.Ins.Type
	switch u.Space {
	case program.SpaceShared:
		return eng.Shared.Store(d, addr, m, t, c)
	case program.SpaceLocal:
		return eng.LocalOf(w).Store(d, addr, m, t, c)
	case program.SpaceFence:
		return mem.FencePage{}.Store(d, addr, m, t, c)
	}
	return eng.Global.Store(d, addr, m, t, c)
}
