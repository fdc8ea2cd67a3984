package texture

import (
	"math"

	"jacquard/simt/lane"
	"jacquard/simt/mem"
)

// shares are the weights of a blend, by lane.
type shares [lane.Width]float64

// blend writes the weighted sums of the 2, 4 or 8 texels around the coordinates. It skips texels
// without weight, so that their infinities do not matter.
func (g *image) blend(how *Sampler, at *Coords, m lane.Mask, dst *mem.Data) {
	var off [3][2]offsets // by dimension: the texels before and after the coordinate
	var share [3][2]shares
	for k := range g.rank {
		var index indices
		how.between(&index, &share[k], k, at, g.extent[k], m)
		g.step(&off[k][0], how, k, &index)
		for i := range index {
			index[i]++
		}
		g.step(&off[k][1], how, k, &index)
	}
	var layer offsets
	g.layer(&layer, at, m)

	var sum [4]shares
	for corner := range 1 << g.rank {
		at, weight := layer, share[0][corner&1]
		for k := range g.rank {
			side := corner >> k & 1
			for i, v := range &off[k][side] {
				at[i] += v
			}
			if k > 0 {
				for i, v := range &share[k][side] {
					weight[i] *= v // exact: 24 bits at most
				}
			}
		}
		if weight != (shares{}) {
			g.gather(&sum, dst, &at, &weight)
		}
	}
	for k, d := range dst {
		if d == nil {
			continue
		}
		var r lane.Row
		if k < int(g.Channels) {
			for i, v := range &sum[k] {
				r[i] = round32(v)
			}
		}
		mem.Copy(d, &r, m)
	}
}

// gather adds to sum the weighted texels at off, only the components in dst.
func (g *image) gather(sum *[4]shares, dst *mem.Data, off *offsets, weight *shares) {
	for k := range int(g.Channels) {
		if dst[k] == nil {
			continue
		}
		r := g.component(k, off)
		total := &sum[k]
		for i, w := range weight {
			if w != 0 {
				// The product is exact: 24 bits times at most 24.
				total[i] += float64(float64(math.Float32frombits(r[i])) * w)
			}
		}
	}
}

// round32 returns v as a register. A NaN becomes the machine's own NaN.
func round32(v float64) uint32 {
	if v != v {
		return 0x7fffffff
	}
	return math.Float32bits(float32(v))
}
