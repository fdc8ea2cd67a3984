package texture

import (
	"encoding/binary"

	"jacquard/simt/lane"
	"jacquard/simt/mem"
)

// image is a texture's texels, ready to be read.
type image struct {
	*Texture
	bytes  []byte
	rank   int    // dimensions, without layers
	extent [3]int // as Texture.extent returns it
	layers int
	steps  [4]int // bytes to the next texel of each dimension, then to the next layer
}

// image finds the texels of x. If they were freed, it returns the violation of lanes m.
func (x *Texture) image(s *mem.Space, m lane.Mask) (image, *mem.Violation) {
	g := image{Texture: x, rank: x.rank()}
	g.extent, g.layers = x.extent()
	size := x.TexelSize()
	pitch := g.extent[0] * size
	var err error
	switch x.Kind {
	case Linear:
		g.bytes, err = s.Bytes(x.Base, x.Size)
	case Pitched:
		pitch = int(x.Pitch)
		// The last row ends with its last texel, without padding to the pitch.
		g.bytes, err = s.Bytes(x.Base, uint64(pitch)*uint64(g.extent[1]-1)+uint64(g.extent[0]*size))
	case Array:
		g.bytes = x.Texels
	}
	g.steps = [4]int{size, pitch, pitch * g.extent[1]}
	if x.Layered {
		g.steps[g.rank] = pitch * g.extent[1]
	}
	if err != nil || x.Kind == Array && x.Texels == nil {
		return g, &mem.Violation{Kind: mem.Unmapped, Space: 't', Lanes: m, Addr: x.Base}
	}
	return g, nil
}

// offsets are the lanes' byte offsets from the start of the texels. Negative offsets read zeros.
type offsets [lane.Width]int64

// outside is so low that three dimensions cannot add up to an offset above it.
const outside = -1 << 60

// step adds the offset of the indices of dimension k to off.
func (g *image) step(off *offsets, how *Sampler, k int, index *indices) {
	extent, step := int64(g.extent[k]), int64(g.steps[k])
	if g.Kind == Unbound {
		extent = 0
	}
	for i, p := range index {
		if uint64(p) >= uint64(extent) {
			if extent == 0 {
				off[i] = outside
				continue
			}
			if p = how.address(k, p, extent); p < 0 {
				off[i] += outside
				continue
			}
		}
		off[i] += p * step
	}
}

// layer adds the offset of the layer to off. An integer coordinate selects the layer in each lane.
func (g *image) layer(off *offsets, at *Coords, m lane.Mask) {
	if !g.Layered {
		return
	}
	row, step := at.row(g.rank, m), int64(g.steps[g.rank])
	for i := range row {
		off[i] += int64(min(max(int(int32(row[i])), 0), g.layers-1)) * step
	}
}

// read writes the texels at off to dst, zeros for components that the format lacks.
func (g *image) read(dst *mem.Data, off *offsets, m lane.Mask) {
	for k, d := range dst {
		if d == nil {
			continue
		}
		var r lane.Row
		if k < int(g.Channels) {
			r = g.component(k, off)
		}
		mem.Copy(d, &r, m)
	}
}

// component reads component k of the texels at off.
func (g *image) component(k int, off *offsets) (r lane.Row) {
	if len(g.bytes) == 0 {
		return r
	}
	b, f := g.bytes[k*g.Format.Size():], g.Format
	switch f {
	case FormatU32, FormatS32, FormatF32:
		for i, o := range off {
			if o >= 0 {
				r[i] = binary.LittleEndian.Uint32(b[o:])
			}
		}
	default:
		for i, o := range off {
			if o >= 0 {
				r[i] = f.component(b[o:], g.Integer)
			}
		}
	}
	return r
}
