package code

import (
	"testing"

	"jacquard/tesla"

	"github.com/stretchr/testify/require"
)

func TestZeroCondition(t *testing.T) {
	for _, c := range []struct {
		name      string
		typ       tesla.Type
		cmp       tesla.Cmp
		guard     tesla.Cond
		overflows bool
		want      tesla.Cond
		ok        bool
	}{
		{"less", tesla.S32, tesla.Less, tesla.CondLG, false, tesla.CondL, true},
		{"less after an addition", tesla.S32, tesla.Less, tesla.CondLG, true, tesla.CondS, true},
		{"not less", tesla.S32, tesla.Less, tesla.CondE, true, tesla.CondNS, true},
		{"greater after an addition", tesla.S32, tesla.Greater, tesla.CondLG, true, 0, false},
		{"unsigned greater", tesla.U32, tesla.Greater, tesla.CondLG, true, tesla.CondLG, true},
		{"unsigned less is never", tesla.U32, tesla.Less, tesla.CondLG, false, 0, false},
		{"unsigned greater or equal is always", tesla.U32, tesla.Greater | tesla.Equal, tesla.CondLG, false, 0, false},
		{"not unsigned less is always", tesla.U32, tesla.Less, tesla.CondE, false, 0, false},
		{"unsigned less or equal", tesla.U32, tesla.Less | tesla.Equal, tesla.CondLG, true, tesla.CondE, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			test := tesla.Instruction{Op: tesla.OpISet, Type: c.typ, Cmp: c.cmp}
			got, ok := zeroCondition(&test, c.guard, c.overflows)
			require.Equal(t, c.ok, ok)
			require.Equal(t, c.want, got)
		})
	}
}

func TestInvert(t *testing.T) {
	for _, p := range [][2]tesla.Cond{
		{tesla.CondAlways, tesla.CondNever}, {tesla.CondL, tesla.CondGEU}, {tesla.CondE, tesla.CondLGU},
		{tesla.CondLG, tesla.CondEU}, {tesla.CondC, tesla.CondNC}, {tesla.CondS, tesla.CondNS},
		{tesla.CondA, tesla.CondNA}, {tesla.CondO, tesla.CondNO},
	} {
		require.Equal(t, p[1], invert(p[0]))
		require.Equal(t, p[0], invert(p[1]))
	}
}
