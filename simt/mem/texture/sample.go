package texture

import (
	"math"

	"jacquard/simt/lane"
	"jacquard/simt/mem"
)

// AddressMode selects the texel for a coordinate outside the texture; values are CUaddress_mode's.
type AddressMode uint8

// The address modes. Without normalised coordinates, Wrap and Mirror act as Clamp.
const (
	Wrap   AddressMode = iota // the texture repeats
	Clamp                     // the texel at the edge
	Mirror                    // the texture repeats, every second time mirrored
	Border                    // zeros
)

// Sampler selects how float coordinates read a texture. The zero Sampler reads the texel that
// contains a coordinate in texels, clamped to the edge.
type Sampler struct {
	Normalized bool // coordinates run from 0 to 1 over the texture, not over its texels
	Filter     bool // blend neighbouring texels, with weights of 8 bits
	Address    [3]AddressMode
}

// borders are the modes for integer coordinates, and for memory of kind Linear.
var borders = [3]AddressMode{Border, Border, Border}

// Sample reads the texture at each lane's float coordinates, as how says; the layer is an integer.
// The rest is as for Fetch. Memory of kind Linear is neither filtered nor wrapped: a coordinate
// outside reads zeros.
//
// Unverified: the last bit of the result. Here coordinates are exact until the texel is chosen,
// weights are rounded to nearest, and the blend is summed in double precision and rounded once.
// Integers are not filtered.
func (x *Texture) Sample(s *mem.Space, how *Sampler, at *Coords, m lane.Mask, dst *mem.Data) *mem.Violation {
	if m == 0 {
		return nil
	}
	g, v := x.image(s, m)
	if v != nil {
		return v
	}
	used := x.Effective(*how)
	how = &used
	if how.Filter {
		g.blend(how, at, m, dst)
		return nil
	}
	var off offsets
	for k := range g.rank {
		var index indices
		how.nearest(&index, k, at, g.extent[k], m)
		g.step(&off, how, k, &index)
	}
	g.layer(&off, at, m)
	g.read(dst, &off, m)
	return nil
}

// fractional reports whether components are floats in registers, and so can be blended.
func (x *Texture) fractional() bool {
	switch x.Format {
	case FormatF16, FormatF32:
		return true
	case FormatU32, FormatS32:
		return false
	}
	return !x.Integer
}

// indices are the lanes' texel indices in one dimension.
type indices [lane.Width]int64

// nearest finds the texel that contains each lane's coordinate of dimension k.
func (a *Sampler) nearest(out *indices, k int, at *Coords, extent int, m lane.Mask) {
	row, add := at.row(k, m), int64(at.Offset[k])
	scale, limit := a.plain(extent)
	for i := range row {
		u := float64(math.Float32frombits(row[i]))
		if -limit < u && u < limit {
			u *= scale
		} else {
			u = a.texels(k, u, extent)
		}
		out[i] = wholePart(u) + add
	}
}

// between prepares a blend: each lane coordinate of dimension k is between the centres of texel out
// and the next. share has the weights of both.
func (a *Sampler) between(out *indices, share *[2]shares, k int, at *Coords, extent int, m lane.Mask) {
	row, add := at.row(k, m), int64(at.Offset[k])
	scale, limit := a.plain(extent)
	for i := range row {
		u := float64(math.Float32frombits(row[i]))
		if -limit < u && u < limit {
			u *= scale
		} else {
			u = a.texels(k, u, extent)
		}
		fixed := wholePart(u*256+0.5) - 128
		behind := float64(fixed&255) / 256
		out[i], share[0][i], share[1][i] = fixed>>8+add, 1-behind, behind
	}
}

// farTexels is a coordinate far outside any texture; the result for larger ones is the same.
const farTexels = 1 << 28

// plain returns a scale, and the limit below which the product with scale is a coordinate in
// texels.
func (a *Sampler) plain(extent int) (scale, limit float64) {
	switch {
	case !a.Normalized:
		return 1, farTexels
	case extent <= farTexels/2:
		return float64(extent), 2
	}
	return 0, 0
}

// texels returns coordinate u of dimension k in texels. Unverified: NaN is 0.
func (a *Sampler) texels(k int, u float64, extent int) float64 {
	if a.Normalized {
		if mode := a.Address[k]; (mode == Wrap || mode == Mirror) && !(-2 < u && u < 2) {
			u = math.Mod(u, 2) // exact, and a whole number of periods of Wrap and Mirror
		}
		u *= float64(extent)
	}
	if u != u {
		return 0
	}
	return min(max(u, -farTexels), farTexels)
}

// wholePart rounds down; math.Floor takes several times as long on hosts of the base level.
func wholePart(u float64) int64 {
	i := int64(u)
	if float64(i) > u {
		i--
	}
	return i
}

// address maps an index outside dimension k to one inside, or to -1 for the border. The sampler is
// one of Effective.
func (a *Sampler) address(k int, i, extent int64) int64 {
	switch a.Address[k] {
	case Wrap:
		return modulo(i, extent)
	case Mirror:
		// Unverified: texels mirror, as in graphics; a coordinate on a border belongs to the next
		// texel.
		if i = modulo(i, 2*extent); i >= extent {
			return 2*extent - 1 - i
		}
		return i
	case Border:
		return -1
	}
	return min(max(i, 0), extent-1)
}

// modulo returns the non-negative remainder.
func modulo(i, n int64) int64 { return (i%n + n) % n }
