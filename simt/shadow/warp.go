package shadow

import (
	"math/bits"

	"jacquard/simt/lane"
	"jacquard/simt/mem"
	"jacquard/simt/program"
	"jacquard/tesla"
)

// register is the shadow of a register of a warp.
type register struct {
	touched lane.Mask // lanes with bits without a value
	value   lane.Row  // the content
	bits    lane.Row  // of touched lanes: the bits without a value
	origin  lane.Row  // of touched lanes: where they come from
}

// get returns the value of a lane.
func (r *register) get(l int) value {
	x := value{v: uint64(r.value[l])}
	if r.touched>>l&1 != 0 {
		x.free = uint64(r.bits[l])
	}
	return x
}

// set replaces the bits of a lane.
func (r *register) set(l int, free, origin uint32) {
	if free == 0 {
		r.touched &^= 1 << l
		return
	}
	r.touched |= 1 << l
	r.bits[l], r.origin[l] = free, origin
}

// setHalf replaces the bits of a half: 0 is the low one.
func (r *register) setHalf(l, half int, free, origin uint32) {
	shift := 16 * half
	if free &= 0xffff; free == 0 {
		origin = r.origin[l]
	}
	r.set(l, uint32(r.get(l).free)&^(0xffff<<shift)|free<<shift, origin)
}

// blank makes all bits of all lanes have no value.
func (r *register) blank(bits uint32) {
	r.touched = lane.All
	for l := range r.bits {
		r.bits[l], r.origin[l] = bits, registerOrigin
	}
}

// each calls do for each lane of a mask.
func each(m lane.Mask, do func(l int)) {
	for ; m != 0; m &= m - 1 {
		do(bits.TrailingZeros32(uint32(m)))
	}
}

// warp is the shadow of a warp: its registers and local memory.
type warp struct {
	general   []register
	addresses [8]register
	flags     [4]register // the four bits of condition registers
	local     []register  // by word; values are not kept
	exchange  exchange
}

// none is a register that a kernel does not own. It is never written.
var none register

// reg returns a general register.
func (x *warp) reg(n int) *register {
	if n >= len(x.general) {
		return &none
	}
	return &x.general[n]
}

// begin makes the warp one at the start of a block: $r0 has the thread's number, and the rest no
// value.
func (b *block) begin(w int) {
	x, p := &b.warps[w], b.p
	if x.general == nil {
		x.general = make([]register, p.Kernel.Registers)
		x.local = make([]register, mem.LocalRows(p.Kernel.Local))
	}
	for n := range x.general {
		x.general[n].blank(^uint32(0))
		x.general[n].value = *b.view.RegisterRow(n, w)
	}
	if len(x.general) > 0 {
		x.general[0].touched = 0
	}
	for i := range x.addresses {
		if x.addresses[i].touched = 0; p.Addresses>>i&1 != 0 && i != 0 && i != 5 && i != 6 {
			x.addresses[i].blank(0xffff)
			x.addresses[i].value = b.view.AddressRegister(uint8(i), w)
		}
	}
	for i := range x.flags {
		x.flags[i].blank(15)
		b.copyFlags(w, i)
	}
	for i := range x.local {
		x.local[i].blank(^uint32(0))
		x.local[i].origin = lane.Row{}
	}
}

// copyFlags copies a condition register.
func (b *block) copyFlags(w, c int) {
	f, to := b.view.Condition(uint8(c), w), &b.warps[w].flags[c].value
	for l := range to {
		to[l] = uint32(f.Z>>l&1 | f.S>>l&1<<1 | f.C>>l&1<<2 | f.O>>l&1<<3)
	}
}

// effects are the registers that an instruction reads and writes.
type effects struct{ uses, defs registers }

type registers struct{ general, addresses, conditions []int }

func registersOf(s tesla.Registers) (r registers) {
	for n := range s.General() {
		r.general = append(r.general, n)
	}
	for n := range s.Addresses() {
		r.addresses = append(r.addresses, n)
	}
	for n := range s.Conditions() {
		r.conditions = append(r.conditions, n)
	}
	return r
}

func effectsOf(p *program.Program) []effects {
	list := make([]effects, len(p.Code))
	for i := range p.Code {
		list[i] = effects{registersOf(p.Code[i].Ins.Uses()), registersOf(p.Code[i].Ins.Defs())}
	}
	return list
}

// each calls do for each register of a set that the warp has.
func (r *registers) each(x *warp, do func(*register)) {
	for _, n := range r.general {
		if n < len(x.general) {
			do(&x.general[n])
		}
	}
	for _, n := range r.addresses {
		do(&x.addresses[n&7])
	}
	for _, n := range r.conditions {
		do(&x.flags[n])
	}
}

// refresh copies the registers that an instruction wrote.
func (b *block) refresh(r *registers, w int) {
	x := &b.warps[w]
	for _, n := range r.general {
		if n < len(x.general) {
			x.general[n].value = *b.view.RegisterRow(n, w)
		}
	}
	for _, n := range r.addresses {
		if n != 0 && n != 5 && n != 6 {
			x.addresses[n].value = b.view.AddressRegister(uint8(n), w)
		}
	}
	for _, n := range r.conditions {
		b.copyFlags(w, n)
	}
}
