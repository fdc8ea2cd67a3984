package decoder

import "jacquard/tesla"

// archSet is a set of architectures, one bit each.
type archSet uint8

// form is a row of the instruction description.
type form struct {
	archs      archSet
	bits, mask uint64 // the bits that every encoding has in common
	template   tesla.Instruction
	decode     []decodeStep // sub-decoders: opcode, source 1, 2, 3, destination, control
	encode     []encodeStep // the same, in reverse
}

// decodeStep is one sub-decoder's part of a form. It reads the whole instruction, first word low,
// and sets its members of in.
type decodeStep func(a archSet, w uint64, in *tesla.Instruction)

// Decode decodes one instruction. A short instruction ignores w1. Decode never fails: an
// instruction that cannot execute has Bad set, and as many other members as make sense.
func Decode(a tesla.Arch, w0, w1 uint32) tesla.Instruction {
	size := sizeOf(w0)
	if size == 4 {
		w1 = 0
	}
	w := uint64(w1)<<32 | uint64(w0)
	set := archSet(1) << a
	f := match(set, w)
	if f == 0 {
		return tesla.Instruction{Raw: [2]uint32{w0, w1}, Size: size, Bad: tesla.BadOpcode}
	}
	in := forms[f].template
	in.Raw = [2]uint32{w0, w1}
	for _, step := range forms[f].decode {
		step(set, w, &in)
	}
	judge(&in)
	return in
}

// sizeOf returns the length in bytes of the instruction that begins with w0.
func sizeOf(w0 uint32) uint8 {
	if w0&1 == 0 {
		return 4
	}
	return 8
}

// judge sets Bad for operands that are impossible in compute programs.
func judge(in *tesla.Instruction) {
	if in.Bad != tesla.OK {
		return
	}
	kinds := [...]tesla.OperandKind{in.Dst.Kind, in.Src[0].Kind, in.Src[1].Kind, in.Src[2].Kind}
	for _, k := range kinds {
		if k == tesla.InvalidOperand {
			in.Bad = tesla.BadOperand
			return
		}
		if k == tesla.Output {
			in.Bad = tesla.BadGraphics
		}
	}
}

// Kernel decodes the code of a kernel. The address of an instruction is the sum of the sizes before
// it. A long instruction at an odd word or truncated at the end has Bad set to BadLength; decoding
// continues after it.
func Kernel(a tesla.Arch, code []uint32) []tesla.Instruction {
	out := make([]tesla.Instruction, 0, len(code)*2/3)
	for i := 0; i < len(code); {
		long := sizeOf(code[i]) == 8
		var w1 uint32
		cut := long && i+1 == len(code)
		if long && !cut {
			w1 = code[i+1]
		}
		in := Decode(a, code[i], w1)
		if long && (cut || i%2 != 0) {
			in.Bad = tesla.BadLength
		}
		if cut {
			in.Size = 4
		}
		out = append(out, in)
		i += int(in.Size) / 4
	}
	return out
}
