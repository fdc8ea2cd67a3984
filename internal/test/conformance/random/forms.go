package random

import (
	"math/rand/v2"
	"slices"

	"jacquard/decoder"
	"jacquard/internal/test/vectors"
	"jacquard/tesla"
)

// Forms holds encodings of every form of instruction of a device, to start from.
type Forms struct {
	Arch  tesla.Arch
	List  []tesla.Form
	words map[tesla.Form][][2]uint32
	every [][2]uint32 // encodings, also of forms that are not in the list
}

// ReadForms takes the encodings from a file of the decoder's test vectors.
func ReadForms(arch tesla.Arch, path string) (*Forms, error) {
	list, err := vectors.Read(path)
	if err != nil {
		return nil, err
	}
	f := &Forms{Arch: arch, words: map[tesla.Form][][2]uint32{}}
	for _, v := range list {
		f.every = append(f.every, v.Words)
		f.add(decoder.Decode(arch, v.Words[0], v.Words[1]))
	}
	return f, nil
}

func (f *Forms) add(in tesla.Instruction) {
	if in.Bad != tesla.OK || unfit(&in) {
		return
	}
	if f.words[in.Form] == nil {
		f.List = append(f.List, in.Form)
	}
	f.words[in.Form] = append(f.words[in.Form], in.Raw)
}

// unfits are operations that straight-line code cannot have, although they have no target and no lane
// leaves by them.
var unfits = []tesla.Op{
	tesla.OpQuadOn, tesla.OpQuadPop, tesla.OpTexPrep, tesla.OpTexQueryLod, tesla.OpTexCSAA, tesla.OpTexGather,
}

// unfit reports whether straight-line code cannot have an instruction. A guarded return ends some
// threads early, and a barrier of all warps is passed. Some texture instructions are not modelled.
func unfit(in *tesla.Instruction) bool {
	switch in.Op {
	case tesla.OpRet:
		return in.Guard.Cond == tesla.CondAlways
	case tesla.OpBar:
		return !in.Barrier.Inc || !in.Barrier.Wait || !in.Barrier.All && in.Barrier.Count != 0xfff
	}
	return in.Tex.Cube || in.Op.Leaves() || in.Op.HasTarget() || slices.Contains(unfits, in.Op)
}

// candidate returns a random instruction of a random form: anything that the device decodes.
func (f *Forms) candidate(r *rand.Rand) tesla.Instruction {
	for {
		form := f.List[r.IntN(len(f.List))]
		known := f.words[form]
		w := known[r.IntN(len(known))]
		m := r.Uint64() & r.Uint64()
		for range r.IntN(4) {
			m &= r.Uint64()
		}
		in := decoder.Decode(f.Arch, w[0]^uint32(m), w[1]^uint32(m>>32))
		if in.Form != form || in.Bad != tesla.OK || unfit(&in) {
			continue
		}
		if in.Marker != tesla.MarkerNone || r.IntN(8) != 0 {
			tame(&in, r)
			w0, w1, err := decoder.Encode(f.Arch, in)
			if err != nil {
				continue
			}
			in = decoder.Decode(f.Arch, w0, w1)
		}
		if in.Marker == tesla.MarkerNone && !unfit(&in) && !undefined(&in) {
			return in
		}
	}
}

// undefined reports whether docs/isa leaves the effect of an instruction open: to $a5 to $a7, and
// to an address register that it writes twice.
func undefined(in *tesla.Instruction) bool {
	for i := range in.Src {
		o := &in.Src[i]
		if o.Base > 4 || o.Kind == tesla.AddrReg && o.Index > 4 || o.Post && in.Dst.Kind == tesla.AddrReg && in.Dst.Index == o.Base {
			return true
		}
	}
	return in.Dst.Kind == tesla.AddrReg && in.Dst.Index > 4
}
