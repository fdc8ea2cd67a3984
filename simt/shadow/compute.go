package shadow

import (
	"jacquard/simt/check"
	"jacquard/simt/lane"
	"jacquard/simt/program"
	"jacquard/tesla"
)

// widthOf returns the bits of source i. Operations on halves read 16, and the addends of sums of
// products and differences have 32.
func widthOf(in *tesla.Instruction, i int) int {
	t := in.Type
	switch {
	case in.Op == tesla.OpCvt:
		t = in.From
	case i == 2 && in.Op != tesla.OpDFma:
		return 32
	}
	switch t {
	case tesla.U8, tesla.S8, tesla.B16, tesla.U16, tesla.S16, tesla.F16:
		return 16
	case tesla.U64, tesla.S64, tesla.F64:
		return 64
	}
	return 32
}

// compute follows an instruction that computes a value.
func (b *block) compute(i *issued) {
	in, lanes := i.u.Ins, i.lanes
	if in.Op == tesla.OpMov && in.Idle != 0 {
		for l := range lane.Width {
			if in.Idle>>(l%4)&1 != 0 {
				lanes &^= 1 << l
			}
		}
	}
	touched := b.reads(i)
	b.clear(i, lanes&^touched)
	var free [lane.Width]outcome // all lanes read before any is written
	var from lane.Row
	each(lanes&touched, func(l int) { free[l], from[l] = b.result(i, l) })
	each(lanes&touched, func(l int) { i.x.write(in, l, free[l], from[l]) })
}

// result returns the outcome of a lane, and the origin of its bits.
func (b *block) result(i *issued, l int) (free outcome, origin uint32) {
	in := i.u.Ins
	o := operation{in: in}
	for k := range in.Src {
		x, from := b.source(i, k, l)
		o.src[k] = x
		if x.free != 0 && origin == 0 {
			origin = from
		}
	}
	if in.CarryIn != tesla.NoCond {
		r := &i.x.flags[in.CarryIn.Index()]
		o.carry = r.get(l)
		if o.carry.free != 0 && origin == 0 {
			origin = r.origin[l]
		}
	}
	return o.free(), origin
}

// reads returns the lanes that may read bits without a value. It reports addresses that depend on
// such bits.
func (b *block) reads(i *issued) (touched lane.Mask) {
	in := i.u.Ins
	for k := range in.Src {
		o := &in.Src[k]
		if o.Kind != tesla.Shared && o.Kind != tesla.Const {
			continue
		}
		b.aim(i, "address", &i.x.addresses[o.Base&7])
		if o.Kind == tesla.Shared {
			each(i.lanes, func(l int) {
				at, n := address(i.x, o, l), uint32(o.Type.Bytes())
				if b.inShared(at, n) && b.shared[at/pageSize].any(at%pageSize, n) {
					touched |= 1 << l
				}
			})
		}
	}
	e := &b.effects[i.u.At]
	for _, n := range e.uses.general {
		touched |= i.x.reg(n).touched
	}
	for _, n := range e.uses.addresses {
		touched |= i.x.addresses[n&7].touched
	}
	for _, n := range e.uses.conditions {
		if in.CarryIn != tesla.NoCond || in.Src[0].Kind == tesla.CondReg {
			touched |= i.x.flags[n].touched
		}
	}
	if in.Op == tesla.OpQuadOp && touched != 0 {
		return lane.All
	}
	return touched
}

// address returns the address of a source in memory.
func address(x *warp, o *tesla.Operand, l int) uint32 {
	at := x.addresses[o.Base&7].value[l]
	if o.Base == 0 {
		at = 0
	}
	if o.Post {
		return at
	}
	return (at + o.Value) & 0xffff
}

// inShared reports whether shared memory has n bytes at an address, which are on one page.
func (b *block) inShared(at, n uint32) bool {
	return at%n == 0 && int(at/pageSize) < len(b.shared)
}

// source returns source k of a lane, as the engines read it, and the origin of its free bits.
func (b *block) source(i *issued, k, l int) (x value, origin uint32) {
	in := i.u.Ins
	o := &in.Src[k]
	if in.Op == tesla.OpQuadOp && k == 0 {
		l = l&^3 | int(in.QuadLane&3)
	}
	of := func(r *register) (value, uint32) { return r.get(l), r.origin[l] }
	switch o.Kind {
	case tesla.Imm:
		return value{v: uint64(o.Value)}, 0
	case tesla.CondReg:
		return of(&i.x.flags[o.Index&3])
	case tesla.AddrReg:
		return of(&i.x.addresses[o.Index&7])
	case tesla.Half:
		x, origin = of(i.x.reg(int(o.Index / 2)))
		shift := 16 * (o.Index % 2)
		return value{x.v >> shift & 0xffff, x.free >> shift & 0xffff}, origin
	case tesla.Reg, tesla.Pair, tesla.Quadruple:
		x, origin = of(i.x.reg(int(o.Index)))
		if widthOf(in, k) == 64 {
			high, from := of(i.x.reg(int(o.Index) + 1))
			if x.free == 0 {
				origin = from
			}
			x.v, x.free = x.v|high.v<<32, x.free|high.free<<32
		}
		return x, origin
	case tesla.Shared:
		return b.sharedSource(i, o, widthOf(in, k), l)
	case tesla.Const:
		at, bank := int(address(i.x, o, l)), b.l.Const[o.Index&15]
		for n := range o.Type.Bytes() {
			if at+n < len(bank) {
				x.v |= uint64(bank[at+n]) << (8 * n)
			}
		}
		return x.extended(8*o.Type.Bytes(), signed(o.Type)).low(widthOf(in, k)), 0
	}
	return value{}, 0
}

// sharedSource returns a source in shared memory.
func (b *block) sharedSource(i *issued, o *tesla.Operand, width, l int) (x value, origin uint32) {
	at, n := address(i.x, o, l), uint32(o.Type.Bytes())
	data := b.view.Shared()
	if !b.inShared(at, n) || int(at+n) > len(data) {
		return value{}, 0
	}
	for k := range n {
		free, from := b.shared[at/pageSize].byte(at%pageSize + k)
		x.v |= uint64(data[at+k]) << (8 * k)
		x.free |= uint64(free) << (8 * k)
		if free != 0 {
			origin = from
		}
	}
	if x.free != 0 && origin == 0 {
		origin = b.origin(i, "shared", l)
	}
	return x.extended(int(8*n), signed(o.Type)).low(width), origin
}

func signed(t tesla.Type) bool { return t == tesla.S8 || t == tesla.S16 }

// origin returns the number of an instruction as the first that reads memory which nobody wrote.
func (b *block) origin(i *issued, space string, l int) uint32 {
	return b.m.origin(b.p, i.u, space, "read", check.Thread{Block: b.index, Warp: i.w, Lanes: 1 << l})
}

// roleOf returns what an instruction does, as a role of a site.
func roleOf(u *program.Op) string {
	switch {
	case !u.Acts:
		return "branch"
	case !u.Accesses():
		return "read"
	case u.Ins.Op.Class() == tesla.ClassAtomic:
		return "atomic"
	case u.Ins.Dst.Kind == tesla.None:
		return "write"
	}
	return "read"
}

// clear says that the results of lanes have values.
func (b *block) clear(i *issued, lanes lane.Mask) {
	in := i.u.Ins
	e := &b.effects[i.u.At].defs
	for _, n := range e.conditions {
		i.x.flags[n].touched &^= lanes
	}
	if in.Dst.Kind == tesla.AddrReg {
		i.x.addresses[in.Dst.Index&7].touched &^= lanes
	}
	if in.Dst.Kind == tesla.Half {
		if r := i.x.reg(int(in.Dst.Index / 2)); r != &none {
			each(lanes&r.touched, func(l int) { r.setHalf(l, int(in.Dst.Index%2), 0, 0) })
		}
		return
	}
	for _, n := range e.general {
		if n < len(i.x.general) {
			i.x.general[n].touched &^= lanes
		}
	}
}

// write sets the bits of a result.
func (x *warp) write(in *tesla.Instruction, l int, r outcome, origin uint32) {
	to := func(n int, free uint32) {
		if n < len(x.general) {
			x.general[n].set(l, free, origin)
		}
	}
	n := int(in.Dst.Index)
	switch in.Dst.Kind {
	case tesla.Reg:
		to(n, uint32(r.free))
	case tesla.Half:
		if n/2 < len(x.general) {
			x.general[n/2].setHalf(l, n%2, uint32(r.free), origin)
		}
	case tesla.Pair:
		to(n, uint32(r.free))
		to(n+1, uint32(r.free>>32))
	case tesla.AddrReg:
		if n != 0 && n != 5 && n != 6 {
			x.addresses[n].set(l, uint32(r.free)&0xffff, origin)
		}
	}
	if in.CDst != tesla.NoCond {
		x.flags[in.CDst.Index()].set(l, uint32(r.flags), origin)
	}
}
