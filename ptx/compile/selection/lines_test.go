package selection_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/ptx/compile/code"
	"jacquard/ptx/compile/ir"
	"jacquard/tesla"
)

// TestLines checks that instructions have the lines of the values that they are selected for, and
// ends the lines of their blocks. A sum in the place of the choice that takes it has the line of the
// choice.
func TestLines(t *testing.T) {
	f, err := ir.Parse(`k
b0:
	w0 = tid
	w1 = load.global.u32 w0 +0x8
	p2 = icmp.lt.u32 w0 w1
	w3 = add w0 w1
	w4 = select p2 w3 w1
	branch p2 b1 b2
b1: <- b0
	jump b2
b2: <- b0 b1
	w5 = phi w4 0x7
	store.global.u32 w0 w5
	exit
`)
	require.NoError(t, err)
	for _, b := range f.Blocks {
		b.Line = ir.Line{File: 1, Line: int32(100 * (1 + b.ID))}
		for i, v := range b.Values {
			v.Line = ir.Line{File: 2, Line: b.Line.Line + int32(i)}
		}
	}
	out, err := choose(f, tesla.SM13)
	require.NoError(t, err)
	var lines []string
	for _, b := range out.Blocks {
		line := fmt.Sprintf("b%d:", b.ID)
		for _, in := range b.Code {
			line += " " + text(in.Line)
		}
		lines = append(lines, line+" end "+text(b.End.Line))
	}
	require.Equal(t, []string{"b0: 2:101 2:101 2:102 2:104 2:104 end 1:100", "b1: 1:200 end 1:200", "b2: 2:301 end 1:300",
		"b3: 0:0 end 0:0"}, lines)
}

func text(l code.Line) string { return fmt.Sprintf("%d:%d", l.File, l.Line) }

// literalsOf returns the code of n choices that each have a sum, and limits beside them, with
// constants of their own, behind some values.
func literalsOf(t *testing.T, n int, values string) *code.Func {
	var s strings.Builder
	s.WriteString("k\nb0:\n\tw0 = tid\n\tw1 = load.global.u32 w0\n" + values)
	for i := range n {
		k := 10 + 10*i
		fmt.Fprintf(&s, "\tp%d = fcmp.lt w0 w1\n\tw%d = add w0 0x%x\n\tw%d = select p%d w%d w1\n", k, k+1, 1000+i, k+2, k, k+1)
		fmt.Fprintf(&s, "\tw%d = min.u32 w%d 0x%x\n\tstore.global.u32 w0 w%d\n", k+3, k+2, 2000+i, k+3)
	}
	s.WriteString("\tw2 = max.u32 w0 0x1388\n\tstore.global.u32 w0 w2\n\texit\n")
	f, err := ir.Parse(s.String())
	require.NoError(t, err)
	out, err := choose(f, tesla.SM13)
	require.NoError(t, err)
	return out
}

// TestLiterals checks how choices and limits share the pool of literals. Of 128 words, each sum under
// a guard keeps one free: sums stay without a guard when words and sums are 96, constants go to
// registers when they are 128.
func TestLiterals(t *testing.T) {
	out := literalsOf(t, 140, "")
	require.Equal(t, []int{47, 140 + 1 - (128 - 47), 128 - 47}, []int{guarded(out), loaded(out), len(out.Literals)})
}

// TestLiteralsOf16Bits checks that a factor of 16 bits is no literal beyond word 63.
func TestLiteralsOf16Bits(t *testing.T) {
	product := "\tw3 = mul16.u16 w1 0x7777\n\tstore.global.u32 w0 w3\n"
	for n, want := range map[int]int{62: 0, 63: 1} {
		require.Equal(t, want, loaded(literalsOf(t, n, product)), n)
	}
}

// guarded counts sums under a guard.
func guarded(f *code.Func) int {
	return count(f, func(in *code.Instr) bool { return in.Guard.Reg != 0 && in.In.Op == tesla.OpIAdd })
}

// loaded counts constants that go to registers.
func loaded(f *code.Func) int {
	return count(f, func(in *code.Instr) bool { return in.In.Op == tesla.OpMov && in.In.Src[0].Kind == tesla.Imm })
}

func count(f *code.Func, is func(in *code.Instr) bool) (n int) {
	for i := range f.Blocks[0].Code {
		if is(&f.Blocks[0].Code[i]) {
			n++
		}
	}
	return n
}
