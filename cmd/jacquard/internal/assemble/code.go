package assemble

import (
	"errors"
	"fmt"

	"jacquard/decoder"
	"jacquard/tesla"
)

// Code is the machine code of a kernel. The zero Code is for sm_10.
type Code struct {
	Arch  tesla.Arch
	Words []uint32
	Err   error // of all instructions that the architecture lacks
}

// Add appends an instruction.
func (k *Code) Add(in tesla.Instruction) {
	w0, w1, err := decoder.Encode(k.Arch, in)
	if err != nil {
		k.Err = errors.Join(k.Err, fmt.Errorf("assemble: %w", err))
		return
	}
	k.Words = append(k.Words, w0)
	if in.Size == 8 {
		k.Words = append(k.Words, w1)
	}
}

// Here returns the byte address of the next instruction.
func (k *Code) Here() uint32 { return uint32(4 * len(k.Words)) }

// End appends the instruction that ends a kernel.
func (k *Code) End() {
	end := Plain(tesla.OpNop)
	end.Marker = tesla.MarkerExit
	k.Add(end)
}
