package tesla_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/decoder"
	"jacquard/tesla"
)

// Every operation of compute programs has a class.
func TestClasses(t *testing.T) {
	seen := map[tesla.Class]bool{}
	for op := range tesla.Op(tesla.Ops) {
		seen[op.Class()] = true
		unknown := op == tesla.OpInvalid || op == tesla.OpStOutput
		require.Equal(t, unknown, op.Class() == tesla.ClassUnknown, op)
	}
	require.Len(t, seen, tesla.Classes)
	require.Equal(t, tesla.ClassUnknown, tesla.Op(tesla.Ops).Class())
}

// Registers that instructions read and write: general registers, address registers, flags.
func TestUsesAndDefs(t *testing.T) {
	type set struct{ r, a, c []int }
	for _, c := range []struct {
		text       string
		w0, w1     uint32
		uses, defs set
	}{
		{"add b32 $r1 $r0 $r1", 0x20000005, 0x04004780, set{r: []int{0, 1}}, set{r: []int{1}}},
		{"(lg $c1) add b32 $r1 $r0 $r1", 0x20000005, 0x04005280, set{r: []int{0, 1}, c: []int{1}}, set{r: []int{1}}},
		{"addc b32 $c0 $r1 $r0 $r1 $c2", 0x30400005, 0x040067c0, set{r: []int{0, 1}, c: []int{2}}, set{r: []int{1}, c: []int{0}}},
		{"cvt u32 $r0 u16 $r0l", 0xa0000001, 0x04000780, set{r: []int{0}}, set{r: []int{0}}},
		{"mov b32 $r0 b32 s[$a1++0x4]", 0x1600c201, 0x0423c780, set{a: []int{1}}, set{r: []int{0}, a: []int{1}}},
		{"st b128 g14[$r1] $r4q", 0xd00e0211, 0xa0a00780, set{r: []int{1, 4, 5, 6, 7}}, set{}},
		{"ld b64 $r2d g14[$r4]", 0xd00e0809, 0x80800780, set{r: []int{4}}, set{r: []int{2, 3}}},
		{"mov $r0 $c3", 0x00000001, 0x20003780, set{c: []int{3}}, set{r: []int{0}}},
		{"mov $r0 $a2", 0x08000001, 0x40000780, set{a: []int{2}}, set{r: []int{0}}},
		{"mov $c2 $r4", 0x00000801, 0xa00007e0, set{r: []int{4}}, set{c: []int{2}}},
		{"shl $a2 $r11 0x0", 0x00001609, 0xc0000780, set{r: []int{11}}, set{a: []int{2}}},
		{"(lgu $c2) vote any $c1", 0x10000201, 0x600026d0, set{c: []int{2}}, set{c: []int{1}}},
		{"texauto all $r4:#:$r5:# $t0 $s0 $r4:$r5:$r6 0x0 0x0 0x0", 0xf2800011, 0x00004780, set{r: []int{4, 5, 6}}, set{r: []int{4, 5}}},
		{"nothing that executes", 0x80000001, 0, set{}, set{}},
	} {
		t.Run(c.text, func(t *testing.T) {
			in := decoder.Decode(tesla.SM12, c.w0, c.w1)
			if in.Bad == tesla.OK {
				require.Equal(t, c.text, in.String())
			}
			numbers := func(s tesla.Registers) set {
				return set{slices.Collect(s.General()), slices.Collect(s.Addresses()), slices.Collect(s.Conditions())}
			}
			require.Equal(t, c.uses, numbers(in.Uses()))
			require.Equal(t, c.defs, numbers(in.Defs()))
		})
	}
}

func TestRegisterSets(t *testing.T) {
	a := decoder.Decode(tesla.SM10, 0x20000005, 0x04004780)
	both := a.Uses().Union(a.Defs())
	require.Equal(t, a.Uses(), both)
	for r := range both.General() {
		require.Zero(t, r)
		break
	}
}

// An instruction reads and writes the registers in its operands: every operand of a valid one
// counts.
func TestHandsOver(t *testing.T) {
	for op, sources := range map[tesla.Op][]int{tesla.OpStShared: {1}, tesla.OpAtom: {1, 2}, tesla.OpRed: {1}, tesla.OpLdGlobal: nil} {
		var got []int
		for i := range 3 {
			if op.HandsOver(i) {
				got = append(got, i)
			}
		}
		require.Equal(t, sources, got, op)
	}
}

// The operations of each property that has few, and those without a guard.
func TestProperties(t *testing.T) {
	for want, has := range map[string]func(tesla.Op) bool{
		"Bra BreakAddr Call JoinAt PreRet":                                      tesla.Op.HasTarget,
		"Bra BraIndirect Break Call Ret Trap":                                   tesla.Op.Leaves,
		"Atom LdLocal MovFromSpecial QuadOp":                                    tesla.Op.DependsOnLane,
		"TexAuto TexBias TexFetch TexLod":                                       tesla.Op.ReadsTexels,
		"FAdd FMad FMul IAdd IMad IMul ISad Mov Rcp TexAuto TexFetch":           tesla.Op.HasShort,
		"Bar BraIndirect BreakAddr Call JoinAt PreRet QuadOn QuadPop Trap Vote": func(o tesla.Op) bool { return !o.Guarded() },
	} {
		var got []string
		for op := range tesla.Op(tesla.Ops) {
			if op != tesla.OpInvalid && has(op) {
				got = append(got, op.String())
			}
		}
		require.ElementsMatch(t, strings.Fields(want), got)
	}
}
