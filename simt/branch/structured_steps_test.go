package branch

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/simt/cfg"
	"jacquard/simt/lane"
	"jacquard/tesla"
)

// listing is a small program for four lanes.
type listing []line

type line struct {
	text string // as the golden file shows it
	op   tesla.Op
	to   int // the target line
	// when says, per lane and visit, 1 if the lane takes the branch; the last digit repeats.
	when [4]string
	exit bool
}

// takes returns the lanes of mask that take the branch at line i, and counts their visits.
func (p listing) takes(i int, mask lane.Mask, visits map[[2]int]int) (taken lane.Mask) {
	for l, when := range p[i].when {
		if mask>>l&1 == 0 {
			continue
		}
		n := visits[[2]int{i, l}]
		visits[[2]int{i, l}]++
		if when == "" || when[min(n, len(when)-1)] == '1' {
			taken |= 1 << l
		}
	}
	return taken
}

func (p listing) kernel(t *testing.T) *Kernel {
	k := &Kernel{}
	var code []tesla.Instruction
	for i, l := range p {
		in := tesla.Instruction{Op: l.op, Target: uint32(8 * l.to), Size: 8}
		if l.when[0] != "" {
			in.Guard.Cond = tesla.CondE // some condition
		}
		if l.exit {
			in.Marker = tesla.MarkerExit
		}
		code, k.Code = append(code, in), append(k.Code, Instruction{PC: uint32(8 * i), Next: uint32(8*i + 8)})
	}
	g, err := cfg.New(code)
	require.NoError(t, err)
	k.Graph = func() *cfg.Graph { return g }
	return k
}

// steps runs the listing and records every step: the instruction, the lanes and the masks.
func (p listing) steps(t *testing.T, out *strings.Builder, f *structured) {
	f.Start(0xf)
	visits := map[[2]int]int{}
	for f.Status() == Runs {
		pc, mask, _, _ := f.Pick()
		i, next := int(pc/8), pc+8
		line := fmt.Sprintf("%-20s %s  %s", p[i].text, lanes4(mask), f.State(nil).Text(false, lanes4))
		fmt.Fprintln(out, strings.TrimRight(line, " "))
		taken := p.takes(i, mask, visits)
		var err error
		switch l := p[i]; {
		case l.exit:
			err = f.Exit()
		case l.op == tesla.OpBra:
			err = f.Branch(taken, uint32(8*l.to), next)
		case l.op == tesla.OpBreak:
			err = f.Break(taken, next)
		case l.op == tesla.OpRet:
			err = f.Return(taken, next)
		case l.op == tesla.OpCall:
			err = f.Call(uint32(8*l.to), next)
		case l.op == tesla.OpBreakAddr:
			err = f.Annotate(BreakAddr, uint32(8*l.to), next)
		default:
			f.Advance(next)
		}
		require.NoError(t, err)
	}
	require.Equal(t, Ended, f.Status())
}

// TestStructuredSteps records small programs step by step, lane 0 leftmost in a mask. The first is
// the example of S. Collange's lecture on SIMT (2021). Its counters are 0 0 1 1 after the outer if,
// 0 1 2 2 and 1 0 2 2 on the sides of the inner if, and 0 0 0 0 at the end.
func TestStructuredSteps(t *testing.T) {
	examples := []struct {
		name string
		listing
	}{
		{"ifs", listing{
			{text: "x = 0"},
			{text: "if tid > 17", op: tesla.OpBra, to: 3, when: [4]string{"1", "1", "1", "1"}},
			{text: "  x = 1"},
			{text: "if tid < 2", op: tesla.OpBra, to: 9, when: [4]string{"0", "0", "1", "1"}},
			{text: "  if tid = 0", op: tesla.OpBra, to: 7, when: [4]string{"0", "1", "1", "1"}},
			{text: "    x = 2"},
			{text: "    goto endif", op: tesla.OpBra, to: 8},
			{text: "    else x = 3"},
			{text: "  endif"},
			{text: "endif, exit", exit: true},
		}},
		{"loop", listing{
			{text: "breakaddr", op: tesla.OpBreakAddr, to: 7},
			{text: "do"},
			{text: "  if c continue", op: tesla.OpBra, to: 1, when: [4]string{"0", "10", "0", "0"}},
			{text: "  if d return", op: tesla.OpRet, when: [4]string{"0", "0", "0", "01"}},
			{text: "  a"},
			{text: "  if e break", op: tesla.OpBreak, when: [4]string{"1", "1", "001", "0"}},
			{text: "while", op: tesla.OpBra, to: 1},
			{text: "behind, exit", exit: true},
		}},
		{"call", listing{
			{text: "if c", op: tesla.OpBra, to: 3, when: [4]string{"0", "0", "0", "1"}},
			{text: "  call f", op: tesla.OpCall, to: 4},
			{text: "  a"},
			{text: "endif, exit", exit: true},
			{text: "f: if d return", op: tesla.OpRet, when: [4]string{"1", "01", "001", "0"}},
			{text: "   call f", op: tesla.OpCall, to: 4},
			{text: "   return", op: tesla.OpRet},
		}},
	}
	var out strings.Builder
	for _, e := range examples {
		for _, name := range []string{"chap", "amd", "pomp", "gma"} {
			fmt.Fprintf(&out, "%s under %s\n", e.name, name)
			choice, err := Find(name)
			require.NoError(t, err)
			newPolicy, err := choice.Prepare(e.kernel(t))
			if refused := (*RefusedError)(nil); errors.As(err, &refused) {
				fmt.Fprintf(&out, "refused: %s, %s\n\n", strings.TrimSpace(e.listing[refused.PC/8].text), refused.Reason)
				continue
			}
			require.NoError(t, err)
			e.steps(t, &out, newPolicy().(whole).newFlow().(*structured))
			out.WriteString("\n")
		}
	}
	golden(t, "testdata/structured-steps.txt", out.String())
}
