package random

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"

	"jacquard/simt/mem/texture"
	"jacquard/simt/program"
	"jacquard/tesla"
)

// bodyLength is how many random instructions a straight kernel has.
const bodyLength = 24

// Straight writes a straight kernel: every thread loads its record and executes random instructions
// of the forms. Every other kernel ends in an instruction that faults, if one is found. Seen counts
// the instructions that were tried.
func (f *Forms) Straight(seed uint64, seen *Seen) (*Kernel, error) {
	r := rand.New(rand.NewPCG(seed, uint64(f.Arch)))
	threads := []int{1, 31, 32, 40, 64, 70, 96}[r.IntN(7)]
	k := f.empty(threads, 1+r.IntN(2), r)
	k.Name = fmt.Sprintf("straight%d", seed)
	missing, more := unset(seed)
	code, err := assemble(f.Arch, prologue(k.Registers, threads, missing))
	if err != nil {
		return nil, err
	}
	k.Registers += more
	t, err := k.trial(code)
	if err != nil {
		return nil, err
	}
	body, err := f.body(t, r, seen)
	if err != nil {
		return nil, err
	}
	code = append(code, body...)
	if missing != 0 {
		code = append(code, epilogue()...)
	}
	code = append(code, tesla.Instruction{Op: tesla.OpNop, Marker: tesla.MarkerExit})
	k.Code, err = assemble(f.Arch, code)
	return k, err
}

// empty returns a kernel without code, with its launch.
func (f *Forms) empty(threads, blocks int, r *rand.Rand) *Kernel {
	k := &Kernel{Grid: [2]int{blocks, 1}, Block: [3]int{threads, 1, 1}, Memory: make([]byte, blocks*blockBytes(threads))}
	k.Arch, k.Registers, k.Shared, k.Local = f.Arch, mostRegisters-r.IntN(3), ownShared+16*threads, localBytes
	k.Modes = program.Modes{MulZeroWins: r.IntN(4) == 0, SatNaNZero: r.IntN(4) == 0}
	fill(k.Memory, blocks, threads, r)
	k.Params = binary.LittleEndian.AppendUint32(nil, Base)
	for len(k.Params) < paramBytes {
		k.Params = binary.LittleEndian.AppendUint32(k.Params, Value(r))
	}
	for bank, n := range map[int]int{0: 200, 1: 65536, 2: 11, 5: 64} {
		k.Const[bank] = make([]byte, n)
	}
	for _, bank := range k.Const {
		for i := range bank {
			bank[i] = byte(r.Uint32())
		}
	}
	k.Textures = textures(r)
	return k
}

// textures returns textures of every kind; the first unit is unbound.
func textures(r *rand.Rand) []texture.Texture {
	formats := []texture.Format{texture.FormatU8, texture.FormatS8, texture.FormatU16, texture.FormatS16, texture.FormatU32, texture.FormatF32}
	list := []texture.Texture{{}, {Kind: texture.Linear, Base: Base, Size: 200}, {Kind: texture.Pitched, Base: Base, Width: 5, Height: 3, Pitch: 100},
		{Kind: texture.Array, Width: 4, Height: 3, Depth: 2}, {Kind: texture.Array, Width: 7, Height: 2, Depth: 3, Layered: true}}
	for i := 1; i < len(list); i++ {
		x := &list[i]
		x.Format, x.Channels, x.Integer = formats[r.IntN(len(formats))], []uint8{1, 2, 4}[r.IntN(3)], r.IntN(2) == 0
		x.Normalized, x.Filter = r.IntN(2) == 0, r.IntN(2) == 0
		for d := range x.Address {
			x.Address[d] = texture.AddressMode(r.IntN(4))
		}
		if x.Kind == texture.Array {
			x.Texels = make([]byte, x.Width*x.Height*x.Depth*x.TexelSize())
			for i := range x.Texels {
				x.Texels[i] = byte(r.Uint32())
			}
		}
	}
	return list
}

// trial returns the kernel as it stands after some code.
func (k *Kernel) trial(code []tesla.Instruction) (*trial, error) {
	whole := k.Kernel
	whole.Code = code
	p, err := program.Lower(whole)
	if err != nil {
		return nil, err
	}
	t, err := newTrial(k, p)
	if err != nil {
		return nil, err
	}
	for i := range code {
		if fault, err := t.step(code[i]); fault != nil || err != nil {
			return nil, fmt.Errorf("instruction %d of the prologue: %v, %v", i, fault, err)
		}
	}
	return t, nil
}

// body returns random instructions that can be executed one after the other, and for every other
// kernel one that cannot.
func (f *Forms) body(t *trial, r *rand.Rand, seen *Seen) ([]tesla.Instruction, error) {
	var body []tesla.Instruction
	ends := r.IntN(2) == 0
	for tries := 0; len(body) < bodyLength || ends && tries < 60; tries++ {
		in := f.candidate(r)
		fault, err := t.step(in)
		switch {
		case err != nil:
			return nil, err
		case t.over():
			return body, nil
		case len(body) < bodyLength:
			seen.note(&in, fault == nil)
			if fault == nil {
				body, tries = append(body, in), 0
			}
		case fault != nil:
			seen.Faults[fault.Kind]++
			return append(body, in), nil
		}
	}
	return body, nil
}
