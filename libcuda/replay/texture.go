package replay

import (
	"errors"
	"fmt"
	"math"

	"jacquard/libcuda/bundle"
	"jacquard/simt/mem"
)

// units are the texture units of a kernel; mostTexels bounds every dimension of a texture.
const (
	units      = 128
	mostTexels = 1 << 17
)

// kinds are the kinds of texture by their name in a bundle.
var kinds = map[string]mem.TextureKind{"linear": mem.Linear, "pitched": mem.Pitched, "array": mem.Array}

// texture returns what a texture unit reads. A bundle may say anything: what no driver would bind
// is an error.
func texture(t *bundle.Texture, arrays map[uint32][]byte) (mem.Texture, error) {
	x := mem.Texture{
		Kind: kinds[t.Kind], Format: mem.Format(t.Format), Channels: uint8(t.Channels), Integer: t.Integer,
		Sampler: mem.Sampler{Normalized: t.Normalized, Filter: t.Linear},
		Base:    t.Base, Size: t.Size, Pitch: t.Pitch, Width: t.Width, Height: t.Height, Depth: t.Depth, Layered: t.Layered,
	}
	for i, mode := range t.Modes {
		x.Address[i] = mem.AddressMode(mode)
	}
	if t.Array != 0 {
		x.Texels = arrays[t.Array]
	}
	return x, possible(t, &x)
}

// possible says why there is no such texture.
func possible(t *bundle.Texture, x *mem.Texture) error {
	if t.Unit < 0 || t.Unit >= units {
		return errors.New("there is no such unit")
	}
	if t.Format < 0 || t.Format > math.MaxUint8 || x.Format.Size() == 0 || t.Channels != 1 && t.Channels != 2 && t.Channels != 4 {
		return fmt.Errorf("%d components of format %d: there are no such texels", t.Channels, t.Format)
	}
	for _, mode := range t.Modes {
		if mode < 0 || mode > int(mem.Border) {
			return fmt.Errorf("there is no mode %d of addressing", mode)
		}
	}
	if x.Kind == mem.Linear {
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
	case x.Kind == mem.Pitched && (t.Height == 0 || t.Depth != 0 || t.Layered || uint64(t.Pitch) < row):
		return fmt.Errorf("rows of %d bytes at a distance of %d", row, t.Pitch)
	case x.Kind == mem.Pitched:
		return nil
	case x.Kind != mem.Array:
		return fmt.Errorf("there is no kind %q", t.Kind)
	}
	if size := row * uint64(max(t.Height, 1)) * uint64(max(t.Depth, 1)); x.Texels != nil && size != uint64(len(x.Texels)) {
		return fmt.Errorf("an array of %d bytes for texels of %d", len(x.Texels), size)
	}
	return nil
}
