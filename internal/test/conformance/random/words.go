package random

import (
	"fmt"
	"math/rand/v2"

	"jacquard/decoder"
	"jacquard/tesla"
)

// wordPlaces is how many encodings a kernel of words has.
const wordPlaces = 8

// Words writes a kernel of arbitrary encodings. Most of them exist on no device. Every third
// kernel jumps around all of them, in a loop; the other kernels execute some.
func (f *Forms) Words(seed uint64) (*Kernel, error) {
	r := rand.New(rand.NewPCG(seed, 31+uint64(f.Arch)))
	k := f.empty(32, 1, r)
	k.Name = fmt.Sprintf("words%d", seed)
	start, err := assemble(f.Arch, prologue(k.Registers, 32, 0))
	if err != nil {
		return nil, err
	}
	w := &wordWriter{arch: f.Arch}
	for i := range start {
		w.words = append(w.words, start[i].Raw[:start[i].Size/4]...)
	}
	if len(w.words)%2 != 0 {
		w.words = append(w.words, paddingWord)
	}
	counter := reg(k.Registers - 1)
	w.add(instruction(tesla.OpMov, tesla.B32, counter, imm(3)))
	loop := w.pc()
	for range wordPlaces {
		if seed%3 == 0 || r.IntN(3) > 0 {
			w.add(tesla.Instruction{Op: tesla.OpBra, Target: w.pc() + 16})
		}
		v := f.anyWord(r)
		w.words = append(w.words, v[0], v[1])
	}
	if seed%3 == 0 {
		less := instruction(tesla.OpIAdd, tesla.B32, counter, counter, imm(^uint32(0)))
		test := instruction(tesla.OpIAdd, tesla.B32, counter, counter, reg(mostRegisters)) // plus 0
		test.CDst = tesla.C0
		w.add(less)
		w.add(test)
		w.add(tesla.Instruction{Op: tesla.OpBra, Target: loop, Guard: tesla.Guard{Cond: tesla.CondLG}})
	}
	w.add(tesla.Instruction{Op: tesla.OpNop, Marker: tesla.MarkerExit})
	k.Code = decoder.Kernel(f.Arch, w.words)
	return k, w.err
}

// wordWriter writes long instructions.
type wordWriter struct {
	arch  tesla.Arch
	words []uint32
	err   error
}

// pc returns the address of the next instruction.
func (w *wordWriter) pc() uint32 { return uint32(4 * len(w.words)) }

func (w *wordWriter) add(in tesla.Instruction) {
	w0, w1, err := decoder.Encode(w.arch, in)
	if err != nil && w.err == nil {
		w.err = fmt.Errorf("%s: %w", &in, err)
	}
	if w0&1 == 0 {
		w1 = paddingWord
	}
	w.words = append(w.words, w0, w1)
}

// anyWord returns a long encoding, or two short ones: random bits, or an instruction with some
// bits or one field changed.
func (f *Forms) anyWord(r *rand.Rand) [2]uint32 {
	if r.IntN(4) == 0 {
		return [2]uint32{r.Uint32(), r.Uint32()}
	}
	v := f.every[r.IntN(len(f.every))]
	bits := uint64(v[0]) | uint64(v[1])<<32
	if r.IntN(2) == 0 {
		for range 1 + r.IntN(4) {
			bits ^= 1 << r.IntN(64)
		}
	} else {
		at, field := r.IntN(64), uint64(1)<<(1+r.IntN(7))-1
		bits = bits&^(field<<at) | [...]uint64{0, field, r.Uint64() & field}[r.IntN(3)]<<at
	}
	if bits&1 == 0 {
		bits = bits&^(1<<32) | uint64(r.IntN(2))<<32
	}
	return [2]uint32{uint32(bits), uint32(bits >> 32)}
}
