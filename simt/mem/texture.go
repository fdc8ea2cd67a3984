package mem

import "jacquard/simt/lane"

// TextureKind says what a texture unit reads from.
type TextureKind uint8

// The kinds of texture.
const (
	Unbound TextureKind = iota
	Linear              // global memory from Base on, integer coordinate x (tex1Dfetch)
)

// Texture is what is bound to a texture unit. The zero Texture is unbound.
type Texture struct {
	Kind     TextureKind
	Format   Format
	Channels uint8  // components a texel: 1, 2 or 4
	Integer  bool   // integer components are returned as they are, not as a fraction of 1
	Base     uint32 // Linear: address of texel 0
	Size     uint64 // Linear: bytes bound; a texel must lie inside them wholly
}

// TexelSize returns the bytes of a texel.
func (x *Texture) TexelSize() int { return x.Format.Size() * int(x.Channels) }

// Fetch reads the texel at each lane's integer coordinate. Component k goes to row k
// of dst; a nil row drops its component. A coordinate outside the texture (it is
// signed: negative ones are outside) reads zeros, as do components that the format
// does not have. coord may be a row of dst. If bound memory has been freed since,
// nothing is fetched and the violation is returned.
//
// Unverified: an unbound texture reads zeros.
func (x *Texture) Fetch(s *Space, coord *lane.Row, m lane.Mask, dst *Data) *Violation {
	if m == 0 {
		return nil
	}
	var texels []byte
	if x.Kind == Linear {
		var err error
		if texels, err = s.Bytes(x.Base, x.Size); err != nil {
			return &Violation{Kind: Unmapped, Space: 't', Lanes: m, Addr: x.Base}
		}
	}
	size := uint64(x.TexelSize())
	for ; m != 0; m &= m - 1 {
		i := first(m)
		var texel [4]uint32
		if at := uint64(coord[i]) * size; x.Kind != Unbound && at+size <= uint64(len(texels)) {
			x.unpack(&texel, texels[at:at+size])
		}
		for k, d := range dst {
			if d != nil {
				d[i] = texel[k]
			}
		}
	}
	return nil
}

// unpack converts a texel's components to registers.
func (x *Texture) unpack(texel *[4]uint32, b []byte) {
	size := x.Format.Size()
	for k := range int(x.Channels) {
		texel[k] = x.Format.component(b[k*size:], x.Integer)
	}
}
