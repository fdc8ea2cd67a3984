package tesla

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Every value of every enumeration has a name, and other values print as such.
func TestNames(t *testing.T) {
	tests := []struct {
		name   string
		count  int
		gaps   []int // codes without meaning between the first and the last
		value  func(int) fmt.Stringer
		shared bool // some values print alike
	}{
		{"Arch", len(Archs), nil, func(i int) fmt.Stringer { return Arch(i) }, false},
		{"Op", Ops, nil, func(i int) fmt.Stringer { return Op(i) }, false},
		{"Form", Forms, []int{0}, func(i int) fmt.Stringer { return Form(i) }, false},
		{"Type", int(F64) + 1, nil, func(i int) fmt.Stringer { return Type(i) }, true},
		{"Round", int(RZ) + 1, nil, func(i int) fmt.Stringer { return Round(i) }, false},
		{"Arith", int(Mov2) + 1, nil, func(i int) fmt.Stringer { return Arith(i) }, false},
		{"Logic", int(Pass) + 1, nil, func(i int) fmt.Stringer { return Logic(i) }, false},
		{"Cmp", 16, nil, func(i int) fmt.Stringer { return Cmp(i) }, false},
		{"AtomOp", int(AtomXor) + 1, []int{3, 8, 9}, func(i int) fmt.Stringer { return AtomOp(i) }, false},
		{"VoteOp", int(VoteAll) + 1, []int{0}, func(i int) fmt.Stringer { return VoteOp(i) }, false},
		{"Marker", int(MarkerJoin) + 1, nil, func(i int) fmt.Stringer { return Marker(i) }, false},
		{"Bad", int(BadGraphics) + 1, nil, func(i int) fmt.Stringer { return Bad(i) }, false},
		{"OperandKind", int(InvalidOperand) + 1, nil, func(i int) fmt.Stringer { return OperandKind(i) }, false},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			seen := map[string]bool{}
			gaps := map[int]bool{}
			for _, i := range test.gaps {
				gaps[i] = true
			}
			for i := range test.count {
				s := test.value(i).String()
				if gaps[i] {
					continue
				}
				require.NotEmpty(t, s, "value %d", i)
				require.False(t, strings.HasPrefix(s, test.name+"("), "value %d", i)
				require.True(t, test.shared || !seen[s], "%q names two values", s)
				seen[s] = true
			}
			require.Equal(t, fmt.Sprintf("%s(%d)", test.name, test.count), test.value(test.count).String())
		})
	}
}

func TestCondNames(t *testing.T) {
	require.Equal(t, "always", CondAlways.String())
	require.Equal(t, "never", CondNever.String())
	for c := Cond(0x14); c <= 0x1b; c++ {
		require.Equal(t, "???", c.String())
	}
	require.Equal(t, "???", Cond(32).String())
}

func TestParseArch(t *testing.T) {
	for _, a := range Archs {
		got, err := ParseArch(a.String())
		require.NoError(t, err)
		require.Equal(t, a, got)
	}
	_, err := ParseArch("sm_20")
	require.ErrorContains(t, err, `"sm_20"`)
}
