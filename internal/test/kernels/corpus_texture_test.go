package kernels

import (
	"encoding/binary"
	"math"

	"jacquard/simt/mem/texture"
)

// side is the extent of the corpus's textures in every dimension.
const side = 4

// corpusTextures are bound in every run: a line in unit 0, a plane in unit 1 and a volume in unit
// 2. A texel has four floats; a coordinate reads the texel that contains it.
func corpusTextures() []texture.Texture {
	var texels []byte
	for z := range side {
		for y := range side {
			for x := range side {
				for _, v := range texelOf(x, y, z) {
					texels = binary.LittleEndian.AppendUint32(texels, math.Float32bits(v))
				}
			}
		}
	}
	clamp := texture.Sampler{Address: [3]texture.AddressMode{texture.Clamp, texture.Clamp, texture.Clamp}}
	x := texture.Texture{Kind: texture.Array, Format: texture.FormatF32, Channels: 4, Width: side, Sampler: clamp, Texels: texels}
	line, plane, volume := x, x, x
	plane.Height = side
	volume.Height, volume.Depth = side, side
	return []texture.Texture{line, plane, volume}
}

// texelOf returns the components of a texel.
func texelOf(x, y, z int) [4]float32 {
	v := float32(x+2*y+3*z) / 16
	return [4]float32{v, v + 1, v + 2, v + 3}
}

// cell returns the texel that contains a coordinate, clamped.
func cell(coord uint32) int {
	f := float(coord)
	if f != f {
		return 0
	}
	return int(min(max(math.Floor(f), 0), side-1))
}
