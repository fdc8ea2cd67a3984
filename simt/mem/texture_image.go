package mem

import "jacquard/simt/lane"

// image is a texture's texels, ready to be read.
type image struct {
	*Texture
	bytes  []byte
	rank   int    // dimensions, layers apart
	extent [3]int // texels in each dimension, the layers in the last of a layered texture
	size   int    // bytes a texel
	pitch  int    // bytes from row to row
}

// image finds the texels of x. If they have been freed it returns the violation, for the lanes m.
func (x *Texture) image(s *Space, m lane.Mask) (image, *Violation) {
	g := image{Texture: x, rank: x.rank(), size: x.TexelSize(), pitch: int(x.Pitch)}
	extent, layers := x.extent()
	if x.Layered {
		extent[2] = layers
	}
	g.extent = extent
	var err error
	switch x.Kind {
	case Linear:
		g.bytes, err = s.Bytes(x.Base, x.Size)
	case Pitched:
		// The last row ends with its last texel, not with its pitch.
		g.bytes, err = s.Bytes(x.Base, uint64(x.Pitch)*uint64(extent[1]-1)+uint64(extent[0]*g.size))
	case Array:
		g.bytes, g.pitch = x.Texels, extent[0]*g.size
	}
	if err != nil || x.Kind == Array && x.Texels == nil {
		return g, &Violation{Kind: Unmapped, Space: 't', Lanes: m, Addr: x.Base}
	}
	return g, nil
}

// layer returns the layer that an integer coordinate chooses.
func (g *image) layer(coord uint32) int { return min(max(int(int32(coord)), 0), g.extent[2]-1) }

// texel returns the texel at p, zeros outside.
func (g *image) texel(p [3]int) (t texel) {
	for k, i := range p {
		if uint(i) >= uint(g.extent[k]) {
			return texel{}
		}
	}
	b := g.bytes[(p[2]*g.extent[1]+p[1])*g.pitch+p[0]*g.size:][:g.size]
	component := g.Format.Size()
	for k := range int(g.Channels) {
		t[k] = g.Format.component(b[k*component:], g.Integer)
	}
	return t
}
