package isa

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// does is a complete description's text about types, limits, and MovA.
const does = `type B32 4 b32 a word
class move between registers
operation MovA move data=0 coordinates
	sass   MVA sized flags modifiers=exactly
	exact  form=MOV mode=1,2 -> unverified a guess
	exact  -> verified chapter 1
limit memory documented a
limit guard documented b
limit marker documented c
limit working_join unverified d
limit guarded_marker unverified d
limit a7 unverified e
`

func TestOperation(t *testing.T) {
	d, err := Parse("tiny.isa", tiny+does)
	require.NoError(t, err)
	require.Equal(t, []Type{{Pos{"tiny.isa", 19}, "B32", 4, "b32", "a word"}}, d.Types)
	require.Equal(t, []Class{{Pos{"tiny.isa", 20}, "move", "between registers"}}, d.Classes)
	require.Len(t, d.Limits, 6)
	require.Len(t, d.FormsOf("MovA"), 1)

	require.Len(t, d.Operations, 1)
	o := d.Operations[0]
	require.Equal(t, Sass{"MVA", []string{"sized", "flags"}, []Attr{{"modifiers", "exactly"}}}, o.Sass)
	o.Exact, o.Sass = nil, Sass{}
	require.Equal(t, Operation{Pos: Pos{"tiny.isa", 21}, Op: "MovA", Class: "move", Data: []string{"0"}, Traits: []string{"coordinates"}}, o)

	lines := d.ExactLines(d.Forms[0])
	require.Len(t, lines, 2)
	require.Equal(t, Certainty{"unverified", "a guess"}, lines[0].Certainty)
	require.Equal(t, []uint64{1, 2}, lines[0].Conds[0].Values)
	require.Equal(t, Certainty{"verified", "chapter 1"}, lines[1].Certainty)
}

func TestOperationErrors(t *testing.T) {
	for _, c := range []struct{ old, new, want string }{
		{"type B32 4 b32 a word", "type B32 4", "tiny.isa:19: want: type NAME BYTES WORD [COMMENT...]"},
		{"type B32 4", "type B32 x", `tiny.isa:19: bad size "x" of type B32`},
		{"class", "type B32 4 b32\nclass", "tiny.isa:20: type B32 is already defined at tiny.isa:19"},
		{"class move between registers", "class move", "tiny.isa:20: want: class NAME COMMENT..."},
		{"class", "class move x\nclass", "tiny.isa:21: class move is already defined"},
		{"operation MovA move data=0 coordinates", "operation MovA", "tiny.isa:21: want: operation OP CLASS [data=ROLES] [flags=RULE] [TRAITS...]"},
		{"MovA move", "MovA shift", `tiny.isa:21: unknown class "shift"`},
		{"limit a7", "operation MovA move\nlimit a7", "tiny.isa:30: operation MovA is already defined at tiny.isa:21"},
		{"coordinates", "fast", `tiny.isa:21: unknown attribute "fast" of an operation`},
		{"coordinates", "flags=odd", `tiny.isa:21: unknown attribute "flags=odd" of an operation`},
		{"operation MovA", "operation MovB move\n\tsass MVB\n\texact -> verified x\noperation MovA", "tiny.isa:21: operation MovB has no form"},
		{"data=0", "data=1", `tiny.isa:21: operation MovA has no source "1"`},
		{"\tsass   MVA sized flags modifiers=exactly\n", "", "tiny.isa:21: operation MovA needs sass and exact"},
		{"modifiers=", "name=", `tiny.isa:22: unknown attribute "name=exactly" of sass`},
		{"sized", "small", `tiny.isa:22: unknown attribute "small" of sass`},
		{"sass", "says", `tiny.isa:22: unknown part "says" of an operation`},
		{"\texact  -> verified chapter 1\n", "", "tiny.isa:23: the last line of exact, and no other, is without a condition"},
		{"form=MOV mode=1,2 ->", "->", "tiny.isa:23: the last line of exact, and no other, is without a condition"},
		{"form=MOV mode", "mode", "tiny.isa:23: conditions begin with form=, which comes once"},
		{"form=MOV", "form=ADD", `tiny.isa:23: MovA has no form "ADD"`},
		{"mode=1,2", "mode=4", "tiny.isa:23: value 4 does not fit field mode of 2 bits"},
		{"-> unverified", "unverified", "tiny.isa:23: want: exact [form=FORMS FIELD=VALUE...] -> CLASS WHY..."},
		{"unverified a guess", "certain a guess", "tiny.isa:23: want a class (unverified, documented, verified) and the evidence"},
		{"documented a", "documented", "tiny.isa:25: want a class (unverified, documented, verified) and the evidence"},
		{"limit memory", "limit thumb", `tiny.isa:25: unknown limit "thumb": want memory, guard, marker, working_join, guarded_marker, a7`},
		{"limit guard ", "limit memory ", "tiny.isa:26: limit memory is already defined at tiny.isa:25"},
		{"limit a7 unverified e\n", "", "tiny.isa:15: 5 limits are defined: want memory, guard, marker, working_join, guarded_marker, a7"},
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
