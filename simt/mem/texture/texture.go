package texture

import (
	"math/bits"
	"slices"

	"jacquard/simt/lane"
	"jacquard/simt/mem"
	"jacquard/tesla"
)

// Kind is the kind of memory that a texture unit reads.
type Kind uint8

const (
	Unbound Kind = iota
	Linear       // global memory from Base on, one dimension, neither filtered nor wrapped
	Pitched      // global memory from Base on, in rows Pitch bytes apart
	Array        // Texels, which have no address
)

var kindNames = [...]string{Unbound: "unbound", Linear: "linear", Pitched: "pitched", Array: "array"}

// String returns the name of the kind.
func (k Kind) String() string { return tesla.NameOf(kindNames[:], "Kind", k) }

// ParseKind returns the kind with a name, or Unbound.
func ParseKind(name string) Kind { return Kind(max(0, slices.Index(kindNames[:], name))) }

// Texture is the binding of a texture unit, with its defaults for float coordinates. The zero
// Texture is unbound.
type Texture struct {
	Kind     Kind
	Format   Format
	Channels uint8 // components per texel: 1, 2 or 4
	Integer  bool  // integer components stay integers, and are never filtered
	Sampler

	Base  uint32 // Linear, Pitched: address of texel 0
	Size  uint64 // Linear: bytes bound; only whole texels count
	Pitch uint32 // Pitched: bytes

	// Pitched and Array: the extent in texels. With one dimension Height is 0, with two Depth.
	Width, Height, Depth int
	// Layered, for an Array: Depth counts layers, selected by an integer and never filtered.
	Layered bool
	Texels  []byte // Array: rows without gaps; nil once freed
}

// TexelSize returns the bytes of a texel.
func (x *Texture) TexelSize() int { return x.Format.Size() * int(x.Channels) }

// Coords are the coordinates of a texture access: x, then y and z if the texture has them, then the
// layer. A nil row is 0. Rows beyond the texture's are ignored: there is one level of detail.
// Offset is added in texels to x, y and z.
type Coords struct {
	Rows   [4]*lane.Row
	Offset [3]int8
}

// row returns row k, zeros for a nil row and for the lanes not in m.
func (c *Coords) row(k int, m lane.Mask) (r lane.Row) {
	if c.Rows[k] != nil {
		mem.Copy(&r, c.Rows[k], m)
	}
	return r
}

// Fetch reads the texel at each lane's signed integer coordinates. Component k goes to row k of
// dst; a nil row drops its component. Texels outside the texture and components that the format
// lacks are zeros. Rows of dst may be coordinates too. If the bound memory was freed, nothing is
// read and the violation is returned.
//
// Unverified: an unbound texture reads zeros; a layer outside is clamped at integer coordinates
// too.
func (x *Texture) Fetch(s *mem.Space, at *Coords, m lane.Mask, dst *mem.Data) *mem.Violation {
	if m == 0 {
		return nil
	}
	g, v := x.image(s, m)
	if v != nil {
		return v
	}
	nowhere := Sampler{Address: borders}
	var off offsets
	for k := range g.rank {
		var index indices
		row, add := at.row(k, m), int64(at.Offset[k])
		for i := range row {
			index[i] = int64(int32(row[i])) + add
		}
		g.step(&off, &nowhere, k, &index)
	}
	g.layer(&off, at, m)
	g.read(dst, &off, m)
	return nil
}

// Extent answers a size query: width, height and depth, minified by each lane's level of detail,
// and the number of levels. A layered texture has its layers after its dimensions.
//
// Unverified: dimensions that the texture lacks are 1, and all dimensions of an unbound texture
// are 0.
func (x *Texture) Extent(lod *lane.Row, m lane.Mask, dst *mem.Data) {
	extent, layers := x.extent()
	rank := x.rank()
	for ; m != 0; m &= m - 1 {
		i := bits.TrailingZeros32(uint32(m)) % lane.Width
		answer := [4]uint32{3: 1}
		for k, n := range extent {
			answer[k] = uint32(max(n>>min(lod[i], 31), min(n, 1)))
		}
		if x.Layered {
			answer[rank] = uint32(layers)
		}
		if x.Kind == Unbound {
			answer = [4]uint32{}
		}
		for k, d := range dst {
			if d != nil {
				d[i] = answer[k]
			}
		}
	}
}

// rank is the number of dimensions, without layers.
func (x *Texture) rank() int {
	switch {
	case x.Kind == Linear || x.Kind == Unbound || x.Height == 0:
		return 1
	case x.Depth == 0 || x.Layered:
		return 2
	}
	return 3
}

// extent returns the texels in each dimension, 1 in dimensions that the texture lacks, and the
// layers.
func (x *Texture) extent() (extent [3]int, layers int) {
	switch {
	case x.Kind == Unbound:
		return [3]int{}, 0
	case x.Kind == Linear:
		return [3]int{int(x.Size / uint64(x.TexelSize())), 1, 1}, 1
	case x.Layered:
		return [3]int{x.Width, max(x.Height, 1), 1}, x.Depth
	}
	return [3]int{x.Width, max(x.Height, 1), max(x.Depth, 1)}, 1
}
