package kerneltest

import (
	"encoding/binary"
	"math"
	"testing"

	"github.com/stretchr/testify/require"
)

func words(w ...uint32) []byte {
	var b []byte
	for _, v := range w {
		b = binary.LittleEndian.AppendUint32(b, v)
	}
	return b
}

func floats(f ...float32) []byte {
	var b []byte
	for _, v := range f {
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(v))
	}
	return b
}

func doubles(f ...float64) []byte {
	var b []byte
	for _, v := range f {
		b = binary.LittleEndian.AppendUint64(b, math.Float64bits(v))
	}
	return b
}

// many returns n words: the first bad words are 1, the others 0.
func many(n, bad int) []byte {
	w := make([]uint32, n)
	for i := range bad {
		w[i] = 1
	}
	return words(w...)
}

func TestCompare(t *testing.T) {
	inf, nan := float32(math.Inf(1)), float32(math.NaN())
	for _, c := range []struct {
		name       string
		rule       Rule
		rtol, atol float64
		want, got  []byte
		message    string // "" if they agree
	}{
		{"equal", Exact, 0, 0, words(1, 2, 3), words(1, 2, 3), ""},
		{"one word", Exact, 0, 0, words(1, 2, 3, 4), words(1, 7, 3, 8), "buffer o: word 1 is 0x00000007, want 0x00000002; 2 of 4 words differ"},
		{"signed zeros are words", Exact, 0, 0, floats(0), words(0x80000000), "buffer o: word 0 is 0x80000000, want 0x00000000; 1 of 1 words differ"},
		{"unchanged", Unchanged, 0, 0, words(1, 2), words(1, 3), "buffer o: word 1 is 0x00000003, want 0x00000002 as before the launch; 1 of 2 words differ"},
		{"length", Exact, 0, 0, words(1, 2), words(1), "buffer o: got 4 bytes, want 8"},

		{"float32 relative", Float32, 0.25, 0, floats(4, -4), floats(5, -3), ""},
		{"float32 beyond", Float32, 0.125, 0, floats(4, -4), floats(4.5, -3), "buffer o: word 1 is 0xc0400000 (-3), want 0xc0800000 (-4) within 0 + 0.125*|want|; 1 of 2 words differ"},
		{"float32 absolute", Float32, 0, 0.5, floats(0), floats(-0.5), ""},
		{"float32 signed zeros", Float32, 0, 0, floats(0), words(0x80000000), ""},
		{"float32 NaN", Float32, 0, 0, words(0x7fffffff), words(0x7fc00000), ""},
		{"float32 NaN wanted", Float32, 1, 1, floats(nan), floats(1), "buffer o: word 0 is 0x3f800000 (1), want 0x7fc00000 (NaN) within 1 + 1*|want|; 1 of 1 words differ"},
		{"float32 NaN got", Float32, 1, 1, floats(1), floats(nan), "buffer o: word 0 is 0x7fc00000 (NaN), want 0x3f800000 (1) within 1 + 1*|want|; 1 of 1 words differ"},
		{"float32 infinity", Float32, 0, 0, floats(inf), floats(inf), ""},
		{"float32 infinity wanted", Float32, 1, 1, floats(inf), floats(1), "buffer o: word 0 is 0x3f800000 (1), want 0x7f800000 (+Inf) within 1 + 1*|want|; 1 of 1 words differ"},
		{"float32 other infinity", Float32, 1, 1, floats(inf), floats(-inf), "buffer o: word 0 is 0xff800000 (-Inf), want 0x7f800000 (+Inf) within 1 + 1*|want|; 1 of 1 words differ"},
		{"float32 infinity got", Float32, 1, 1, floats(1), floats(inf), "buffer o: word 0 is 0x7f800000 (+Inf), want 0x3f800000 (1) within 1 + 1*|want|; 1 of 1 words differ"},

		{"float64 relative", Float64, 0.25, 0, doubles(4, 8), doubles(5, 6), ""},
		{"float64 beyond", Float64, 0, 0.5, doubles(4, 8), doubles(4.5, 9), "buffer o: word 2 is 0x4022000000000000 (9), want 0x4020000000000000 (8) within 0.5 + 0*|want|; 1 of 2 pairs differ"},

		{"2 percent of 100", ExactBut2Percent, 0, 0, many(100, 0), many(100, 2), ""},
		{"3 percent of 100", ExactBut2Percent, 0, 0, many(100, 0), many(100, 3), "buffer o: word 0 is 0x00000001, want 0x00000000; 3 of 100 words differ, 2 may"},
		{"1 of 49", ExactBut2Percent, 0, 0, many(49, 0), many(49, 1), "buffer o: word 0 is 0x00000001, want 0x00000000; 1 of 49 words differ"},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := &Param{Name: "o", Buffer: true, Expect: c.want, Compare: c.rule, RTol: c.rtol, ATol: c.atol}
			err := Compare(p, c.got)
			if c.message == "" {
				require.NoError(t, err)
				return
			}
			require.EqualError(t, err, c.message)
		})
	}
}

func TestMismatchFields(t *testing.T) {
	p := &Param{Name: "o", Buffer: true, Expect: words(5, 6)}
	var m *MismatchError
	require.ErrorAs(t, Compare(p, words(5, 7)), &m)
	require.Equal(t, &MismatchError{Param: p, Index: 1, Got: 7, Want: 6, Differ: 1, Total: 2}, m)
}

func TestRuleNames(t *testing.T) {
	require.Equal(t, "exact_but_2_percent", ExactBut2Percent.String())
	require.Equal(t, "Rule(9)", Rule(9).String())
}
