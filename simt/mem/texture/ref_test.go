package texture

import (
	"encoding/binary"
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/simt/lane"
	"jacquard/simt/mem"
)

// The reference follows docs/isa/textures.md with rational numbers and without the code under test.
// Nearest takes the texel floor(x). Linear blends the texel floor(x-0.5) and the next; the fraction
// of x-0.5, in 8 bits, is the weight of the next. An integer component of n bits is a fraction of
// its greatest value.

// refTexture is a texture of the reference. It has one extent per dimension, then the layers.
type refTexture struct {
	format   Format
	channels int
	integer  bool
	linear   bool // no addressing, no filter
	extents  []int
	layered  bool
	at       func(p []int) []byte // the bytes of a texel inside the texture
}

// value is a component: an integer's register, or a fraction.
func (r *refTexture) value(b []byte) (reg uint32, v *big.Rat) {
	fraction := func(n int64, greatest int64) *big.Rat {
		f, _ := big.NewRat(max(n, -greatest), greatest).Float32()
		return new(big.Rat).SetFloat64(float64(f))
	}
	bits32 := func(f float64) (uint32, *big.Rat) { return math.Float32bits(float32(f)), new(big.Rat).SetFloat64(f) }
	switch r.format {
	case FormatU8:
		return uint32(b[0]), fraction(int64(b[0]), 255)
	case FormatS8:
		return uint32(int8(b[0])), fraction(int64(int8(b[0])), 127)
	case FormatU16:
		n := binary.LittleEndian.Uint16(b)
		return uint32(n), fraction(int64(n), 65535)
	case FormatS16:
		n := int16(binary.LittleEndian.Uint16(b))
		return uint32(n), fraction(int64(n), 32767)
	case FormatF16:
		n := binary.LittleEndian.Uint16(b)
		mantissa, exponent := float64(n&0x3ff), int(n>>10&31)
		if exponent > 0 {
			mantissa, exponent = mantissa+1024, exponent-1
		}
		f := math.Ldexp(mantissa, exponent-24)
		if n>>15 != 0 {
			f = math.Copysign(f, -1)
		}
		return bits32(f)
	case FormatF32:
		return bits32(float64(math.Float32frombits(binary.LittleEndian.Uint32(b))))
	}
	return binary.LittleEndian.Uint32(b), nil
}

// whole reports whether registers get integers.
func (r *refTexture) whole() bool {
	return r.format == FormatU32 || r.format == FormatS32 || r.integer && r.format != FormatF16 && r.format != FormatF32
}

// inside maps index i of a dimension to an index inside; ok is false at the border.
func inside(mode AddressMode, normalized bool, i *big.Int, extent int) (int, bool) {
	n := big.NewInt(int64(extent))
	in := i.Sign() >= 0 && i.Cmp(n) < 0
	switch {
	case mode == Border:
		if !in {
			return 0, false
		}
		return int(i.Int64()), true
	case mode == Wrap && normalized:
		return int(new(big.Int).Mod(i, n).Int64()), true
	case mode == Mirror && normalized:
		var there, back []int
		for k := range extent {
			there, back = append(there, k), append([]int{k}, back...)
		}
		period := append(there, back...)
		return period[new(big.Int).Mod(i, big.NewInt(int64(2*extent))).Int64()], true
	}
	if i.Sign() < 0 {
		return 0, true
	}
	if !in {
		return extent - 1, true
	}
	return int(i.Int64()), true
}

func floor(x *big.Rat) *big.Int {
	// Int.Div is Euclidean: towards minus infinity for a positive divisor.
	return new(big.Int).Div(x.Num(), x.Denom())
}

// texel returns one texel's components, as registers and as fractions.
func (r *refTexture) texel(how *Sampler, index []*big.Int) (regs [4]uint32, values [4]*big.Rat) {
	var p []int
	for k, i := range index {
		n, ok := i, true
		if !r.linear && !(r.layered && k == len(index)-1) {
			var at int
			at, ok = inside(how.Address[k], how.Normalized, i, r.extents[k])
			n = big.NewInt(int64(at))
		} else if i.Sign() < 0 || i.Cmp(big.NewInt(int64(r.extents[k]))) >= 0 {
			ok = false
		}
		if !ok {
			for c := range r.channels {
				values[c] = new(big.Rat)
			}
			return regs, values
		}
		p = append(p, int(n.Int64()))
	}
	b := r.at(p)
	for c := range r.channels {
		reg, v := r.value(b[c*r.format.Size():])
		if regs[c], values[c] = reg, v; !r.whole() {
			f, _ := v.Float32()
			// these keep the sign of zero
			if f != 0 || r.format != FormatF16 && r.format != FormatF32 {
				regs[c] = math.Float32bits(f)
			}
		}
	}
	return regs, values
}

// sample is the reference of Sample.
func (r *refTexture) sample(how *Sampler, coords []uint32, offset [3]int8) [4]uint32 {
	filter := how.Filter && !r.linear && !r.whole()
	half := big.NewRat(1, 2)
	type share struct {
		index  *big.Int
		weight *big.Rat
	}
	var dims [][]share
	for k, extent := range r.extents {
		if r.layered && k == len(r.extents)-1 {
			layer := min(max(int64(int32(coords[k])), 0), int64(extent-1))
			dims = append(dims, []share{{big.NewInt(layer), big.NewRat(1, 1)}})
			continue
		}
		f := float64(math.Float32frombits(coords[k]))
		periodic := how.Normalized && (how.Address[k] == Wrap || how.Address[k] == Mirror)
		switch {
		case f != f, math.IsInf(f, 0) && periodic:
			f = 0
		case math.IsInf(f, 0):
			f = math.Copysign(1<<40, f)
		}
		x := new(big.Rat).SetFloat64(f)
		if how.Normalized {
			x.Mul(x, big.NewRat(int64(extent), 1))
		}
		moved := func(i *big.Int, by int64) *big.Int { return new(big.Int).Add(i, big.NewInt(by+int64(offset[k]))) }
		if !filter {
			dims = append(dims, []share{{moved(floor(x), 0), big.NewRat(1, 1)}})
			continue
		}
		x.Sub(x, half)
		i := floor(x)
		fraction := new(big.Rat).Sub(x, new(big.Rat).SetInt(i))
		eighths := floor(fraction.Add(fraction.Mul(fraction, big.NewRat(256, 1)), half))
		weight := new(big.Rat).SetFrac(eighths, big.NewInt(256))
		dims = append(dims, []share{{moved(i, 0), new(big.Rat).Sub(big.NewRat(1, 1), weight)}, {moved(i, 1), weight}})
	}
	var sums [4]*big.Float
	for c := range sums {
		sums[c] = new(big.Float).SetPrec(53)
	}
	// Dimension 0 varies fastest.
	corners := [][]share{nil}
	for _, shares := range dims {
		var next [][]share
		for _, s := range shares {
			for _, corner := range corners {
				next = append(next, append(append([]share{}, corner...), s))
			}
		}
		corners = next
	}
	for _, corner := range corners {
		weight := big.NewRat(1, 1)
		var index []*big.Int
		for _, s := range corner {
			weight.Mul(weight, s.weight)
			index = append(index, s.index)
		}
		regs, values := r.texel(how, index)
		if !filter {
			return regs
		}
		for c := range r.channels {
			product := new(big.Float).SetPrec(200).SetRat(new(big.Rat).Mul(values[c], weight))
			sums[c].Add(sums[c], product)
		}
	}
	var out [4]uint32
	for c := range r.channels {
		f, _ := sums[c].Float32()
		out[c] = math.Float32bits(f)
	}
	return out
}

// textureShape is a kind of texture with its dimensions.
type textureShape struct {
	kind    Kind
	rank    int
	layered bool
}

var textureShapes = []textureShape{
	{Linear, 1, false}, {Pitched, 2, false},
	{Array, 1, false}, {Array, 2, false}, {Array, 3, false}, {Array, 1, true}, {Array, 2, true},
}

var textureFormats = []Format{FormatU8, FormatU16, FormatU32, FormatS8, FormatS16, FormatS32, FormatF16, FormatF32}

// randomTexture makes a texture of a few finite texels, and its reference.
func randomTexture(t *testing.T, r *rand.Rand, s *mem.Space, shape textureShape, f Format) (Texture, refTexture) {
	t.Helper()
	x := Texture{Kind: shape.kind, Format: f, Channels: []uint8{1, 2, 4}[r.IntN(3)], Integer: r.IntN(2) == 0, Layered: shape.layered}
	ref := refTexture{format: f, channels: int(x.Channels), integer: x.Integer, linear: x.Kind == Linear, layered: x.Layered}
	dims := []*int{&x.Width, &x.Height, &x.Depth}[:shape.rank]
	if shape.layered {
		dims = append(dims, &x.Depth)
	}
	for _, d := range dims {
		*d = 1 + r.IntN(7)
		ref.extents = append(ref.extents, *d)
	}
	size, rows := x.TexelSize(), max(x.Height, 1)*max(x.Depth, 1)
	pitch := x.Width * size
	if x.Kind == Pitched {
		pitch += r.IntN(9)
		x.Pitch = uint32(pitch)
	}
	data := make([]byte, rows*pitch)
	for row := range rows {
		line := data[row*pitch:][:x.Width*size]
		for i := range line {
			line[i] = byte(r.Uint32())
			if component := f.Size(); (f == FormatF16 || f == FormatF32) && i%component == component-1 {
				line[i] &^= 0x40 // the exponent's highest bit
			}
		}
	}
	ref.at = func(p []int) []byte {
		at, rows := p[0]*size, 1
		for k, i := range p[1:] {
			at += i * rows * pitch
			rows *= ref.extents[k+1]
		}
		return data[at:][:size]
	}
	if x.Kind == Array {
		x.Texels = data
		return x, ref
	}
	var err error
	x.Base, err = s.Alloc(uint64(len(data)))
	require.NoError(t, err)
	memory, err := s.Bytes(x.Base, uint64(len(data)))
	require.NoError(t, err)
	copy(memory, data)
	if x.Kind == Linear {
		x.Size, x.Width = uint64(len(data)), 0
	}
	return x, ref
}

// randomCoord makes a float coordinate: mostly in and around the texture, often on boundaries,
// sometimes absurd.
func randomCoord(r *rand.Rand, normalized bool, extent int) uint32 {
	f := float32(r.Float64()*float64(3*extent) - float64(extent))
	switch r.IntN(8) {
	case 0:
		f = float32(r.IntN(6*extent)-2*extent) / 2
	case 1:
		return r.Uint32()
	case 2:
		f = float32(math.Ldexp(1+r.Float64(), r.IntN(60)-30))
	}
	if normalized {
		f /= float32(extent)
	}
	return math.Float32bits(f)
}

// TestSampleRandomly compares random samples in every mode with the reference.
func TestSampleRandomly(t *testing.T) {
	r := rand.New(rand.NewPCG(10, 28))
	s := mem.NewSpace(1 << 30)
	for _, shape := range textureShapes {
		for _, f := range textureFormats {
			for mode := range 2 * 2 * 4 * 4 {
				x, ref := randomTexture(t, r, s, shape, f)
				how := Sampler{Normalized: mode&1 != 0, Filter: mode&2 != 0, Address: [3]AddressMode{
					AddressMode(mode >> 2 & 3), AddressMode(mode >> 4), AddressMode(r.IntN(4)),
				}}
				at := Coords{}
				if r.IntN(2) == 0 {
					for k := range at.Offset {
						at.Offset[k] = int8(r.IntN(16) - 8)
					}
				}
				for k, extent := range ref.extents {
					at.Rows[k] = rowOf(func(int) uint32 {
						if ref.layered && k == len(ref.extents)-1 {
							return uint32(r.IntN(extent+4) - 2)
						}
						return randomCoord(r, how.Normalized, extent)
					})
				}
				d := mem.Data{same(9), same(9), same(9), same(9)}
				m := lane.All
				if r.IntN(2) == 0 {
					m = lane.Mask(r.Uint32())
				}
				require.Nil(t, x.Sample(s, &how, &at, m, &d))
				for i := range lane.Width {
					if m>>i&1 == 0 {
						require.Equal(t, [4]uint32{9, 9, 9, 9}, [4]uint32{d[0][i], d[1][i], d[2][i], d[3][i]}, "idle lane %d", i)
						continue
					}
					var coords []uint32
					for k := range ref.extents {
						coords = append(coords, at.Rows[k][i])
					}
					got := [4]uint32{d[0][i], d[1][i], d[2][i], d[3][i]}
					if want := ref.sample(&how, coords, at.Offset); got != want {
						require.Failf(t, "sample differs", "%08x, want %08x\n%+v\n%+v\ncoordinates %08x, offset %v", got, want, x, how, coords, at.Offset)
					}
				}
			}
		}
	}
}

// TestFetchRandomly compares fetches at random integer coordinates with the texels themselves.
func TestFetchRandomly(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 28))
	s := mem.NewSpace(1 << 30)
	for _, shape := range textureShapes {
		for _, f := range textureFormats {
			x, ref := randomTexture(t, r, s, shape, f)
			at := Coords{Offset: [3]int8{int8(r.IntN(3) - 1), int8(r.IntN(3) - 1), 1}}
			for k, extent := range ref.extents {
				at.Rows[k] = rowOf(func(int) uint32 { return uint32(r.IntN(extent+4) - 2) })
			}
			d := mem.Data{same(9), same(9), same(9), same(9)}
			require.Nil(t, x.Fetch(s, &at, lane.All, &d))
			for i := range lane.Width {
				var index []*big.Int
				for k, extent := range ref.extents {
					n := int64(int32(at.Rows[k][i]))
					if ref.layered && k == len(ref.extents)-1 {
						n = min(max(n, 0), int64(extent-1))
					} else {
						n += int64(at.Offset[k])
					}
					index = append(index, big.NewInt(n))
				}
				plain := ref
				plain.linear = true // no wrapping or clamping
				want, _ := plain.texel(&Sampler{}, index)
				require.Equal(t, want, [4]uint32{d[0][i], d[1][i], d[2][i], d[3][i]}, "%+v at %v", x, index)
			}
		}
	}
}
