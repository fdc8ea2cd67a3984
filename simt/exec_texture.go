package simt

import (
	"jacquard/simt/lane"
	"jacquard/simt/mem"
	"jacquard/tesla"
)

// Texture instructions name a texture unit, which says what is read, and a sampler, which says how. Sources start at
// the destination's register; results are packed upward from it. There is one level of detail, so that biases,
// levels and derivatives do not matter, and lanes that are not active never fetch.

// lowerTexture lowers a texture instruction that exec executes.
func lowerTexture(exec execFunc) func(*lowerer, *uop, *tesla.Instruction) {
	return func(l *lowerer, u *uop, in *tesla.Instruction) {
		if in.Tex.Cube {
			l.refuse(u, FaultUnsupported, "cube textures are not modelled")
			return
		}
		u.exec, u.memory = exec, true
	}
}

// texture returns what a unit reads; units beyond the launch's are unbound.
func (b *Block) texture(unit uint8) *mem.Texture {
	if int(unit) < len(b.g.l.Textures) {
		return &b.g.l.Textures[unit]
	}
	return &mem.Texture{}
}

// texels returns where warp w's results go: the destination's registers, or scratch for those the kernel does not own.
func (b *Block) texels(in *tesla.Instruction, w int) (d mem.Data) {
	at := int(in.Dst.Index)
	for i := range d {
		if in.Tex.Mask>>i&1 == 0 {
			continue
		}
		d[i] = b.scratchRow(tmpData+i, w)
		if at < b.p.Kernel.Registers {
			d[i] = &b.regs[at*b.step+w]
		}
		at++
	}
	return d
}

// coords returns warp w's coordinates.
func (b *Block) coords(in *tesla.Instruction, w int) mem.Coords {
	c := mem.Coords{Offset: in.Tex.Offset}
	for i := range min(int(in.Tex.Coords), len(c.Rows)) {
		c.Rows[i] = b.reg(int32(in.Dst.Index) + int32(i)).At(w)
	}
	return c
}

// execTexFetch reads texels at integer coordinates: what tex1Dfetch compiles to.
func execTexFetch(b *Block, u *uop, s *lane.Sel) bool {
	x := b.texture(u.ins.Tex.Unit)
	for k := range s.N {
		w := int(s.Warp[k])
		at, d := b.coords(u.ins, w), b.texels(u.ins, w)
		if v := x.Fetch(b.g.l.Global, &at, s.Mask[k], &d); v != nil {
			return b.raiseAccess(w, v)
		}
	}
	return true
}

// execTexSample reads a texture at float coordinates, filtered as the sampler says.
func execTexSample(b *Block, u *uop, s *lane.Sel) bool {
	x, how := b.texture(u.ins.Tex.Unit), &b.texture(u.ins.Tex.Sampler).Sampler
	for k := range s.N {
		w := int(s.Warp[k])
		at, d := b.coords(u.ins, w), b.texels(u.ins, w)
		if v := x.Sample(b.g.l.Global, how, &at, s.Mask[k], &d); v != nil {
			return b.raiseAccess(w, v)
		}
	}
	return true
}

// execTexSize answers a texture's extent at a level of detail, which its register holds.
func execTexSize(b *Block, u *uop, s *lane.Sel) bool {
	x := b.texture(u.ins.Tex.Unit)
	for k := range s.N {
		w := int(s.Warp[k])
		d := b.texels(u.ins, w)
		x.Extent(b.reg(int32(u.ins.Dst.Index)).At(w), s.Mask[k], &d)
	}
	return true
}
