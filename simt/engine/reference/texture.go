package reference

import (
	"jacquard/simt/mem"
	"jacquard/simt/mem/texture"
	"jacquard/tesla"
)

// texture is docs/isa/operations.md, TexFetch, TexAuto, TexBias, TexLod and TexSize. Coordinates
// and results share registers, so a thread reads all of its coordinates first.
func (x *step) texture() bool {
	unit, how := x.unit(x.in.Tex.Unit), x.unit(x.in.Tex.Sampler).Sampler
	if x.Hook != nil && x.in.Op != tesla.OpTexSize {
		for k, w := range x.s.Warp[:x.s.N] {
			x.Hook.Fetch(x.State, x.u, int(w), x.s.Mask[k])
		}
	}
	for k, t := range threads(x.State, x.s) {
		var v texel
		if x.in.Op == tesla.OpTexSize {
			v = sizes(unit, t.reg(int(x.in.Dst.Index)))
		} else {
			p, ok := x.picture(unit)
			if !ok {
				return x.RaiseAccess(t.warp, &mem.Violation{Kind: mem.Unmapped, Space: 't', Lanes: x.s.Mask[k], Addr: unit.Base})
			}
			v = p.sample(&how, x.coordinates(t), x.in.Tex.Offset, x.in.Op == tesla.OpTexFetch)
		}
		x.keepTexel(t, v)
	}
	return true
}

// unit returns the texture of a unit. Units beyond the launch's are unbound.
func (x *step) unit(n uint8) *texture.Texture {
	if int(n) < len(x.Textures) {
		return &x.Textures[n]
	}
	return &texture.Texture{}
}

// coordinates returns the coordinates of a thread; coordinates that the instruction lacks are 0.
func (x *step) coordinates(t thread) (c [4]uint32) {
	for i := range min(int(x.in.Tex.Coords), len(c)) {
		c[i] = t.reg(int(x.in.Dst.Index) + i)
	}
	return c
}

// keepTexel writes the components in the mask, packed upwards from the base register.
func (x *step) keepTexel(t thread, v texel) {
	n := int(x.in.Dst.Index)
	for i := range 4 {
		if x.in.Tex.Mask>>i&1 != 0 {
			t.setReg(n, v[i])
			n++
		}
	}
}

// sizes is docs/isa/textures.md, Sizes.
func sizes(x *texture.Texture, level uint32) texel {
	extent, rank, layers := shape(x)
	if x.Kind == texture.Unbound {
		return texel{}
	}
	v := texel{1, 1, 1, 1}
	for i := range rank {
		v[i] = uint32(max(extent[i]>>min(level, 31), min(extent[i], 1)))
	}
	if x.Layered {
		v[rank] = uint32(layers)
	}
	return v
}
