package compare_test

import (
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/decoder"
	"jacquard/libcuda/compare"
	"jacquard/simt"
	"jacquard/simt/mem"
	"jacquard/tesla"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// golden compares text with a file in testdata.
func golden(t *testing.T, name string, write func(io.Writer) error) {
	t.Helper()
	var got strings.Builder
	require.NoError(t, write(&got))
	path := filepath.Join("testdata", name)
	if *update {
		require.NoError(t, os.MkdirAll("testdata", 0o777))
		require.NoError(t, os.WriteFile(path, []byte(got.String()), 0o666))
	}
	want, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, string(want), got.String())
}

func reg(n uint8) tesla.Operand { return tesla.Operand{Kind: tesla.Reg, Index: n} }

// set returns $rN = v.
func set(n uint8, v uint32) tesla.Instruction {
	return tesla.Instruction{Op: tesla.OpMov, Type: tesla.B32, Dst: reg(n), Src: [3]tesla.Operand{{Kind: tesla.Imm, Value: v}}}
}

// upper makes $c0 true in lanes whose thread id is greater than $r1.
var upper = tesla.Instruction{Op: tesla.OpISet, Type: tesla.U32, Cmp: tesla.Greater, CDst: tesla.C0, Dst: tesla.Operand{Kind: tesla.Discard}, Src: [3]tesla.Operand{reg(0), reg(1)}}

// exit ends a kernel.
var exit = tesla.Instruction{Op: tesla.OpNop, Marker: tesla.MarkerExit}

// to returns a jump to instruction number n; every instruction has eight bytes.
func to(op tesla.Op, n uint32) tesla.Instruction { return tesla.Instruction{Op: op, Target: 8 * n} }

// ifUpper guards in by $c0.
func ifUpper(in tesla.Instruction) tesla.Instruction {
	in.Guard = tesla.Guard{Cond: tesla.CondLG} // $c0 is not zero
	return in
}

// assemble encodes code, eight bytes per instruction.
func assemble(t *testing.T, code []tesla.Instruction) []uint32 {
	t.Helper()
	var words []uint32
	for _, in := range code {
		w0, w1, err := decoder.Encode(tesla.SM13, in)
		require.NoError(t, err, "%+v", in)
		if w0&1 == 0 {
			w1 = 0x10008000 // mov b32 $r0 $r0: two short instructions are as long as the others
		}
		words = append(words, w0, w1)
	}
	return words
}

// cubin returns code as the kernel k of a cubin.
func cubin(t *testing.T, code ...tesla.Instruction) []byte {
	t.Helper()
	text := "architecture {sm_13} code { name = k lmem = 0 smem = 24 reg = 8 bar = 0 bincode {"
	for _, w := range assemble(t, code) {
		text += fmt.Sprintf(" 0x%08x", w)
	}
	return []byte(text + " } }")
}

// steps runs code with four threads under a policy.
func steps(t *testing.T, policy string, code ...tesla.Instruction) *compare.Steps {
	t.Helper()
	p, err := simt.Lower(simt.Kernel{Name: "k", Arch: tesla.SM13, Code: decoder.Kernel(tesla.SM13, assemble(t, code)), Registers: 8, Shared: 16})
	require.NoError(t, err)
	s := &compare.Steps{Limit: 100}
	_, err = simt.Run(&simt.Launch{Program: p, Grid: [2]int{1, 1}, Block: [3]int{4, 1, 1}, Global: mem.NewSpace(1 << 20), Policy: policy, Observer: s})
	require.NoError(t, err)
	return s
}

// Table 2 of C. Collange, "Stack-less SIMT reconvergence at low cost" (2011). Our addresses are the
// paper's numbers times eight; the paper's column of next pcs is our next line.
func TestTable2(t *testing.T) {
	golden(t, "table2.txt", steps(t, "stackless",
		set(1, 1),
		upper,                       // 1: A
		ifUpper(to(tesla.OpBra, 5)), // 2: if (!c) br 5
		set(2, 2),                   // 3: B
		to(tesla.OpBra, 6),          // 4: br 6
		set(2, 3),                   // 5: C
		set(3, 4),                   // 6: D
		exit,
	).Write)
}

// The if/else of C. Collange, M. Daumas, D. Defour, D. Parello, "Étude comparée et simulation
// d'algorithmes de branchements pour le GPGPU" (2009), section 5.1: the else part runs first, 4 5 6
// 7, then 2 3 6 7; 7 is the join and is issued twice. Our machine announces the join by an
// instruction of its own, so number n of the paper is number n+2 here.
func TestIfElse(t *testing.T) {
	golden(t, "ifelse.txt", steps(t, "nvidia",
		set(1, 1),
		upper,
		to(tesla.OpJoinAt, 9),
		ifUpper(to(tesla.OpBra, 6)), // 1: br ELSE, sync
		set(2, 2),                   // 2: IF
		to(tesla.OpBra, 8),          // 3: br ENDIF
		set(2, 3),                   // 4: ELSE
		set(3, 4),                   // 5
		set(4, 5),                   // 6: ENDIF
		tesla.Instruction{Op: tesla.OpNop, Marker: tesla.MarkerJoin}, // 7
		exit,
	).Write)
}
