package random

import (
	"fmt"

	"jacquard/decoder"
	"jacquard/simt/mem"
	"jacquard/simt/mem/texture"
	"jacquard/simt/program"
	"jacquard/tesla"
)

// Kernel is a kernel and its launch. It has one allocation of global memory; the first parameter is
// its address.
type Kernel struct {
	program.Kernel
	Grid     [2]int
	Block    [3]int
	Params   []byte
	Memory   []byte // at the start
	Const    [16][]byte
	Textures []texture.Texture
}

// Base is the address of every kernel's memory, the first allocation of a space.
const Base = 4096

// Space returns global memory as a kernel finds it.
func (k *Kernel) Space() (*mem.Space, error) {
	s := mem.NewSpace(1 << 24)
	at, err := s.AllocIn(append([]byte(nil), k.Memory...), 0)
	if err == nil && at != Base {
		err = fmt.Errorf("the first allocation lies at 0x%x, not at 0x%x", at, Base)
	}
	return s, err
}

// paddingWord is a short instruction that does nothing: mov b32 $r0 $r0.
const paddingWord = 0x10008000

// assemble encodes instructions that are not encoded yet, and decodes all of them as a device does.
// Long instructions are kept aligned.
func assemble(arch tesla.Arch, code []tesla.Instruction) ([]tesla.Instruction, error) {
	var words []uint32
	for i := range code {
		w := code[i].Raw
		if w == [2]uint32{} {
			w0, w1, err := decoder.Encode(arch, code[i])
			if err != nil {
				return nil, fmt.Errorf("instruction %d, %s: %w", i, &code[i], err)
			}
			w = [2]uint32{w0, w1}
		}
		if w[0]&1 == 0 {
			words = append(words, w[0])
			continue
		}
		if len(words)%2 != 0 {
			words = append(words, paddingWord)
		}
		words = append(words, w[0], w[1])
	}
	return decoder.Kernel(arch, words), nil
}

// instruction makes an instruction of its operands.
func instruction(op tesla.Op, t tesla.Type, dst tesla.Operand, src ...tesla.Operand) tesla.Instruction {
	in := tesla.Instruction{Op: op, Type: t, Dst: dst}
	copy(in.Src[:], src)
	return in
}

func reg(n int) tesla.Operand    { return tesla.Operand{Kind: tesla.Reg, Index: uint8(n)} }
func imm(v uint32) tesla.Operand { return tesla.Operand{Kind: tesla.Imm, Value: v} }
func addr(n int) tesla.Operand   { return tesla.Operand{Kind: tesla.AddrReg, Index: uint8(n)} }

func shared(base int, at uint32) tesla.Operand {
	return tesla.Operand{Kind: tesla.Shared, Type: tesla.B32, Base: uint8(base), Value: at}
}

// global is memory at the address in a register.
func global(register int) tesla.Operand {
	return tesla.Operand{Kind: tesla.Global, Index: program.WindowGlobal, Value: uint32(register)}
}
