package x86

import (
	"bytes"
	"crypto/sha256"
	"flag"
	"fmt"
	"hash/fnv"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// update writes the golden files after LLVM has proved what goes there:
//
//	go test -count=1 ./simt/engine/translate/x86 -llvm llvm-mc -update
var update = flag.Bool("update", false, "write the golden files; wants -llvm as well")

// checkGolden compares text with a golden file, or writes it.
func checkGolden(t *testing.T, file, text string) {
	t.Helper()
	if *update {
		require.NotEmpty(t, *llvm, "golden files are written after a comparison with LLVM: -llvm llvm-mc")
		require.NoError(t, os.WriteFile(file, []byte(text), 0o644))
		return
	}
	want, err := os.ReadFile(file)
	require.NoError(t, err)
	w, g := strings.Split(string(want), "\n"), strings.Split(text, "\n")
	for n := range min(len(w), len(g)) {
		require.Equal(t, w[n], g[n], "%s:%d", file, n+1)
	}
	require.Len(t, g, len(w), file)
}

// Every operation, in every encoding and form, is as it was when LLVM proved it. The file has a
// digest of all forms of an operation, and a sample of them to read.
func TestVectorGolden(t *testing.T) {
	var out strings.Builder
	out.WriteString("# Vector and mask operations: forms, a digest of their bytes, a sample.\n")
	for n := range rows {
		r := &rows[n]
		var sample strings.Builder
		digest, count := sha256.New(), 0
		all := encodingsOf(r)
		for k, e := range all {
			var instructions []Ins
			for i := range forms(r, e) {
				instructions = append(instructions, i)
				digest.Write(encode(e, i))
			}
			count += len(instructions)
			if k > 0 && k < len(all)-1 && all[k-1].evex == e.evex && all[k+1].evex == e.evex {
				continue // a width between others
			}
			for _, pick := range picks(r.name, k, len(instructions)) {
				i := instructions[pick]
				fmt.Fprintf(&sample, "\t%s = %x\n", text(r, e, i), encode(e, i))
			}
		}
		fmt.Fprintf(&out, "%s %d %x\n%s", r.name, count, digest.Sum(nil)[:8], sample.String())
	}
	checkGolden(t, "testdata/vector.txt", out.String())
}

// picks are two of n forms, one of each half: mostly one with registers and one with memory.
func picks(name string, k, n int) []int {
	if n < 2 {
		return []int{0}
	}
	h := fnv.New32a()
	fmt.Fprint(h, name, k)
	x := int(h.Sum32() >> 1)
	return []int{x % (n / 2), n/2 + x%(n-n/2)}
}

// General instructions are as they were when LLVM proved them.
func TestGeneralGolden(t *testing.T) {
	var out strings.Builder
	out.WriteString("# General instructions.\n")
	for _, e := range generalForms() {
		fmt.Fprintf(&out, "%s = %x\n", e.text, e.bytes)
	}
	checkGolden(t, "testdata/general.txt", out.String())
}

// General instructions are what LLVM assembles from their texts.
func TestGeneralLLVM(t *testing.T) {
	if *llvm == "" {
		t.Skip("wants -llvm llvm-mc: LLVM's assembler, 14 or later")
	}
	requireLLVM(t, allFeatures, generalForms())
	a := New(false)
	var in strings.Builder
	for n := range len(nops) {
		a.Reset()
		a.Nop(n + 1)
		writeHex(&in, a.Finish())
	}
	lines := runLLVM(t, in.String(), "-disassemble")
	require.Len(t, lines, 1+len(nops)) // the first line is .text
	for _, l := range lines[1:] {
		require.Regexp(t, "nop|xchgw\t%ax, %ax", l)
	}
}

// encode is one instruction as bytes.
func encode(e encoded, i Ins) []byte {
	a := New(e.evex)
	a.V(i)
	return bytes.Clone(a.Finish())
}
