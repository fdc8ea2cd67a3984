package sass

import (
	"fmt"
	"strings"

	"jacquard/tesla"
)

// The operands of operations without the usual list of a destination and sources.

// nothing is for operations without operands; a guard that never holds has no effect on them.
func nothing(*tesla.Instruction) []string { return nil }

// flow is a guard, and sources if there are any.
func flow(in *tesla.Instruction) []string {
	list := sources(in)
	if g := guard(in.Guard); g != "" {
		list = append([]string{g}, list...)
	}
	return list
}

// jump is a guard and an address.
func jump(in *tesla.Instruction) []string {
	return append(flow(in), fmt.Sprintf("0x%x", in.Target))
}

func barrierNumber(in *tesla.Instruction) []string {
	list := []string{fmt.Sprintf("b%d", in.Barrier.ID)}
	if !in.Barrier.All {
		list = append(list, fmt.Sprintf("0x%x", in.Barrier.Count))
	}
	return list
}

// comparison ends in the condition.
func comparison(in *tesla.Instruction) []string {
	cmp := in.Cmp
	// Integers are never unordered.
	if in.Op == tesla.OpISet && cmp == tesla.Less|tesla.Equal|tesla.Greater {
		cmp |= tesla.Unordered
	}
	return append(operands(&rule{}, in), comparisons[cmp&15])
}

// sum shows a difference as the sum with a negative operand: the second, or the first of a reverse
// subtraction.
func sum(in *tesla.Instruction) []string {
	first, last := &in.Src[0], &in.Src[1]
	if in.Op == tesla.OpIMad {
		last = &in.Src[2]
	}
	switch in.Arith {
	case tesla.Sub:
		last.Neg = !last.Neg
	case tesla.SubR:
		first.Neg = !first.Neg
	}
	return operands(&rule{}, in)
}

// toMemory is a place in memory, the guard, and the data.
func toMemory(in *tesla.Instruction) []string {
	list := sources(in)
	list[0] += guarded(in)
	return list
}

func toCondition(in *tesla.Instruction) []string {
	list := []string{"o [0x7f]"}
	if in.CDst != tesla.NoCond {
		list[0] = fmt.Sprintf("C%d", in.CDst.Index())
	}
	list[0] += guarded(in)
	return append(list, sources(in)...)
}

// toAddress omits a shift by 0.
func toAddress(in *tesla.Instruction) []string {
	list := operands(&rule{}, in)
	if in.Src[1].Kind == tesla.Imm && in.Src[1].Value == 0 {
		list = list[:2]
	}
	return list
}

func sourcesOnly(in *tesla.Instruction) []string { return sources(in) }

func reductionForEx2(in *tesla.Instruction) []string { return append(operands(&rule{}, in), "EX2") }

func reductionForSin(in *tesla.Instruction) []string { return append(operands(&rule{}, in), "SIN") }

// selection takes the first source if the third is not negative.
func selection(in *tesla.Instruction) []string { return append(operands(&rule{}, in), "GE") }

// swizzle ends in the lane that is read and the operations of the four lanes of a quad.
func swizzle(in *tesla.Instruction) []string {
	list := operands(&rule{}, in)
	var does []string
	for _, q := range in.Quad {
		does = append(does, swizzles[min(int(q), len(swizzles)-1)])
	}
	return append(list, fmt.Sprintf("0x%x", in.QuadLane), strings.Join(does, "."))
}

// voted is the condition register written, and the condition on which lanes vote.
func voted(in *tesla.Instruction) []string {
	written := "o [0x7f]"
	if in.CDst != tesla.NoCond {
		written = fmt.Sprintf("C%d", in.CDst.Index())
	}
	if g := guard(in.Guard); g != "" {
		return []string{written, g}
	}
	return []string{written, "TRUE"}
}

// texel is the first register, unit and sampler, the components, and the number of
// coordinates.
func texel(in *tesla.Instruction) []string {
	components := ""
	for i, c := range "RGBA" {
		if in.Tex.Mask>>i&1 != 0 {
			components += string(c)
		}
	}
	if components == "" {
		components = "NONE"
	}
	list := []string{
		destination(in) + guarded(in), fmt.Sprintf("0x%x", in.Tex.Unit), fmt.Sprintf("0x%x", in.Tex.Sampler), components,
		fmt.Sprintf("%dD", max(in.Tex.Coords, 1)),
	}
	if in.Tex.Offset != [3]int8{} {
		list = append(list, fmt.Sprintf("(%d,%d,%d)", in.Tex.Offset[0], in.Tex.Offset[1], in.Tex.Offset[2]))
	}
	return append(list, sources(in)...)
}
