package listing

import (
	"bufio"
	"fmt"
	"io"

	"jacquard/decoder"
	"jacquard/tesla"
)

// Mark says how code reaches an address: a set of ways.
type Mark uint8

// The ways.
const (
	ByBranch Mark = 1 << iota // a branch, break, return or join leads there; shown as B
	ByCall                    // it is a subroutine; shown as C, behind a blank line
)

// Write prints one line an instruction: byte address, word or words, marks and text. The
// code is decoded as a device of architecture a sees it; text prints an instruction.
func Write(w io.Writer, a tesla.Arch, code []uint32, text func(tesla.Instruction) string) error {
	b := bufio.NewWriter(w)
	ins := decoder.Kernel(a, code)
	marks := Targets(ins)
	var pc uint32
	for _, in := range ins {
		words := fmt.Sprintf("%08x", in.Raw[0])
		if in.Size == 8 {
			words += fmt.Sprintf(" %08x", in.Raw[1])
		}
		call, branch := ' ', ' '
		if marks[pc]&ByCall != 0 {
			call = 'C'
			fmt.Fprintln(b)
		}
		if marks[pc]&ByBranch != 0 {
			branch = 'B'
		}
		fmt.Fprintf(b, "%08x: %-17s  %c%c %s\n", pc, words, call, branch, text(in))
		pc += uint32(in.Size)
	}
	return b.Flush()
}

// Targets returns how the addresses that ins leads to are reached.
func Targets(ins []tesla.Instruction) map[uint32]Mark {
	marks := map[uint32]Mark{}
	for _, in := range ins {
		switch {
		case in.Op == tesla.OpCall:
			marks[in.Target] |= ByCall
		case in.Op.HasTarget():
			marks[in.Target] |= ByBranch
		}
	}
	return marks
}
