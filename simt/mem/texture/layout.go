package texture

import "jacquard/simt/mem"

// Layout is where the texels of a texture are, for code that reads them itself.
type Layout struct {
	Bytes  []byte // the memory itself, valid until it is freed
	Rank   int    // dimensions, without layers
	Extent [3]int // texels in each dimension; 1 in dimensions that the texture lacks
	Layers int
	Steps  [4]int // bytes to the next texel of each dimension; at Rank, to the next layer
}

// Layout returns the layout of x. It reports false if x is unbound, or its memory was freed.
func (x *Texture) Layout(s *mem.Space) (l Layout, ok bool) {
	if x.Kind == Unbound {
		return l, false
	}
	g, v := x.image(s, 0)
	return Layout{g.bytes, g.rank, g.extent, g.layers, g.steps}, v == nil
}

// Effective returns the sampler that acts like how on x, without the settings that x ignores.
// Filter is set only if texels are blended; Wrap and Mirror stay only with normalised coordinates.
func (x *Texture) Effective(how Sampler) Sampler {
	if x.Kind == Linear {
		return Sampler{Normalized: how.Normalized, Address: borders}
	}
	how.Filter = how.Filter && x.fractional()
	for k, mode := range how.Address {
		if !how.Normalized && mode != Border {
			how.Address[k] = Clamp
		}
	}
	return how
}

// FetchSampler returns the sampler of fetches, which addresses by integer coordinates.
func FetchSampler() Sampler { return Sampler{Address: borders} }
