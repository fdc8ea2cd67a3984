package reference

import (
	"math"

	"jacquard/simt/mem/texture"
)

// share is a texel of one dimension and its part of a blend.
type share struct {
	index  int
	weight float64
}

// sample reads the texture at a thread's coordinates: integers if whole, else f32
// (docs/isa/textures.md, Integer coordinates, Float coordinates).
func (p *picture) sample(how *texture.Sampler, c [4]uint32, offset [3]int8, whole bool) texel {
	if p.Kind == texture.Unbound {
		return texel{}
	}
	layer := 0
	if p.Layered {
		layer = min(max(int(int32(c[p.rank])), 0), p.layers-1)
	}
	blends := !whole && how.Filter && p.Kind != texture.Linear && p.isFloat()
	dims := [3][]share{{{0, 1}}, {{0, 1}}, {{0, 1}}}
	for i := range p.rank {
		switch {
		case whole:
			dims[i] = []share{{int(int32(c[i])), 1}}
		default:
			dims[i] = p.around(how, i, c[i], blends)
		}
		for k := range dims[i] {
			dims[i][k].index = p.place(how, i, dims[i][k].index+int(offset[i]), whole)
		}
	}
	if !blends {
		return p.texel([3]int{dims[0][0].index, dims[1][0].index, dims[2][0].index}, layer)
	}
	return p.blend(dims, layer)
}

// isFloat reports whether components are floats in registers.
func (p *picture) isFloat() bool {
	switch p.Format {
	case texture.FormatF16, texture.FormatF32:
		return true
	case texture.FormatU32, texture.FormatS32:
		return false
	}
	return !p.Integer
}

// around returns the texels of dimension i near a float coordinate: the nearest, or two to blend.
func (p *picture) around(how *texture.Sampler, i int, c uint32, blends bool) []share {
	u := float64(math.Float32frombits(c))
	if how.Normalized {
		if mode := how.Address[i]; p.Kind != texture.Linear && (mode == texture.Wrap || mode == texture.Mirror) {
			u = math.Mod(u, 2) // a whole number of periods of either
		}
		u *= float64(p.extent[i])
	}
	const far = 1 << 28 // outside of any texture
	if u != u {
		u = 0
	}
	u = min(max(u, -far), far)
	if !blends {
		return []share{{int(math.Floor(u)), 1}}
	}
	f := int64(math.Floor(256*u+0.5)) - 128
	first, behind := int(f>>8), float64(f&255)/256
	return []share{{first, 1 - behind}, {first + 1, behind}}
}

// place returns the texel for an index of dimension i under its address mode, -1 for the border.
func (p *picture) place(how *texture.Sampler, i, n int, whole bool) int {
	extent, mode := p.extent[i], how.Address[i]
	switch {
	case n >= 0 && n < extent:
		return n
	case whole, p.Kind == texture.Linear, mode == texture.Border, extent == 0:
		return -1
	case mode == texture.Wrap && how.Normalized:
		return modulo(n, extent)
	case mode == texture.Mirror && how.Normalized:
		if n = modulo(n, 2*extent); n >= extent {
			return 2*extent - 1 - n
		}
		return n
	}
	return min(max(n, 0), extent-1)
}

func modulo(i, n int) int { return (i%n + n) % n }

// blend sums the texels around a coordinate by their weights. Texels without weight are not read.
// The first dimension varies fastest.
func (p *picture) blend(dims [3][]share, layer int) (v texel) {
	var sums [4]float64
	for _, z := range dims[2] {
		for _, y := range dims[1] {
			for _, x := range dims[0] {
				weight := x.weight * y.weight * z.weight
				if weight == 0 {
					continue
				}
				t := p.texel([3]int{x.index, y.index, z.index}, layer)
				for i := range int(p.Channels) {
					sums[i] += float64(float64(math.Float32frombits(t[i])) * weight)
				}
			}
		}
	}
	for i := range int(p.Channels) {
		if v[i] = math.Float32bits(float32(sums[i])); sums[i] != sums[i] {
			v[i] = 0x7fffffff
		}
	}
	return v
}
