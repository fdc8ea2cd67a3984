package isa

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// does is what a complete description says of the types, and of what MovA does.
const does = `type B32 4 b32 a word
class move between registers
operation MovA move data=0 coordinates
`

func TestOperation(t *testing.T) {
	d, err := Parse("tiny.isa", tiny+does)
	require.NoError(t, err)
	require.Equal(t, []Type{{Pos{"tiny.isa", 19}, "B32", 4, "b32", "a word"}}, d.Types)
	require.Equal(t, []Class{{Pos{"tiny.isa", 20}, "move", "between registers"}}, d.Classes)
	require.Equal(t, []Operation{{Pos{"tiny.isa", 21}, "MovA", "move", []string{"0"}, true, false}}, d.Operations)
	require.Len(t, d.FormsOf("MovA"), 1)
}

func TestOperationErrors(t *testing.T) {
	for _, c := range []struct{ old, new, want string }{
		{"type B32 4 b32 a word", "type B32 4", "tiny.isa:19: want: type NAME BYTES WORD [COMMENT...]"},
		{"type B32 4", "type B32 x", `tiny.isa:19: bad size "x" of type B32`},
		{"class", "type B32 4 b32\nclass", "tiny.isa:20: type B32 is already defined at tiny.isa:19"},
		{"class move between registers", "class move", "tiny.isa:20: want: class NAME COMMENT..."},
		{"class", "class move x\nclass", "tiny.isa:21: class move is already defined"},
		{"operation MovA move data=0 coordinates", "operation MovA", "tiny.isa:21: want: operation OP CLASS [data=ROLES] [coordinates] [components]"},
		{"MovA move", "MovA shift", `tiny.isa:21: unknown class "shift"`},
		{"operation", "operation MovA move\noperation", "tiny.isa:22: operation MovA is already defined at tiny.isa:21"},
		{"coordinates", "fast", `tiny.isa:21: unknown attribute "fast" of an operation`},
		{"MovA move", "MovB move", "tiny.isa:21: operation MovB has no form"},
		{"data=0", "data=1", `tiny.isa:21: operation MovA has no source "1"`},
	} {
		t.Run(c.want, func(t *testing.T) {
			require.Contains(t, does, c.old)
			_, err := Parse("tiny.isa", tiny+strings.Replace(does, c.old, c.new, 1))
			require.ErrorContains(t, err, c.want)
		})
	}
	other := "form NOP short pri=2\n\top Nop\n\ttext nop\n\tignore w0.27-2\n"
	_, err := Parse("tiny.isa", tiny+other+does)
	require.ErrorContains(t, err, "tiny.isa:19: nothing says what operation Nop does")
}
