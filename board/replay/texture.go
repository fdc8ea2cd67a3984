package replay

import (
	"errors"
	"fmt"
	"math"

	"jacquard/observe/bundle"
	"jacquard/simt/mem/texture"
)

// units are the texture units of a kernel; mostTexels bounds every dimension of a texture.
const (
	units      = 128
	mostTexels = 1 << 17
)

// textureOf returns the texture of a unit. A bundle may describe anything; a texture that no driver
// would bind is an error.
func textureOf(t *bundle.Texture, arrays map[uint32][]byte) (texture.Texture, error) {
	x := texture.Texture{
		Kind: texture.ParseKind(t.Kind), Format: texture.Format(t.Format), Channels: uint8(t.Channels), Integer: t.Integer,
		Sampler: texture.Sampler{Normalized: t.Normalized, Filter: t.Linear},
		Base:    t.Base, Size: t.Size, Pitch: t.Pitch, Width: t.Width, Height: t.Height, Depth: t.Depth, Layered: t.Layered,
	}
	for i, mode := range t.Modes {
		x.Address[i] = texture.AddressMode(mode)
	}
	if t.Array != 0 {
		x.Texels = arrays[t.Array]
	}
	return x, possible(t, &x)
}

// possible returns why there is no such texture.
func possible(t *bundle.Texture, x *texture.Texture) error {
	if t.Unit < 0 || t.Unit >= units {
		return errors.New("there is no such unit")
	}
	if t.Format < 0 || t.Format > math.MaxUint8 || x.Format.Size() == 0 || t.Channels != 1 && t.Channels != 2 && t.Channels != 4 {
		return fmt.Errorf("%d components of format %d: there are no such texels", t.Channels, t.Format)
	}
	for _, mode := range t.Modes {
		if mode < 0 || mode > int(texture.Border) {
			return fmt.Errorf("there is no mode %d of addressing", mode)
		}
	}
	if x.Kind == texture.Linear {
		if t.Size > math.MaxUint32 {
			return fmt.Errorf("%d bytes are more than there are addresses", t.Size)
		}
		return nil
	}
	for _, n := range []int{t.Width, t.Height, t.Depth} {
		if n < 0 || n > mostTexels {
			return fmt.Errorf("%d texels in one dimension", n)
		}
	}
	row := uint64(t.Width) * uint64(x.TexelSize())
	switch {
	case t.Width == 0 || t.Layered && t.Depth == 0:
		return errors.New("there are no texels")
	case x.Kind == texture.Pitched && (t.Height == 0 || t.Depth != 0 || t.Layered || uint64(t.Pitch) < row):
		return fmt.Errorf("rows of %d bytes at a distance of %d", row, t.Pitch)
	case x.Kind == texture.Pitched:
		return nil
	case x.Kind != texture.Array:
		return fmt.Errorf("there is no kind %q", t.Kind)
	}
	if size := row * uint64(max(t.Height, 1)) * uint64(max(t.Depth, 1)); x.Texels != nil && size != uint64(len(x.Texels)) {
		return fmt.Errorf("an array of %d bytes for texels of %d", len(x.Texels), size)
	}
	return nil
}
