package code

import (
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/tesla"
)

// The first of two writes under opposite guards need not keep what its register held, unless
// something reads that between them, or the guard changes.
func TestMarkFirst(t *testing.T) {
	const p, q = 8, 9 // flags
	yes := func(in Instr) Instr { return guarded(in, p, tesla.CondLG) }
	no := func(in Instr) Instr { return guarded(in, p, tesla.CondEU) }
	flags := func(in Instr, c Reg) Instr {
		in.CDst = c
		return in
	}
	pair := func(in Instr) Instr {
		in.In.Dst.Kind, in.Dst.Regs[1] = tesla.Pair, 7
		return in
	}
	var many []Instr
	many = append(many, yes(add(2, 1, 1)))
	for r := Reg(10); r < 20+maxPending; r++ {
		many = append(many, yes(add(r, 1, 1)))
	}
	many = append(many, no(add(2, 1, 1)), yes(add(3, 1, 1)), no(add(3, 1, 1)))
	for _, c := range []struct {
		name  string
		code  []Instr
		first []int
	}{
		{"opposite guards", []Instr{yes(add(2, 1, 1)), no(add(2, 1, 1))}, []int{0}},
		{"a condition in between", []Instr{no(add(2, 1, 1)), guarded(add(2, 1, 1), p, tesla.CondL), yes(add(2, 1, 1))}, nil},
		{"three in turn", []Instr{yes(add(2, 1, 1)), no(add(2, 1, 1)), yes(add(2, 1, 1))}, []int{0, 1}},
		{"the same guard twice", []Instr{yes(add(2, 1, 1)), yes(add(2, 1, 1))}, nil},
		{"guards of two flags", []Instr{yes(add(2, 1, 1)), guarded(add(2, 1, 1), q, tesla.CondEU)}, nil},
		{"no guard", []Instr{add(2, 1, 1), no(add(2, 1, 1))}, nil},
		{"a read between them", []Instr{yes(add(2, 1, 1)), add(3, 2, 1), no(add(2, 1, 1))}, nil},
		{"a read of the second", []Instr{yes(add(2, 1, 1)), no(add(2, 2, 1))}, nil},
		{"another write between them", []Instr{yes(add(2, 1, 1)), add(2, 1, 1), no(add(2, 1, 1))}, nil},
		{"a write of another register between them", []Instr{yes(add(2, 1, 1)), yes(add(3, 1, 1)), no(add(2, 1, 1))}, []int{0}},
		{"another guard between them", []Instr{yes(add(2, 1, 1)), flags(add(3, 1, 1), p), no(add(2, 1, 1))}, nil},
		{"a guard that the first changes", []Instr{flags(yes(add(2, 1, 1)), p), no(add(2, 1, 1))}, nil},
		{"a guard that the second changes", []Instr{yes(add(2, 1, 1)), flags(no(add(2, 1, 1)), p)}, []int{0}},
		{"flags that the first writes, too", []Instr{flags(yes(add(2, 1, 1)), q), no(add(2, 1, 1))}, nil},
		{"a pair that the first writes", []Instr{pair(yes(add(2, 1, 1))), no(add(2, 1, 1))}, nil},
		{"no result", []Instr{flags(yes(add(0, 1, 1)), q), flags(no(add(0, 1, 1)), q)}, nil},
		{"a guard of two more writes", []Instr{yes(add(2, 1, 1)), yes(add(3, 1, 1)), flags(add(4, 1, 1), p), no(add(3, 1, 1)), no(add(2, 1, 1))}, nil},
		{"more than are remembered", many, []int{len(many) - 2}},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := &Func{Regs: make([]RegInfo, 100), Blocks: []*Block{{Code: c.code}, {Code: []Instr{no(add(2, 1, 1)), no(add(3, 1, 1))}}}}
			markFirst(f)
			var first []int
			for i := range c.code {
				if c.code[i].First {
					first = append(first, i)
				}
			}
			require.Equal(t, c.first, first)
		})
	}
}
