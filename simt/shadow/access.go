package shadow

import (
	"math/bits"

	"jacquard/simt/mem/texture"
	"jacquard/simt/program"
	"jacquard/tesla"
)

// element is the bits without a value of up to 16 bytes, and the origins of each word's.
type element struct {
	words, origins [4]uint32
}

// any reports whether an element has bits without a value.
func (e *element) any() bool { return e.words != [4]uint32{} }

// access follows a load, store or atomic.
func (b *block) access(i *issued) {
	b.aimed(i)
	switch {
	case i.u.Ins.Op.Class() == tesla.ClassAtomic:
		b.atomic(i)
	case i.u.Ins.Dst.Kind != tesla.None || i.u.Ins.Op == tesla.OpLdShared:
		b.load(i)
	default:
		each(i.lanes, func(l int) { b.put(i, l, b.data(i, 1, l)) })
	}
}

// aimed reports an address that depends on bits without a value.
func (b *block) aimed(i *issued) {
	o := &i.u.Ins.Src[0]
	if i.u.Space >= program.SpaceGlobal {
		b.aim(i, "address", i.x.reg(int(o.Value)))
		return
	}
	b.aim(i, "address", &i.x.addresses[o.Base&7])
}

// load follows a load.
func (b *block) load(i *issued) {
	b.clear(i, i.lanes)
	if !b.holds(i) {
		return
	}
	each(i.lanes, func(l int) {
		if e := b.element(i, l); e.any() {
			b.keep(i, l, e)
		}
	})
}

// holds reports whether the memory of an access can have bits without a value.
func (b *block) holds(i *issued) bool {
	switch i.u.Space {
	case program.SpaceGlobal, program.SpaceShared, program.SpaceLocal:
		return true
	}
	return false
}

// keep writes a loaded element to the destination.
func (b *block) keep(i *issued, l int, e element) {
	in := i.u.Ins
	n, t := int(in.Dst.Index), in.Type
	first := uint32(value{free: uint64(e.words[0])}.extended(min(8*t.Bytes(), 32), signed(t)).free)
	switch in.Dst.Kind {
	case tesla.Half:
		if n/2 < len(i.x.general) {
			i.x.general[n/2].setHalf(l, n%2, first, e.origins[0])
		}
	case tesla.Reg, tesla.Pair, tesla.Quadruple:
		e.words[0] = first
		for k := range max(t.Bytes()/4, 1) {
			if n+k < len(i.x.general) {
				i.x.general[n+k].set(l, e.words[k], e.origins[k])
			}
		}
	}
}

// data returns source k of a store or atomic.
func (b *block) data(i *issued, k, l int) (e element) {
	o := &i.u.Ins.Src[k]
	if o.Kind == tesla.Half {
		r := i.x.reg(int(o.Index / 2))
		e.words[0], e.origins[0] = uint32(r.get(l).free)>>(16*(o.Index%2))&0xffff, r.origin[l]
	} else if first, n := o.Span(); n > 0 {
		for j := range max(i.u.Ins.Type.Bytes()/4, 1) {
			r := i.x.reg(first + j)
			e.words[j], e.origins[j] = uint32(r.get(l).free), r.origin[l]
		}
	}
	if size := i.u.Ins.Type.Bytes(); size < 4 {
		e.words[0] &= uint32(ones(8 * size))
	}
	return e
}

// element returns what memory holds at the address of a lane. Bits that nobody read before come from
// this instruction.
func (b *block) element(i *issued, l int) (e element) {
	addr, size := i.addr[l], uint32(i.u.Ins.Type.Bytes())
	space := "global"
	switch i.u.Space {
	case program.SpaceGlobal:
		e = b.m.element(addr, size)
	case program.SpaceShared:
		space = "shared"
		if b.inShared(addr, size) {
			e = b.shared[addr/pageSize].element(addr%pageSize, size)
		}
	case program.SpaceLocal:
		space = "local"
		e = i.x.localElement(l, addr, size)
	}
	for k, free := range e.words {
		if free != 0 && e.origins[k] == noOrigin {
			e.origins[k] = b.origin(i, space, l)
		}
	}
	return e
}

// element returns the bits of size bytes.
func (m *Memory) element(addr, size uint32) element {
	if p := m.page(addr); p != nil && addr%size == 0 {
		return p.element(addr%pageSize, size)
	}
	return element{}
}

// element returns the bits of size bytes.
func (p *page) element(at, size uint32) (e element) {
	if !p.any(at, size) {
		return e
	}
	for k := range size {
		free, origin := p.byte(at + k)
		e.words[k/4] |= uint32(free) << (8 * (k % 4))
		if origin != 0 {
			e.origins[k/4] = origin
		}
	}
	return e
}

// put makes size bytes have an element's bits.
func (p *page) putElement(at, size uint32, e *element) {
	if !e.any() {
		p.define(at, size)
		return
	}
	for k := range size {
		if free := uint8(e.words[k/4] >> (8 * (k % 4))); free != 0 {
			p.setByte(at+k, free, e.origins[k/4])
		} else {
			p.define(at+k, 1)
		}
	}
}

// localElement returns the bits of size bytes of a lane's local memory.
func (x *warp) localElement(l int, addr, size uint32) (e element) {
	for k := range max(size/4, 1) {
		at := int(addr/4 + k)
		if at >= len(x.local) {
			break
		}
		r := &x.local[at]
		if free := uint32(r.get(l).free) >> (8 * (addr % 4)); free != 0 {
			if size < 4 {
				free &= uint32(ones(int(8 * size)))
			}
			e.words[k], e.origins[k] = free, r.origin[l]
		}
	}
	return e
}

// putLocal makes size bytes of a lane's local memory have an element's bits.
func (x *warp) putLocal(l int, addr, size uint32, e *element) {
	for k := range max(size/4, 1) {
		at := int(addr/4 + k)
		if at >= len(x.local) {
			return
		}
		r, free, origin := &x.local[at], e.words[k], e.origins[k]
		if size < 4 {
			shift := 8 * (addr % 4)
			if free == 0 {
				origin = r.origin[l]
			}
			free = uint32(r.get(l).free)&^(uint32(ones(int(8*size)))<<shift) | free<<shift
		}
		r.set(l, free, origin)
	}
}

// put follows what a lane stores.
func (b *block) put(i *issued, l int, e element) {
	addr, size := i.addr[l], uint32(i.u.Ins.Type.Bytes())
	switch i.u.Space {
	case program.SpaceGlobal:
		b.m.put(b.l.Global.Mapped, addr, size, &e)
	case program.SpaceShared:
		if b.inShared(addr, size) {
			b.shared[addr/pageSize].putElement(addr%pageSize, size, &e)
		}
	case program.SpaceLocal:
		i.x.putLocal(l, addr, size, &e)
	}
}

// put makes size bytes have an element's bits. What the host can read itself counts as defined.
func (m *Memory) put(mapped func(uint32) bool, addr, size uint32, e *element) {
	switch {
	case !e.any():
		m.Define(addr, uint64(size))
	case !mapped(addr):
		m.own(addr).putElement(addr%pageSize, size, e)
	}
}

// atomic follows docs/isa/operations.md, Atom and Red: one lane after the other.
func (b *block) atomic(i *issued) {
	in := i.u.Ins
	each(i.lanes, func(l int) {
		old, x, y := b.element(i, l), b.data(i, 1, l), b.data(i, 2, l)
		if in.Dst.Kind != tesla.None {
			b.clear(i, 1<<l) // it may be an operand
		}
		if in.Type.Bytes() < 4 {
			return
		}
		now := x
		switch {
		case in.Atom == tesla.AtomExch:
		case !old.any() && !x.any() && !y.any():
			now = element{}
		default:
			now = combined(in.Atom, &old, &x, &y)
		}
		if in.Dst.Kind != tesla.None && old.any() {
			b.keep(i, l, old)
		}
		b.put(i, l, now)
	})
}

// combined is what an atomic operation leaves of an old element and its operands, of which some have
// bits without a value.
func combined(op tesla.AtomOp, old, x, y *element) (now element) {
	for _, e := range []*element{y, x, old} {
		for k, free := range e.words {
			if free != 0 {
				now.origins = [4]uint32{e.origins[k], e.origins[k]}
			}
		}
	}
	free := func(e *element) uint64 { return uint64(e.words[1])<<32 | uint64(e.words[0]) }
	sum := free(old) | free(x)
	switch op {
	case tesla.AtomAdd:
		sum = ^uint64(0) << bits.TrailingZeros64(sum)
	case tesla.AtomAnd, tesla.AtomOr, tesla.AtomXor:
	case tesla.AtomCas:
		if sum == 0 { // it may have been exchanged
			sum = free(y)
			break
		}
		fallthrough
	default:
		sum = ^uint64(0)
	}
	now.words = [4]uint32{uint32(sum), uint32(sum >> 32)}
	return now
}

// texture follows a fetch of texels. Of texels in memory, those at whole coordinates of one dimension
// are looked at.
func (b *block) texture(i *issued) {
	in := i.u.Ins
	for k := range min(int(in.Tex.Coords), 4) {
		b.aim(i, "address", i.x.reg(int(in.Dst.Index)+k))
	}
	x := i.x.reg(int(in.Dst.Index)).value
	b.clear(i, i.lanes)
	unit, ok := linear(b.l.Textures, in)
	if !ok {
		return
	}
	each(i.lanes, func(l int) {
		at, ok := texel(unit, in, x[l])
		if !ok {
			return
		}
		var e element
		for k := range uint32(unit.TexelSize()) {
			free, origin := b.m.byte(at + k)
			if free == 0 {
				continue
			}
			if e.words = [4]uint32{1, 1, 1, 1}; origin != 0 {
				e.origins[0] = origin
			}
		}
		if !e.any() {
			return
		}
		if e.origins[0] == noOrigin {
			e.origins[0] = b.origin(i, "global", l)
		}
		for k := range bits.OnesCount8(in.Tex.Mask) {
			if n := int(in.Dst.Index) + k; n < len(i.x.general) {
				i.x.general[n].set(l, ^uint32(0), e.origins[0])
			}
		}
	})
}

// linear returns the texture that an instruction fetches texels from, if it is memory of one
// dimension.
func linear(units []texture.Texture, in *tesla.Instruction) (x *texture.Texture, ok bool) {
	if in.Op != tesla.OpTexFetch || int(in.Tex.Unit) >= len(units) {
		return nil, false
	}
	x = &units[in.Tex.Unit]
	return x, x.Kind == texture.Linear
}

// texel returns the address of the texel at a coordinate.
func texel(x *texture.Texture, in *tesla.Instruction, coordinate uint32) (addr uint32, ok bool) {
	n, size := int64(int32(coordinate))+int64(in.Tex.Offset[0]), int64(x.TexelSize())
	return x.Base + uint32(n*size), n >= 0 && uint64(n*size+size) <= x.Size
}
