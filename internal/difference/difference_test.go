package difference_test

import (
	"encoding/binary"
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/internal/difference"
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

func TestFind(t *testing.T) {
	for _, c := range []struct {
		name      string
		got, want []byte
		offset    int
		text      string
	}{
		{"integer", words(1, 2, 3), words(1, 5, 4), 4, "0x00000002, want 0x00000005; 2 of 3 words differ"},
		{"one ulp", floats(1, 2), floats(1, math.Nextafter32(2, 3)), 4, "0x40000000, want 0x40000001 (2, want 2.0000002: 1 ulp); 1 of 2 words differ"},
		{"across zero", floats(-0x1p-40), floats(0x1p-40), 0, "0xab800000, want 0x2b800000 (-9.094947e-13, want 9.094947e-13: 1459617792 ulp); 1 of 1 words differ"},
		{"signed zeros are bits", words(0x80000000, 0), words(0, 0), 0, "0x80000000, want 0x00000000; 1 of 2 words differ"},
		{"double", doubles(1, math.Nextafter(4, 5)), doubles(1, 4), 8, "0x00000001, want 0x00000000 (4.000000000000001, want 4: 1 ulp); 1 of 4 words differ"},
		{"NaN", words(0x7fffffff), words(0x3f800000), 0, "0x7fffffff, want 0x3f800000; 1 of 1 words differ"},
		{"short end", []byte{1, 2, 3, 4, 5}, []byte{1, 2, 3, 4, 6}, 4, "0x00000005, want 0x00000006; 1 of 2 words differ"},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := difference.Find(c.got, c.want)
			require.NotNil(t, d)
			require.Equal(t, c.offset, d.Offset)
			require.Equal(t, c.text, d.String())
			require.Nil(t, difference.Find(c.got, c.got))
		})
	}
}

func TestFindFarIn(t *testing.T) {
	got, want := make([]byte, 100_001), make([]byte, 100_001)
	require.Nil(t, difference.Find(got, want))
	got[50_002], got[100_000] = 1, 1
	d := difference.Find(got, want)
	require.Equal(t, difference.Difference{Offset: 50_000, Got: 1 << 16, GotPair: 1 << 16, Words: 2, Total: 25_001}, *d)
	require.Nil(t, difference.Find(nil, nil))
	require.Panics(t, func() { difference.Find(got, want[1:]) })
}

func TestFindWithSlack(t *testing.T) {
	want := words(1, 2, 3, 4, 5, 6)
	got := words(1, 2, 9, 4, 9, 9)
	require.Equal(t, difference.Find(got, want), difference.FindWithSlack(got, want, 0))
	require.Equal(t, difference.Find(got[:16], want[:16]), difference.FindWithSlack(got, want, 8), "the counts leave out the slack")
	got[8] = 3
	d := difference.FindWithSlack(got, want, 8)
	require.Equal(t, []int{16, 2, 2}, []int{d.Offset, d.Words, d.Total})
	require.Equal(t, uint64(6)<<32|5, d.WantPair)
	d = difference.FindWithSlack(got, want, 5) // a word lies across the end
	require.Equal(t, []int{16, 1}, []int{d.Offset, d.Words})
	// Only the part of the word past the end differs.
	d = difference.FindWithSlack(words(1, 2, 3, 0x01000004, 5, 6), want, 9)
	require.Equal(t, []int{12, 1}, []int{d.Offset, d.Words})
	require.Nil(t, difference.FindWithSlack(want, want, 9))
	require.Nil(t, difference.FindWithSlack(nil, nil, 0))
}
