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

// TestLiterals checks how choices and limits with constants of their own share the pool of literals.
// Of 128 words, each sum under a guard keeps one free: sums stay without one when words and sums are
// 96, constants go to registers when they are 128.
func TestLiterals(t *testing.T) {
	var s strings.Builder
	s.WriteString("k\nb0:\n\tw0 = tid\n\tw1 = load.global.u32 w0\n")
	for i := range 140 {
		n := 10 + 10*i
		fmt.Fprintf(&s, "\tp%d = fcmp.lt w0 w1\n\tw%d = add w0 0x%x\n\tw%d = select p%d w%d w1\n", n, n+1, 1000+i, n+2, n, n+1)
		fmt.Fprintf(&s, "\tw%d = min.u32 w%d 0x%x\n\tstore.global.u32 w0 w%d\n", n+3, n+2, 2000+i, n+3)
	}
	s.WriteString("\texit\n")
	f, err := ir.Parse(s.String())
	require.NoError(t, err)
	out, err := choose(f, tesla.SM13)
	require.NoError(t, err)
	guarded, loaded := 0, 0
	for _, in := range out.Blocks[0].Code {
		switch {
		case in.Guard.Reg != 0 && in.In.Op == tesla.OpIAdd:
			guarded++
		case in.In.Op == tesla.OpMov && in.In.Src[0].Kind == tesla.Imm:
			loaded++
		}
	}
	require.Equal(t, []int{48, 140 - 80, 128 - 48}, []int{guarded, loaded, len(out.Literals)})
}
