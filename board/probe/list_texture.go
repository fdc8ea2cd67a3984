package probe

import (
	"encoding/binary"
	"math"

	"jacquard/asm"
	"jacquard/observe/bundle"
	"jacquard/tesla"
)

// texture is a texture instruction on unit 0: coordinates in as many registers from regOut on, four
// components back there.
func texture(op tesla.Op, coords uint8) tesla.Instruction {
	in := asm.Plain(op)
	in.Dst = asm.Reg(regOut)
	in.Tex = tesla.Tex{Mask: 15, Coords: coords, Live: true}
	if op == tesla.OpTexSize { // the level of detail is an operand like others
		in.Src[0], in.Tex.Coords = in.Dst, 0
	}
	return in
}

// sampled is a body that reads the texture at the thread's first coords input words.
func sampled(op tesla.Op, coords uint8) func(*code) {
	return func(k *code) {
		k.textured = true
		for i := range coords {
			k.copies(regOut+i, regIn+i)
		}
		k.Add(texture(op, coords))
	}
}

// arrayNumber tells the array of a probe from nothing.
const arrayNumber = 1

// line is an array of one dimension, with a format of the driver's interface.
func line(format, width int) *bundle.Texture {
	return &bundle.Texture{Kind: "array", Format: format, Channels: 1, Width: width, Array: arrayNumber}
}

const (
	formatU8  = 0x01
	formatU16 = 0x02
	formatS8  = 0x08
	formatF32 = 0x20
)

// with gives t a mode for every dimension, normalised coordinates, and linear filtering.
func with(t *bundle.Texture, mode int, normalized, linear bool) *bundle.Texture {
	t.Modes, t.Normalized, t.Linear = [3]int{mode, mode, mode}, normalized, linear
	return t
}

// Modes of addressing.
const (
	modeWrap = iota
	modeClamp
	modeMirror
)

// floats are texels of f32.
func floats(v ...float32) (b []byte) {
	for _, f := range v {
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(f))
	}
	return b
}

// bytesUpTo are the texels 0 to 255.
func bytesUpTo() (b []byte) {
	for i := range 256 {
		b = append(b, byte(i))
	}
	return b
}

// words16 are 512 texels of 16 bits, from the least to the greatest.
func words16() (b []byte) {
	for i := range 512 {
		b = binary.LittleEndian.AppendUint16(b, uint16(i*128+i/4))
	}
	return b
}

// coordinate gives every thread from + step*thread.
func coordinate(from, step float64) func(int) [4]uint32 {
	return func(t int) [4]uint32 { return [4]uint32{math.Float32bits(float32(from + step*float64(t)))} }
}

// strange are coordinates that are no numbers, or far from every texel.
var strange = [...]uint32{0x7fc00000, 0xffc00000, 0x7f800000, 0xff800000, 0x7f7fffff, 0xff7fffff, 0x00000001, 0x80000000}

func textureProbes() []*Probe {
	one := []string{"x", "y", "z", "w"}
	return []*Probe{
		{
			Name: "texel-u8", Question: "How does an 8-bit texel become a float? All 256.", Here: "divided by 255, rounded to nearest",
			threads: 256, input: byThread, Columns: one, body: sampled(tesla.OpTexFetch, 1), texture: line(formatU8, 256), texels: bytesUpTo(),
		},
		{
			Name: "texel-s8", Question: "How does a signed 8-bit texel become a float? All 256.", Here: "divided by 127, rounded to nearest, at least -1",
			threads: 256, input: byThread, Columns: one, body: sampled(tesla.OpTexFetch, 1), texture: line(formatS8, 256), texels: bytesUpTo(),
		},
		{
			Name: "texel-u16", Question: "How does a 16-bit texel become a float? 512 of them.", Here: "divided by 65535, rounded to nearest",
			threads: 512, input: byThread, Columns: one, body: sampled(tesla.OpTexFetch, 1), texture: line(formatU16, 512), texels: words16(),
		},
		{
			Name: "texel-outside", Question: "What does a fetch read outside the texture? Texels -2 to 5 of four.", Here: "0",
			threads: 8, input: func(t int) [4]uint32 { return [4]uint32{uint32(t - 2)} }, Columns: one,
			body: sampled(tesla.OpTexFetch, 1), texture: line(formatF32, 4), texels: floats(1, 2, 3, 4),
		},
		{
			Name: "filter-weights", Question: "How fine are the weights of a linear filter, and how are they rounded? Between texels 0 and 1, in steps of 2^-11.",
			Here: "8 bits, rounded to nearest", threads: 512, input: coordinate(0.75, 0x1p-11), Columns: one,
			body: sampled(tesla.OpTexAuto, 1), texture: with(line(formatF32, 2), modeClamp, false, true), texels: floats(0, 1),
		},
		{
			Name: "filter-sum", Question: "How are filtered texels summed? Between 1 and 1 + 2^-23, 3 and 0.1, in two dimensions.",
			Here: "exactly, and rounded once", threads: 256,
			input: func(t int) [4]uint32 {
				return [4]uint32{math.Float32bits(0.5 + float32(t%16)/16), math.Float32bits(0.5 + float32(t/16)/16)}
			},
			Columns: one, body: sampled(tesla.OpTexAuto, 2),
			texture: with(&bundle.Texture{Kind: "array", Format: formatF32, Channels: 1, Width: 2, Height: 2, Array: arrayNumber}, modeClamp, false, true),
			texels:  floats(1, 1+0x1p-23, 3, 0.1),
		},
		{
			Name: "filter-u8", Question: "Are 8-bit texels filtered before or after they become floats? Between 1 and 254.", Here: "after",
			threads: 256, input: coordinate(0.5, 0x1p-8), Columns: one,
			body: sampled(tesla.OpTexAuto, 1), texture: with(line(formatU8, 2), modeClamp, false, true), texels: []byte{1, 254},
		},
		{
			Name: "coordinate-mirror", Question: "Which texel is at a coordinate in mirror mode, at borders above all? From -1.25 to 2.75 in steps of 1/32.",
			Here: "texels mirror; one on a border belongs to the texel behind it", threads: 128, input: coordinate(-1.25, 0x1p-5), Columns: one,
			body: sampled(tesla.OpTexAuto, 1), texture: with(line(formatF32, 4), modeMirror, true, false), texels: floats(1, 2, 3, 4),
		},
		{
			Name: "coordinate-wrap", Question: "Which texel is at a coordinate in wrap mode, at borders above all? From -1.25 to 2.75 in steps of 1/32.",
			Here: "the fraction's, rounded down", threads: 128, input: coordinate(-1.25, 0x1p-5), Columns: one,
			body: sampled(tesla.OpTexAuto, 1), texture: with(line(formatF32, 4), modeWrap, true, false), texels: floats(1, 2, 3, 4),
		},
		{
			Name: "coordinate-strange", Question: "Where are coordinates that are NaN, infinite, huge or tiny?", Here: "NaN is 0; the others are clamped",
			threads: len(strange), input: func(t int) [4]uint32 { return [4]uint32{strange[t]} }, Columns: one,
			body: sampled(tesla.OpTexAuto, 1), texture: with(line(formatF32, 4), modeClamp, false, false), texels: floats(1, 2, 3, 4),
		},
		{
			Name: "layer-outside", Question: "Which layer is read at a number outside? Layers -2 to 5 of four.", Here: "the nearest there is",
			threads: 8, input: func(t int) [4]uint32 { return [4]uint32{math.Float32bits(0.5), math.Float32bits(0.5), uint32(t - 2)} }, Columns: one,
			body:    sampled(tesla.OpTexAuto, 3),
			texture: with(&bundle.Texture{Kind: "array", Format: formatF32, Channels: 1, Width: 1, Height: 1, Depth: 4, Layered: true, Array: arrayNumber}, modeClamp, false, false),
			texels:  floats(1, 2, 3, 4),
		},
		{
			Name: "texture-size", Question: "What is the extent of dimensions that a texture does not have? A line of four texels.", Here: "1",
			threads: 1, Columns: []string{"width", "height", "depth", "levels"},
			body: sampled(tesla.OpTexSize, 1), texture: line(formatF32, 4), texels: floats(1, 2, 3, 4),
		},
		{
			Name: "texture-unbound", Question: "What does a texture read to which nothing is bound?", Here: "0", Warning: "the launch may fail",
			threads: 1, Columns: one, body: sampled(tesla.OpTexFetch, 1),
		},
	}
}
