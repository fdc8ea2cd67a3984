package output

import (
	"encoding/binary"
	"math"
	"testing"

	"github.com/stretchr/testify/require"
)

// packed lays arguments out as compilers do for vprintf.
func packed(values ...any) (b []byte) {
	long := func(x uint64) {
		for len(b)%8 != 0 {
			b = append(b, 0)
		}
		b = binary.LittleEndian.AppendUint64(b, x)
	}
	for _, v := range values {
		switch v := v.(type) {
		case rune:
			b = binary.LittleEndian.AppendUint32(b, uint32(v))
		case int:
			b = binary.LittleEndian.AppendUint32(b, uint32(v))
		case uint64:
			long(v)
		case int64:
			long(uint64(v))
		case float64:
			long(math.Float64bits(v))
		}
	}
	return b
}

func text(address uint64) string {
	if address == 16 {
		return "text"
	}
	return Missing(address)
}

func TestFormats(t *testing.T) {
	for _, row := range []struct {
		format string
		args   []byte
		want   string
	}{
		{"plain 100%%\n", nil, "plain 100%\n"},
		{"%d %i %u", packed(-1, 5, -1), "-1 5 4294967295"},
		{"%x %X %o %#x %#o %#x", packed(255, 255, 8, 255, 8, 0), "ff FF 10 0xff 010 0"},
		{"[%5d|%-5d|%05d|%+d|% d|%.3d|%8.3d|%-+6d]", packed(42, 42, 42, 42, 42, 7, 7, 9),
			"[   42|42   |00042|+42| 42|007|     007|+9    ]"},
		{"%+u %hd %hhd %hu", packed(3, 0x18000, 0x1ff, 0x1ffff), "3 -32768 -1 65535"},
		{"%ld %lld %llu %lx %zu", packed(int64(-2), int64(-3), uint64(math.MaxUint64), uint64(1)<<40, uint64(7)),
			"-2 -3 18446744073709551615 10000000000 7"},
		{"%f %.2f %8.3f %-8.1f| %e %g %G", packed(1.5, 2.345, -1.0, 2.0, 12345.678, 1e-10, 1e20),
			"1.500000 2.35   -1.000 2.0     | 1.234568e+04 1e-10 1E+20"},
		{"%g %g %g %.3g %#g %g", packed(100000.0, 1e6, 0.0001, 1234567.0, 1.0, 0.1), "100000 1e+06 0.0001 1.23e+06 1.00000 0.1"},
		{"%f %F %5e|%+f|%05f", packed(math.Inf(1), math.Inf(-1), math.NaN(), math.Inf(1), math.Inf(1)), "inf -INF   nan|+inf|  inf"},
		{"%a %A %.1a", packed(1.5, -3.0, 1.0), "0x1.8p+0 -0X1.8P+1 0x1.0p+0"},
		{"%c%c|%3c|%-3c|", packed('a', 'b', 'c', 'd'), "ab|  c|d  |"},
		{"%s|%6s|%-6s|%.2s", packed(uint64(16), uint64(16), uint64(16), uint64(16)), "text|  text|text  |te"},
		{"%s %s", packed(uint64(0), uint64(1)), "(null) (no string at 0x1)"},
		{"%p %p", packed(uint64(0), uint64(0xabc)), "(nil) 0xabc"},
		{"%*d|%-*d|%.*f|%*d", packed(5, 1, 4, 2, 1, 2.25, -3, 6), "    1|2   |2.2|6  "},
		{"%d %d %f", packed(1), "1 0 0.000000"},
		{"%", nil, "%"}, {"%y %d", packed(1), "%y 1"}, {"%5", nil, "%5"}, {"%l", nil, "%l"}, {"a%n%d", packed(uint64(0), 1), "a1"},
		{"%999999999999d", packed(1), string(append(fill(mostPadding-1), '1'))},
	} {
		require.Equal(t, row.want, string(Append(nil, row.format, 8, row.args, text)), row.format)
	}
	require.Equal(t, "-2 3", string(Append(nil, "%ld %lld", 4, packed(-2, int64(3)), text)))
}

func fill(n int) (b []byte) {
	for range n {
		b = append(b, ' ')
	}
	return b
}

func TestSizes(t *testing.T) {
	for format, want := range map[string][]int{
		"": nil, "100%%": nil, "%d": {4}, "%5.2f%%": {8}, "%*d %s": {4, 4, 8}, "%lld %hd %zu": {8, 4, 8},
		"%": nil, "%c%p": {4, 8}, "%-+ #08x": {4}, "%.*f": {4, 8},
	} {
		require.Equal(t, want, Sizes(format, 8), format)
	}
	require.Equal(t, []int{4, 4, 8, 4}, Sizes("%s %ld %lld %d", 4))
	require.Equal(t, 24, Bytes([]int{4, 8, 4}[:3])+4)
}

func TestRecords(t *testing.T) {
	word := func(b []byte, all ...uint32) []byte {
		for _, w := range all {
			b = binary.LittleEndian.AppendUint32(b, w)
		}
		return b
	}
	b := word(nil, 44, 3, 0, 0, Mark, 16, 5, 7)
	b = word(b, 0, 12, 5)       // not finished
	b = word(b, Mark, 16, 6, 8) // complete
	b = word(b, Mark, 1<<31, 6) // behind the requested bytes
	list, lost := Records(b)
	require.Equal(t, 3, lost)
	require.Equal(t, []Record{{false, 5, word(nil, 7)}, {false, 6, word(nil, 8)}}, list)
	for n := range len(b) {
		Records(b[:n])
	}
	list, _ = Records(make([]byte, 64))
	require.Empty(t, list)
}

func FuzzAppend(f *testing.F) {
	f.Add("%5.3f %s%*d", []byte{1, 2, 3, 4, 5, 6, 7, 8})
	f.Add("%", []byte{})
	f.Fuzz(func(t *testing.T, format string, args []byte) {
		for _, pointer := range []int{4, 8} {
			n := len(Append(nil, format, pointer, args, text))
			require.LessOrEqual(t, n, MostText)
			Bytes(Sizes(format, pointer))
		}
	})
}

func TestLongOutput(t *testing.T) {
	format := ""
	for range 100 {
		format += "%4000d"
	}
	require.Len(t, Append([]byte("12"), format, 8, nil, text), MostText+2)
}
