package asm_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/asm"
)

// Any text gives a module or errors with their place.
func FuzzRead(f *testing.F) {
	for _, s := range []asm.Syntax{asm.Envy, asm.SASS} {
		for _, labels := range []bool{false, true} {
			head := ".module sm_13 syntax=" + s.Name + "\n"
			text := strings.Split(kernelText(f, kernels+"reduce/sm_13.cubin", asm.Writer{Syntax: s, Labels: labels}), "\n")
			f.Add(head + strings.Join(text[:12], "\n"))
		}
	}
	f.Add(start + "a: texauto all $r4:#:$r5:# $t0 $s0 $r4:$r5:$r6 0x0 0x0 0x0 {long, bits 1 2}\n??? {words 1}")
	f.Add(".module sm_12 syntax=sass\n.kernel k\nTEX R3 (C2.EQ), 0x10, 0x1, RGA, 2D, (1,-2,3)\nFSWZ R0, R1, R2, 0x1, ADD.SUB.SUBR.MOV")
	f.Fuzz(func(t *testing.T, text string) {
		img, err := asm.Read(text)
		if err != nil {
			require.True(t, strings.HasPrefix(err.Error(), "line "), err)
			return
		}
		require.NotNil(t, img)
	})
}
