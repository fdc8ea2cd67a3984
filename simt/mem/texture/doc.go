// Package texture is the texture unit: it reads texels of global memory and of arrays for up to 32
// lanes at once.
//
// A [Texture] describes the memory that is bound to a unit. [Texture.Fetch] takes integer
// coordinates, [Texture.Sample] float coordinates, and [Texture.Extent] answers size queries. The
// package reads memory through package mem, which knows nothing of textures.
//
// docs/isa/textures.md has the rules. Read texture.go, then texel.go for formats, image.go for the
// layout of texels, sample.go for float coordinates and blend.go for filtering.
package texture
