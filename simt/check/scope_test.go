package check_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/simt/check"
	"jacquard/simt/program"
	"jacquard/tesla"
)

// Words of the header and the parameters are left out. A word of which a byte is behind them is not.
func TestScopeHead(t *testing.T) {
	s := check.Scope{Head: 0x12}
	for offset, wants := range map[uint32]bool{0: false, 0xc: false, 0xe: false, 0x10: true, 0x14: true} {
		u := &program.Op{Ins: &tesla.Instruction{Op: tesla.OpIAdd}}
		u.Src[0].Mode, u.Src[0].Type, u.Src[0].Offset = program.SrcShared, tesla.B32, offset
		require.Equal(t, wants, s.Wants(u), "%#x", offset)
	}
}
