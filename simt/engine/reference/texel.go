package reference

import (
	"encoding/binary"
	"math"

	"jacquard/fpu"
	"jacquard/simt/mem/texture"
)

// texel holds the components of a texel as registers.
type texel [4]uint32

// shape returns the texels of a texture in each dimension, how many dimensions there are, and the
// layers.
func shape(x *texture.Texture) (extent [3]int, rank, layers int) {
	extent, rank, layers = [3]int{x.Width, max(x.Height, 1), max(x.Depth, 1)}, 3, 1
	switch {
	case x.Kind == texture.Unbound:
		return [3]int{}, 1, 0
	case x.Kind == texture.Linear:
		return [3]int{int(x.Size) / x.TexelSize(), 1, 1}, 1, 1
	case x.Layered:
		extent[2], layers = 1, x.Depth
		rank = 2
	case x.Depth == 0:
		rank = 2
	}
	if x.Height == 0 {
		rank = 1
	}
	return extent, rank, layers
}

// picture is a texture with its texels.
type picture struct {
	*texture.Texture
	extent [3]int
	rank   int
	layers int
	bytes  []byte
	pitch  int // bytes from row to row
}

// picture finds the texels of a texture. It reports false if they have been freed.
func (x *step) picture(t *texture.Texture) (*picture, bool) {
	p := &picture{Texture: t}
	p.extent, p.rank, p.layers = shape(t)
	p.pitch = p.extent[0] * t.TexelSize()
	var err error
	switch t.Kind {
	case texture.Linear:
		p.bytes, err = x.Global.Bytes(t.Base, t.Size)
	case texture.Pitched:
		row := p.pitch
		p.pitch = int(t.Pitch)
		p.bytes, err = x.Global.Bytes(t.Base, uint64(p.pitch*(p.extent[1]-1)+row))
	case texture.Array:
		p.bytes = t.Texels
		return p, t.Texels != nil
	}
	return p, err == nil
}

// texel reads the texel at an index, zeros outside (docs/isa/textures.md, From texel to register).
func (p *picture) texel(at [3]int, layer int) (v texel) {
	for i, n := range at {
		if n < 0 || n >= p.extent[i] {
			return texel{}
		}
	}
	size := p.Format.Size()
	start := at[0]*p.TexelSize() + p.pitch*(at[1]+p.extent[1]*(at[2]+layer))
	for i := range int(p.Channels) {
		v[i] = component(p.Format, p.bytes[start+i*size:], p.Integer)
	}
	return v
}

// component returns the component at the start of b as a register.
func component(f texture.Format, b []byte, integer bool) uint32 {
	switch f {
	case texture.FormatU8:
		return fraction(int32(b[0]), math.MaxUint8, integer)
	case texture.FormatS8:
		return fraction(int32(int8(b[0])), math.MaxInt8, integer)
	case texture.FormatU16:
		return fraction(int32(binary.LittleEndian.Uint16(b)), math.MaxUint16, integer)
	case texture.FormatS16:
		return fraction(int32(int16(binary.LittleEndian.Uint16(b))), math.MaxInt16, integer)
	case texture.FormatF16:
		return widen(binary.LittleEndian.Uint16(b))
	}
	return binary.LittleEndian.Uint32(b)
}

// fraction returns an integer unchanged or, for normalized texels, its ratio to the greatest, at
// least -1.
func fraction(v, greatest int32, integer bool) uint32 {
	if integer {
		return uint32(v)
	}
	return math.Float32bits(max(float32(v)/float32(greatest), -1))
}

// widen returns an f16 as f32, exactly: NaNs keep their payload, which a converter would replace.
func widen(h uint16) uint32 {
	if h&0x7fff > 0x7c00 {
		return uint32(h&0x8000)<<16 | 0xff<<23 | uint32(h&0x3ff)<<13
	}
	c := fpu.Conversion{To: fpu.F32, From: fpu.F16}
	v, _ := c.Do(uint64(h))
	return uint32(v)
}
