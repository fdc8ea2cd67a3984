package tesla_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/decoder"
	"jacquard/tesla"
)

// Parse reads each form's text.
func TestParse(t *testing.T) {
	for _, c := range []struct{ w0, w1 uint32 }{
		{0x20000005, 0x04004280}, {0x1000c801, 0x0423c780}, {0xb0000009, 0x0bf80003}, {0xd00e0005, 0xa0c00780}, {0x861ffe03, 0},
	} {
		in := decoder.Decode(tesla.SM10, c.w0, c.w1)
		p, err := tesla.Parse(decoder.Blank(in.Form), tesla.Tokens(in.String(), 1))
		require.NoError(t, err, in.String())
		p.Raw = in.Raw
		require.Equal(t, in, p.Instruction, in.String())
	}
}

func TestParseErrors(t *testing.T) {
	add := decoder.Blank(decoder.Decode(tesla.SM10, 0x20000005, 0x04004780).Form)
	for _, c := range []struct {
		text, want string
		at         int
	}{
		{"add b32 $r1 $r2", "expected c0[...] or a register $r0; found the end of the line", 4},
		{"add b32 $r1 ?", `expected a register $r0 or s[...]; found "?"`, 3},
		{"add b32 $r1 b32", `expected a register $r0 or s[...]; found "b32"`, 3},
		{"(lg $c9) add b32 $r1 $r2 $r3", `expected $c0, $c1, $c2 or $c3; found "$c9"`, 1},
	} {
		_, err := tesla.Parse(add, tesla.Tokens(c.text, 1))
		var e *tesla.ParseError
		require.ErrorAs(t, err, &e)
		require.EqualError(t, e, c.want)
		require.Equal(t, c.at, e.At)
	}
	_, err := tesla.Parse(tesla.Instruction{}, nil)
	require.Error(t, err)
}

func TestTokens(t *testing.T) {
	require.Equal(t, []tesla.Token{{"(lg", 5}, {"$c0", 9}, {")", 12}, {"add", 14}, {"s[$a1+0x4]", 19}, {"(mul", 31}, {"$r1", 36}, {")", 40}},
		tesla.Tokens("(lg $c0) add  s[$a1 +0x4] (mul $r1 )", 5))
	require.Empty(t, tesla.Tokens(" \t", 1))
}

// Variants differ in modifiers; the first has none.
func TestVariants(t *testing.T) {
	n := 0
	// The form is L20w.
	for v := range tesla.Variants(decoder.Blank(decoder.Decode(tesla.SM10, 0x20000005, 0x04004780).Form)) {
		if n == 0 {
			require.Equal(t, tesla.MarkerNone, v.Marker)
			require.Zero(t, v.Mods)
		}
		n++
	}
	require.Equal(t, 3*4*2, n, "markers, sums, saturation")
}
