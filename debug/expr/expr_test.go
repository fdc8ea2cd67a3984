package expr_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/debug/expr"
)

// names is a scope of a few names; the memory has the address of each byte, less 0x100.
type names map[string]expr.Value

func (n names) Name(name string) (expr.Value, error) {
	if v, ok := n[name]; ok {
		return v, nil
	}
	if name == "later" {
		return expr.Value{}, expr.ErrUnknown
	}
	return expr.Value{}, fmt.Errorf("no %s", name)
}

func (n names) Register(name string) (expr.Value, error) { return n.Name("$" + name) }

func (n names) Load(space string, address uint32, size int) ([]byte, error) {
	if space != "shared" || address < 0x100 {
		return nil, fmt.Errorf("no %d bytes at @%s 0x%x", size, space, address)
	}
	var b []byte
	for i := range size {
		b = append(b, byte(address-0x100)+byte(i))
	}
	return b, nil
}

func scope() names {
	pair := &expr.Type{Kind: expr.Struct, Size: 8, Name: "pair", Fields: []expr.Field{{Name: "a", Type: expr.TypeInt}, {Name: "b", Offset: 4, Type: expr.TypeFloat}}}
	list := &expr.Type{Kind: expr.Array, Size: 4, Len: 4, Elem: &expr.Type{Kind: expr.Uint, Size: 1, Name: "unsigned char"}}
	letter := &expr.Type{Kind: expr.Int, Size: 1, Name: "char", Letter: true}
	return names{
		"$r3": expr.Of(expr.TypeUint, -1), "x": expr.Of(expr.TypeInt, -7), "f": expr.OfFloat(expr.TypeFloat, 0.1),
		"s":    {Type: pair, Data: []byte{5, 0, 0, 0, 0, 0, 0x80, 0x3f}, Place: &expr.Place{Space: "shared", Address: 0x104}},
		"list": {Type: list, Data: []byte{1, 2, 3, 4}, Place: &expr.Place{Space: "shared", Address: 0x101}},
		"p":    expr.Of(expr.PointerTo(expr.TypeInt, "shared"), 0x100),
		"g":    expr.Of(&expr.Type{Kind: expr.Pointer, Size: 8, Space: expr.Generic, Elem: expr.TypeInt, Name: "int *"}, 0xfd000100),
		"none": expr.Of(&expr.Type{Kind: expr.Pointer, Size: 8, Space: expr.Generic, Elem: expr.TypeInt, Name: "int *"}, 0),
		"c":    expr.Of(&expr.Type{Kind: expr.Int, Size: 4, Name: "color", Words: map[int64]string{2: "blue"}}, 2),
		"text": {Type: &expr.Type{Kind: expr.Array, Size: 3, Len: 3, Elem: letter}, Data: []byte{'h', 'i', 0}},
		"raw":  {Type: &expr.Type{Kind: expr.Array, Size: 2, Len: 2, Elem: letter}, Data: []byte{'h', 'i'}},
		"cut": {Type: &expr.Type{Kind: expr.Struct, Size: 4, Name: "cut", Fields: []expr.Field{
			{Name: "low", Type: expr.TypeUint, Cut: expr.Cut{Bits: 3}}, {Name: "sign", Type: expr.TypeInt, Cut: expr.Cut{Bits: 5, Shift: 3}},
		}}, Data: []byte{6 | 0x1f<<3, 0, 0, 0}, Place: &expr.Place{Space: "shared", Address: 0x100}},
	}
}

func TestEval(t *testing.T) {
	for text, want := range map[string]string{
		"1 + 2 * 3": "7", "(1 + 2) * 3": "9", "7 / -2": "-3", "7 % 3": "1", "1 << 4 | 3": "19", "-1 >> 1": "-1",
		"0xffffffff": "4294967295", "0xffffffff + 1": "0", "3000000000": "3000000000", "2u - 3": "4294967295",
		"1.5f * 2": "3", "1.0 / 4": "0.25", "f": "0.1", "f + 0.0": "0.10000000149011612", "1e3": "1000",
		"$r3": "4294967295", "(int)$r3": "-1", "(char)$r3": "-1", "(float)x": "-7", "(unsigned char)300": "44", "$r3 > 5": "1", "x < 0u": "0",
		"!x": "0", "~0": "-1", "-f": "-0.1", "x == -7 && f < 1": "1", "0 && later": "0", "later && 0": "0", "later || 1": "1",
		"s.a": "5", "s.b": "1", "&s.b": "(@shared float *) 0x108", "*p": "50462976", "p[1]": "117835012", "*(p + 1) == p[1]": "1",
		"list[2]": "3", "list": "{1, 2, 3, 4}", "s": "{a = 5, b = 1}", "*(@shared short*)0x102": "770",
		"g": "(@shared int *) 0x100", "none": "(int *) 0x0", "*g": "50462976", "g[1] == p[1]": "1", "g == p": "1", "g == none": "0", "!none": "1",
		"g + 1": "(@shared int *) 0x104", "(@shared int*)g": "(@shared int *) 0x100", "c": "blue", "c + 1": "3",
		"text": `"hi"`, "text[0]": "104 'h'", "raw": "{104 'h', 105 'i'}", "cut": "{low = 6, sign = -1}", "cut.sign": "-1",
		"1 + p": "(@shared int *) 0x104", "(p + 3) - p": "3", "p - 1 - p": "-1", "g - p": "0", "p - g + 2": "2", "list == &list[0]": "1", "&list[0] == list": "1",
		"list + 1": "(@shared unsigned char *) 0x102", "!list": "0", "list && 1": "1", "!0.0": "1", "(unsigned long long)1e19": "10000000000000000000",
		"(@shared int*)0x20 + 2": "(@shared int *) 0x28", "*(@shared unsigned char*)(0x100 + 1)": "1",
	} {
		n, err := expr.Parse(text)
		require.NoError(t, err, text)
		v, err := n.Eval(scope())
		require.NoError(t, err, text)
		require.Equal(t, want, v.Format(0), text)
	}
}

func TestErrors(t *testing.T) {
	for text, want := range map[string]string{
		"": "breaks off", "1 +": "breaks off", "1 2": "left over", "(1": `want ")"`, "1 ; 2": "no part", "@nowhere int": "unexpected",
		"(@nowhere int*)1": "no memory", "list[4]": "has 4 elements", "s.c": "has no c", "*x": "no pointer", "1 / 0": "division", "&1": "no address",
		"unknown": "no unknown", "later": "not known", "later && 1": "not known", "*(@global int*)1": "no 4 bytes", "s + 1": "between", "1x": "no number",
		"p + 1.5": "between", "p + p": "between", "1 - p": "between", "!s": "no condition", "s || 1": "no condition", "1 && text": "no condition", "p - &s": "between",
		"1.5 % 2": "no operator", "&cut.low": "no address", "(@local int*)g": "leads to @shared",
	} {
		n, err := expr.Parse(text)
		if err == nil {
			_, err = n.Eval(scope())
		}
		require.ErrorContains(t, err, want, text)
	}
}

func TestFormat(t *testing.T) {
	v := expr.Of(expr.TypeInt, -2)
	for format, want := range map[byte]string{'x': "0xfffffffe", 'd': "-2", 'u': "4294967294", 'o': "037777777776", 't': "11111111111111111111111111111110", 'f': "NaN", 0: "-2"} {
		require.Equal(t, want, v.Format(format), string(rune(format)))
	}
	v = expr.Of(expr.TypeInt, 65)
	require.Equal(t, "65 'A'", v.Format('c'))
}

func TestCut(t *testing.T) {
	require.Equal(t, []byte{0b1010_1110, 7}, expr.Cut{Bits: 5, Shift: 3}.Into([]byte{0xfe, 7}, []byte{0b11_0101, 0}))
}

func FuzzParse(f *testing.F) {
	f.Add("1 + $r3[2] && threadIdx.x")
	f.Fuzz(func(t *testing.T, text string) {
		if n, err := expr.Parse(text); err == nil {
			if v, err := n.Eval(scope()); err == nil {
				v.Format(0)
			}
		}
	})
}
