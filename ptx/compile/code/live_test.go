package code

import (
	"fmt"
	"strings"
	"testing"

	"jacquard/tesla"

	"github.com/stretchr/testify/require"
)

// rangesText returns the live ranges of all registers.
func rangesText(f *Func) string {
	var b strings.Builder
	for r, s := range analyse(f).ranges {
		if len(s) == 0 {
			continue
		}
		fmt.Fprintf(&b, "%d:", r)
		for _, x := range s {
			fmt.Fprintf(&b, " %d-%d", x.from, x.to)
			if x.value != int32(r) {
				fmt.Fprintf(&b, "=%d", x.value)
			}
		}
		b.WriteByte('\n')
	}
	return b.String()
}

func add(d, a, b Reg) Instr {
	in := Instr{In: tesla.Instruction{Op: tesla.OpIAdd, Type: tesla.B32}}
	in.In.Dst.Kind, in.In.Src[0].Kind, in.In.Src[1].Kind = tesla.Reg, tesla.Reg, tesla.Reg
	in.Dst.Regs[0], in.Src[0].Regs[0], in.Src[1].Regs[0] = d, a, b
	return in
}

func guarded(in Instr, p Reg, c tesla.Cond) Instr {
	in.Guard = Guard{Reg: p, Cond: c}
	return in
}

func TestRanges(t *testing.T) {
	for _, c := range []struct {
		name string
		code []Instr
		want string
	}{
		// Instruction t reads at point 2t and writes at 2t+1.
		{"a chain", []Instr{add(2, 1, 1), add(3, 2, 1)}, "1: 1-5\n2: 3-5\n3: 5-6\n"},
		{"a copy holds the same value", []Instr{move(2, 1, Line{}), add(3, 2, 1)}, "1: 1-5\n2: 3-5=1\n3: 5-6\n"},
		{"a guarded write keeps the old value", []Instr{
			add(2, 1, 1), guarded(add(2, 1, 1), 4, tesla.CondLG), add(3, 2, 2),
		}, "1: 1-5\n2: 3-7\n3: 7-8\n4: 1-5\n"},
		{"a guarded write without an old value", []Instr{
			guarded(add(2, 1, 1), 4, tesla.CondLG), add(3, 2, 2),
		}, "1: 1-3\n2: 3-5\n3: 5-6\n4: 1-3\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := &Func{Regs: make([]RegInfo, 5), MaxRegs: 10}
			f.Regs[1].Fixed, f.Regs[4].Class, f.Regs[4].Fixed = 1, Cond, 1
			f.Blocks = []*Block{{Code: c.code, End: End{Kind: Exit}}}
			require.Equal(t, c.want, rangesText(f))
		})
	}
}
