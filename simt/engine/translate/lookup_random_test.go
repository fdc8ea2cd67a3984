package translate

import (
	"math"
	"math/rand/v2"

	"jacquard/internal/test/conformance/random"
	"jacquard/simt/lane"
	"jacquard/simt/mem/texture"
	"jacquard/tesla"
)

// readingKernel returns a kernel of instructions that reads a texture.
func readingKernel(x texture.Texture, code ...tesla.Instruction) *random.Kernel {
	k := &random.Kernel{Grid: [2]int{1, 1}, Block: [3]int{lane.Width, 1, 1}, Memory: make([]byte, 512), Textures: []texture.Texture{x}}
	k.Name, k.Arch, k.Registers = "lookup", tesla.Archs[len(tesla.Archs)-1], 8
	end := tesla.Instruction{Op: tesla.OpNop, Marker: tesla.MarkerExit}
	end.Guard.Cond = tesla.CondAlways
	k.Code = append(code, end)
	for i := range k.Code {
		k.Code[i].Size = 8
	}
	return k
}

// randomRead returns an instruction that reads a texture; with a filter, at float coordinates.
func randomRead(r *rand.Rand, x *texture.Texture) tesla.Instruction {
	in := tesla.Instruction{Op: []tesla.Op{tesla.OpTexAuto, tesla.OpTexBias, tesla.OpTexLod, tesla.OpTexFetch}[r.IntN(4)]}
	if x.Filter && in.Op == tesla.OpTexFetch {
		in.Op = tesla.OpTexAuto
	}
	in.Dst = tesla.Operand{Kind: tesla.Reg, Index: uint8(r.IntN(6))}
	in.Tex = tesla.Tex{Mask: uint8(1 + r.IntN(15)), Coords: uint8(1 + r.IntN(4))}
	if r.IntN(2) == 0 {
		in.Tex.Coords = 4
		for i := range in.Tex.Offset {
			in.Tex.Offset[i] = int8(r.IntN(16) - 8)
		}
	}
	in.Guard.Cond = tesla.CondAlways
	if r.IntN(3) == 0 {
		in.Guard.Cond = tesla.CondE
	}
	return in
}

// randomTexels fills texels; floats are often denormals, infinities and NaNs.
func randomTexels(r *rand.Rand, data []byte, floats bool) {
	for i := range data {
		data[i] = byte(r.Uint32())
		if floats && i%4 == 3 && r.IntN(3) == 0 {
			data[i] = []byte{0, 0x80, 0x7f, 0xff}[r.IntN(4)]
			data[i-1] = []byte{0, 0x7f, 0x80}[r.IntN(3)]
			if r.IntN(2) == 0 {
				data[i-2], data[i-3] = 0, 0
			}
		}
	}
}

func coordinateOf(normalized bool, extent int, f float64) uint32 {
	if normalized {
		f /= float64(extent)
	}
	return math.Float32bits(float32(f))
}

// randomCoordinate returns a coordinate, mostly in and around the texture, often on a boundary, and
// sometimes absurd unless tame is set.
func randomCoordinate(r *rand.Rand, normalized bool, extent int, tame bool) uint32 {
	f := r.Float64()*float64(3*extent) - float64(extent)
	switch r.IntN(8) {
	case 0:
		f = float64(r.IntN(6*extent)-2*extent) / 2
	case 1:
		f = float64(r.IntN(600*extent)-200*extent) / 256
	case 2: // zeros and denormals of either sign
		return r.Uint32() & 0x807fffff >> r.IntN(20) & 0x807fffff
	case 3:
		return coordinateOf(normalized, extent, f) + uint32(r.IntN(3)) - 1
	case 4:
		f = math.Ldexp(r.Float64()-0.5, r.IntN(40)-20)
	case 5:
		if !tame {
			return r.Uint32()
		}
	case 6:
		if !tame {
			f = math.Ldexp(1+r.Float64(), r.IntN(60)-30)
		}
	}
	return coordinateOf(normalized, extent, f)
}
