package probe

import (
	"fmt"
	"strings"

	"jacquard/tesla"
)

// kernelName is the name of every probe's kernel.
const kernelName = "probe"

// kernel is the content of a cubin.
type kernel struct {
	words     []uint32
	registers int
	shared    int // bytes, header and parameters included
	local     int
	sampler   bool     // texture unit 0 has a reference called textureName
	literals  []uint32 // of the constant bank literalBank
}

// literalBank is the constant bank with numbers that a kernel brings along.
const literalBank = 1

// textureName is the name of a probe's texture reference.
const textureName = "texture"

// cubin returns the kernel as a text cubin, which the drivers of boards of this generation load.
func (k *kernel) cubin(arch tesla.Arch) []byte {
	var b strings.Builder
	fmt.Fprintf(&b, "architecture {%s}\nabiversion {1}\nmodname {cubin}\n", arch)
	if k.sampler {
		fmt.Fprintf(&b, "sampler {\n\tname = %s\n\ttexunit = 0\n}\n", textureName)
	}
	fmt.Fprintf(&b, "code {\n\tname = %s\n\tlmem = %d\n\tsmem = %d\n\treg = %d\n\tbar = 1\n", kernelName, k.local, k.shared, k.registers)
	if len(k.literals) > 0 {
		fmt.Fprintf(&b, "\tconst {\n\t\tsegname = const\n\t\tsegnum = %d\n\t\toffset = 0\n\t\tbytes = %d\n\t\tmem {\n", literalBank, 4*len(k.literals))
		for _, w := range k.literals {
			fmt.Fprintf(&b, "\t\t\t0x%08x\n", w)
		}
		b.WriteString("\t\t}\n\t}\n")
	}
	b.WriteString("\tbincode {\n")
	for i := 0; i < len(k.words); i += 2 {
		fmt.Fprintf(&b, "\t\t0x%08x 0x%08x\n", k.words[i], k.words[i+1])
	}
	b.WriteString("\t}\n}\n")
	return []byte(b.String())
}
