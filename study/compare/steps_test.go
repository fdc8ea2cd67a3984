package compare_test

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/decoder"
	"jacquard/simt"
	"jacquard/simt/branch"
	"jacquard/simt/mem"
	"jacquard/study/compare"
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

// join carries the marker of a join.
var join = tesla.Instruction{Op: tesla.OpNop, Marker: tesla.MarkerJoin}

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
	text := "architecture {sm_13} code { name = k lmem = 0 smem = 24 reg = 8 bar = 0 bincode {\n"
	for _, w := range assemble(t, code) {
		text += fmt.Sprintf(" 0x%08x", w)
	}
	return []byte(text + " } }")
}

// golden4 compares the steps of code with four threads with NAME.txt, and the code, as a cubin, with
// the file of docs/papers.md.
func golden4(t *testing.T, name, policy string, code ...tesla.Instruction) {
	t.Helper()
	golden(t, name+".txt", steps(t, policy, code...).Write)
	golden(t, "../../../testdata/papers/"+name+".cubin", func(w io.Writer) error {
		_, err := w.Write(cubin(t, code...))
		return err
	})
}

// steps runs code with four threads under a policy.
func steps(t *testing.T, policy string, code ...tesla.Instruction) *compare.Steps {
	t.Helper()
	s, err := stepsOf(t, policy, 4, code)
	require.NoError(t, err)
	return s
}

// stepsOf runs code with so many threads. The error is the launch's.
func stepsOf(t *testing.T, policy string, threads int, code []tesla.Instruction) (*compare.Steps, error) {
	t.Helper()
	p, err := simt.Lower(simt.Kernel{Name: "k", Arch: tesla.SM13, Code: decoder.Kernel(tesla.SM13, assemble(t, code)), Registers: 8, Shared: 16})
	require.NoError(t, err)
	s := &compare.Steps{Limit: 100}
	_, err = simt.Run(&simt.Launch{Program: p, Grid: [2]int{1, 1}, Block: [3]int{threads, 1, 1}, Global: mem.NewSpace(1 << 20), Policy: policy, Recorder: s})
	return s, err
}

// Table 2 of C. Collange, "Stack-less SIMT reconvergence at low cost" (2011). Our addresses are the
// paper's numbers times eight; the paper's column of next pcs is our next line.
func TestTable2(t *testing.T) {
	golden4(t, "table2", "stackless",
		set(1, 1),
		upper,                       // 1: A
		ifUpper(to(tesla.OpBra, 5)), // 2: if (!c) br 5
		set(2, 2),                   // 3: B
		to(tesla.OpBra, 6),          // 4: br 6
		set(2, 3),                   // 5: C
		set(3, 4),                   // 6: D
		exit,
	)
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
		join,                        // 7
		exit,
	).Write)
}

// Figure 3 of the same paper, from its text (the drawing is not in our copy): two of four threads
// are in a side of an if, so the stack begins with SYNC of all threads and, on top, DIV of the two
// others. The branch at 1 pushes SYNC and DIV; 4 to 7 run with the lanes that take it; at 7 the
// join pops DIV; 2, 3, 6 and 7 run with the others; at 7 the join pops SYNC, and the stack is as in
// the beginning. Our names are join for SYNC and branch for DIV. The paper keeps in SYNC the
// address of the next instruction, our machine keeps the address of the join, which joinat
// announces; number n of the paper is number n+7 here.
func TestFigure3(t *testing.T) {
	golden4(t, "figure3", "nvidia",
		set(1, 1),
		upper,                       // threads 2 and 3
		to(tesla.OpJoinAt, 15),      // the SYNC of all threads
		ifUpper(to(tesla.OpBra, 5)), // the DIV of threads 0 and 1
		to(tesla.OpBra, 15),
		set(1, 2),
		upper, // thread 3
		to(tesla.OpJoinAt, 14),
		ifUpper(to(tesla.OpBra, 11)), // 1: br ELSE, sync
		set(2, 2),                    // 2: IF
		to(tesla.OpBra, 13),          // 3: br ENDIF
		set(2, 3),                    // 4: ELSE
		set(3, 4),                    // 5
		set(4, 5),                    // 6: ENDIF
		join,                         // 7
		join,
		exit,
	)
}

// What every policy keeps, step by step, in a loop with an if with a call. Of the first four
// threads 0 and 1 go round once, 2 and 3 twice, and 3 calls. Policies that refuse the call run the
// kernel without it. For policies that mix warps the block has two warps, and threads 1 and up
// call.
func TestStates(t *testing.T) {
	kernel := func(third uint32, call tesla.Instruction) []tesla.Instruction {
		above := upper
		above.Src[1] = reg(3)
		leave := to(tesla.OpBreak, 0)
		leave.Guard = tesla.Guard{Cond: tesla.CondE}
		return []tesla.Instruction{
			set(1, 1),
			set(3, third),
			to(tesla.OpBreakAddr, 14),
			above, // 3: do
			to(tesla.OpJoinAt, 9),
			ifUpper(to(tesla.OpBra, 8)), // if
			set(2, 2),                   // else
			to(tesla.OpBra, 9),
			call, // 8: then
			join, // 9
			upper,
			set(1, 63),
			leave,
			to(tesla.OpBra, 3), // while
			exit,
			set(4, 1), // 15: the function
			to(tesla.OpRet, 0),
		}
	}
	golden(t, "states.txt", func(out io.Writer) error {
		for _, choice := range branch.Policies() {
			calls := to(tesla.OpCall, 15)
			s, err := stepsOf(t, choice.Name, 4, kernel(2, calls))
			with := "with a call"
			if s != nil && s.Mixed {
				s, err = stepsOf(t, choice.Name, 64, kernel(0, calls))
			}
			if refused := new(branch.RefusedError); errors.As(err, &refused) {
				with = "without a call"
				s, err = stepsOf(t, choice.Name, 4, kernel(2, set(4, 1)))
			}
			require.NoError(t, err, choice.Name)
			fmt.Fprintf(out, "%s, %s\n", choice.Name, with)
			if err := s.Write(out); err != nil {
				return err
			}
			fmt.Fprintln(out)
		}
		return nil
	})
}

// A diagram has a cell for each lane of each step, which shows the lane's state.
func TestDiagram(t *testing.T) {
	s := &compare.Steps{Lanes: 0xf, More: 7, List: []compare.Step{
		{PC: 0x10, Text: "first", Active: 0xf, Executed: 0xf},
		{PC: 0x18, Text: "second", Active: 0xf, Executed: 0x3},
		{PC: 0x20, Text: "third", Active: 0x3, Executed: 0x3, Vetoed: true},
	}}
	panels := []compare.Panel{{Kernel: "k", Policy: "nvidia", Steps: s}, {Kernel: "k", Policy: "bfs", Steps: &compare.Steps{}}}
	var out strings.Builder
	require.NoError(t, compare.WriteDiagram(&out, "svg", "A warp", panels))
	for _, text := range []string{"A warp", "k under nvidia", "0018", "second", "and 7 more", "k under bfs", "issues nothing", "its guard is false"} {
		require.Contains(t, out.String(), ">"+text+"<")
	}
	const key = 1 // each kind is once in the key
	require.Equal(t, 6+key, strings.Count(out.String(), "fill:#0072B2"), "lanes that run")
	require.Equal(t, 2+key, strings.Count(out.String(), "stroke:#0072B2"), "lanes whose guard is false")
	require.Equal(t, 3*(2+key), strings.Count(out.String(), "stroke:#D55E00"), "lanes sent elsewhere: an edge and two strokes")
	require.Equal(t, 2+key, strings.Count(out.String(), "fill:#AAAAAA"), "lanes that wait")
	for _, format := range compare.Formats() {
		require.NoError(t, compare.WriteDiagram(io.Discard, format, "", panels))
	}
	require.Error(t, compare.WriteDiagram(io.Discard, "gif", "", panels))
	require.Error(t, compare.WriteDiagram(io.Discard, "svg", "", nil))
}
