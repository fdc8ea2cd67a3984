package sass

import (
	"bufio"
	"fmt"
	"io"

	"jacquard/cubin"
	"jacquard/cubin/plain"
	"jacquard/decoder"
	"jacquard/tesla"
)

// Write prints a kernel, decoded as a device of architecture a sees it: a heading, then for each instruction its byte
// address, its words, the first one first, and its text.
func Write(w io.Writer, a tesla.Arch, k *cubin.Kernel) error {
	b := bufio.NewWriter(w)
	plain.Fprintf(b, "\tcode for %s\n\t\tFunction : %s\n", a, k.Name)
	pc := 0
	for _, in := range decoder.Kernel(a, k.Code) {
		words := fmt.Sprintf("0x%08x", in.Raw[0])
		if in.Size == 8 {
			words += fmt.Sprintf("%08x", in.Raw[1])
		}
		plain.Fprintf(b, "\t/*%04x*/     /*%-18s*/ \t%s;\n", pc, words, Text(in))
		pc += int(in.Size)
	}
	fmt.Fprintln(b, "\t\t..............................")
	return b.Flush()
}
