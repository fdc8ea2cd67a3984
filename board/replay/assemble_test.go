package replay

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/decoder"
	"jacquard/tesla"
)

// assemble replaces CODE in a text cubin by the words of code.
func assemble(t *testing.T, cubin string, code []tesla.Instruction) []byte {
	t.Helper()
	var words []string
	for _, in := range code {
		w0, w1, err := decoder.Encode(tesla.SM10, in)
		require.NoError(t, err)
		words = append(words, fmt.Sprintf("0x%08x 0x%08x", w0, w1))
	}
	return []byte(strings.Replace(cubin, "CODE", strings.Join(words, " "), 1))
}

// chaseCode is the code of chase.
func chaseCode() []tesla.Instruction {
	plain := func(op tesla.Op) tesla.Instruction {
		return tesla.Instruction{Op: op, Size: 8, Type: tesla.B32}
	}
	reg := func(n uint8) tesla.Operand { return tesla.Operand{Kind: tesla.Reg, Index: n} }
	global := func(address uint8) tesla.Operand {
		return tesla.Operand{Kind: tesla.Global, Index: 14, Value: uint32(address)}
	}
	param := plain(tesla.OpMov)
	param.Dst, param.Src[0] = reg(1), tesla.Operand{Kind: tesla.Shared, Type: tesla.B32, Value: 0x10}
	load := plain(tesla.OpLdGlobal)
	load.Dst, load.Src[0] = reg(2), global(1)
	add := plain(tesla.OpIAdd)
	add.Dst, add.Src[0], add.Src[1] = reg(3), reg(2), tesla.Operand{Kind: tesla.Imm, Value: 4}
	store := plain(tesla.OpStGlobal)
	store.Src[0], store.Src[1] = global(2), reg(3)
	end := plain(tesla.OpNop)
	end.Type, end.Marker = 0, tesla.MarkerExit
	return []tesla.Instruction{param, load, add, store, end}
}
