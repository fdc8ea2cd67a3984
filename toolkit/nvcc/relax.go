package nvcc

import (
	"bytes"
	"os"
	"regexp"
)

// relaxRoots makes a step of Relax take square roots, too.
const relaxRoots = "-roots"

// Relax copies LLVM's text from one file to another, and writes as PTX what clang cannot say of f32:
// products and sums that may be contracted, and approximate square roots.
//
// Operations that clang marks "contract" become instructions without a rounding. NVIDIA's compiler
// wrote the same: its assembler, and ours, makes one MAD of a product and a sum for sm_1x. By
// itself LLVM makes fma.rn.f32 of them, which sm_1x has not, and then nothing tells them from
// calls of fmaf, which must be exact. Where the mark is missing, as in libdevice, LLVM writes
// roundings. Double precision stays: sm_13 has fma.rn.f64.
//
// With roots, square roots become sqrt.approx. LLVM 19 has an option for that, but it has no effect.
func Relax(from, to string, roots bool) error {
	text, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	return os.WriteFile(to, relax(text, roots), 0o666)
}

func relax(text []byte, roots bool) []byte {
	var out bytes.Buffer
	for line := range bytes.Lines(text) {
		switch m := marked.FindSubmatch(line); {
		case m != nil && (bytes.Contains(m[2], []byte("contract ")) || bytes.Contains(m[2], []byte("fast "))):
			line = marked.ReplaceAll(line, []byte(unrounded))
		case roots:
			line = root.ReplaceAll(line, []byte(approximate))
		}
		out.Write(line)
	}
	return out.Bytes()
}

// marked is an operation in LLVM's text: its name, its flags and its operands. Metadata may follow.
var marked = regexp.MustCompile(`= f(mul|add|sub) ((?:[a-z]+ )*)float ([^ ,()]+), ([^ ,()\n]+)`)

const unrounded = `= call float asm "${1}.f32 $$0, $$1, $$2;", "=f,f,f"(float ${3}, float ${4})`

// root is a square root whose rounding is the user's choice: __fsqrt_rn has a name of its own.
var root = regexp.MustCompile(`= (?:tail )?call (?:[a-z]+ )*float @llvm\.sqrt\.f32\(float (?:noundef )?([^ ,()]+)\)`)

const approximate = `= call float asm "sqrt.approx.f32 $$0, $$1;", "=f,f"(float ${1})`
