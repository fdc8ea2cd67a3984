package mem

import (
	"math"

	"jacquard/simt/lane"
)

// AddressMode says what a coordinate outside the texture means; the values are CUaddress_mode's.
type AddressMode uint8

// The address modes. Wrap and Mirror need normalised coordinates and are Clamp without.
const (
	Wrap   AddressMode = iota // the texture repeats
	Clamp                     // the texel at the edge
	Mirror                    // the texture repeats, every other time turned round
	Border                    // zeros
)

// Sampler says how a texture is read at float coordinates. The zero Sampler reads the texel that a coordinate in
// texels lies in, clamped to the edge.
type Sampler struct {
	Normalized bool // coordinates run from 0 to 1 over the texture, not over its texels
	Filter     bool // blend the neighbouring texels, by weights of 8 bits
	Address    [3]AddressMode
}

// Sample reads the texture at each lane's float coordinates, as how says; the layer is an integer. Everything else is
// as for Fetch. Memory of kind Linear is neither filtered nor wrapped: a coordinate outside reads zeros.
//
// Unverified: what the unit does to the last bit. Coordinates are exact here until the texel is chosen, weights are
// rounded to nearest, and the blend is summed in double precision and rounded once. Integers are not filtered.
func (x *Texture) Sample(s *Space, how *Sampler, at *Coords, m lane.Mask, dst *Data) *Violation {
	if m == 0 {
		return nil
	}
	g, v := x.image(s, m)
	if v != nil {
		return v
	}
	if x.Kind == Linear {
		how = &Sampler{Normalized: how.Normalized, Address: [3]AddressMode{Border, Border, Border}}
	}
	blend := how.Filter && x.fractional()
	for ; m != 0; m &= m - 1 {
		i := first(m)
		var taps [3]tap
		for k := range g.rank {
			u := how.texels(k, at.at(k, i), g.extent[k])
			taps[k] = choose(u, blend)
			taps[k].index += int(at.Offset[k])
		}
		if x.Layered {
			taps[2].index = g.layer(at.at(g.rank, i))
		}
		var t texel
		if blend {
			t = g.blend(how, &taps)
		} else {
			t = g.texel(g.place(how, &taps, [3]int{}))
		}
		t.store(dst, i)
	}
	return nil
}

// fractional reports whether components are floats once they are in registers, and so can be blended.
func (x *Texture) fractional() bool {
	switch x.Format {
	case FormatF16, FormatF32:
		return true
	case FormatU32, FormatS32:
		return false
	}
	return !x.Integer
}

// farTexels is a coordinate far outside any texture; beyond it nothing changes but overflows.
const farTexels = 1 << 28

// texels returns a coordinate of dimension k in texels. Unverified: NaN is 0.
func (a *Sampler) texels(k int, coord uint32, extent int) float64 {
	u := float64(math.Float32frombits(coord))
	if a.Normalized {
		if mode := a.Address[k]; (mode == Wrap || mode == Mirror) && !(-2 < u && u < 2) {
			u = math.Mod(u, 2) // exact, and a whole number of periods of either
		}
		u *= float64(extent)
	}
	if u != u {
		return 0
	}
	return min(max(u, -farTexels), farTexels)
}

// tap is where one dimension is read: at index, and at index+1 with weight/256 of the whole.
type tap struct {
	index  int
	weight int // 0..255
}

// choose returns the texel that u lies in, or for a blend the two whose centres it lies between.
func choose(u float64, blend bool) tap {
	if !blend {
		return tap{index: int(wholePart(u))}
	}
	fixed := wholePart(u*256+0.5) - 128
	return tap{int(fixed >> 8), int(fixed & 255)}
}

// wholePart rounds down; math.Floor takes several times as long on hosts of the base level.
func wholePart(u float64) int64 {
	i := int64(u)
	if float64(i) > u {
		i--
	}
	return i
}

// place returns the texel that the taps choose, with add added to their indices. A component that no texel has stands
// for the border.
func (g *image) place(how *Sampler, taps *[3]tap, add [3]int) (p [3]int) {
	for k := range p {
		p[k] = taps[k].index + add[k]
		if k < g.rank && g.Kind != Unbound {
			p[k] = how.address(k, p[k], g.extent[k])
		}
	}
	return p
}

// address turns an index of dimension k into one inside the texture, or into -1 for the border.
func (a *Sampler) address(k, i, extent int) int {
	if uint(i) < uint(extent) {
		return i
	}
	mode := a.Address[k]
	if !a.Normalized && mode != Border {
		mode = Clamp
	}
	switch mode {
	case Wrap:
		return modulo(i, extent)
	case Mirror:
		// Unverified: texels mirror, as in graphics; a coordinate on their border belongs to the texel behind it.
		if i = modulo(i, 2*extent); i >= extent {
			return 2*extent - 1 - i
		}
		return i
	case Border:
		return -1
	}
	return min(max(i, 0), extent-1)
}

// modulo is the remainder that is not negative.
func modulo(i, n int) int { return (i%n + n) % n }

// blend returns the weighted sum of the texels around the taps: 2, 4 or 8 of them. Texels without weight are not
// read, so that their infinities do not matter.
func (g *image) blend(how *Sampler, taps *[3]tap) (t texel) {
	var sum [4]float64
	for corner := range 1 << g.rank {
		weight := 1
		var add [3]int
		for k := range g.rank {
			add[k] = corner >> k & 1
			if add[k] == 1 {
				weight *= taps[k].weight
			} else {
				weight *= 256 - taps[k].weight
			}
		}
		if weight == 0 {
			continue
		}
		share := float64(weight) / float64(int(1)<<(8*g.rank))
		near := g.texel(g.place(how, taps, add))
		for k := range int(g.Channels) {
			// The product is exact: 24 bits times 24 at most.
			sum[k] += float64(float64(math.Float32frombits(near[k])) * share)
		}
	}
	for k := range int(g.Channels) {
		t[k] = round32(sum[k])
	}
	return t
}

// round32 returns v as a register; a NaN is the one that the machine's arithmetic makes.
func round32(v float64) uint32 {
	if v != v {
		return 0x7fffffff
	}
	return math.Float32bits(float32(v))
}
