package plain_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"jacquard/internal/plain"
)

func Example() {
	fmt.Println(plain.Text("a\x1b[31mred\u202e\n"))
	// Output: a\u001b[31mred\u202e\u000a
}

func TestText(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"", ""},
		{"reduce<float, 4>", "reduce<float, 4>"},
		{"größe 大きさ حجم ×", "größe 大きさ حجم ×"},
		{"\x00\x07\t\r\n\x1b\x7f", `\u0000\u0007\u0009\u000d\u000a\u001b\u007f`},
		{"\u0080\u009b\u009f", `\u0080\u009b\u009f`},
		{"\u200b\u200e\u200f\u202a\u202e\u2066\u2069\u061c\ufeff\u00ad", `\u200b\u200e\u200f\u202a\u202e\u2066\u2069\u061c\ufeff\u00ad`},
		{"\u2028\u2029\u3164\ufe0f\U000e0041", `\u2028\u2029\u3164\ufe0f\udb40\udc41`},
		{"a\x9b31m\xff\xc3", `a\x9b31m\xff\xc3`},
		{"\ufffd", "\ufffd"},
		{`\u001b`, `\u001b`},
	} {
		require.Equal(t, c.want, plain.Text(c.in))
		require.Equal(t, c.want, plain.Text(plain.Text(c.in)))
	}
}

// Output does not depend on how the input is cut into writes; lines stay lines.
func TestWriter(t *testing.T) {
	const in, want = "k\té\u202e大\U0001f600\U000e0041\x1b\r\n\xe5\xa4z\xf0\x9f", "k\té\\u202e大\U0001f600\\udb40\\udc41\\u001b\\u000d\n\\xe5\\xa4z\\xf0\\x9f"
	for size := 1; size <= len(in); size++ {
		var out bytes.Buffer
		w := plain.NewWriter(&out)
		for rest := []byte(in); len(rest) > 0; {
			n := min(size, len(rest))
			written, err := w.Write(rest[:n])
			require.NoError(t, err)
			require.Equal(t, n, written)
			rest = rest[n:]
		}
		require.NoError(t, w.Flush())
		require.NoError(t, w.Flush())
		require.Equal(t, want, out.String(), size)
	}
	_, err := plain.NewWriter(full{}).Write([]byte("a"))
	require.ErrorIs(t, err, io.ErrShortWrite)
}

type full struct{}

func (full) Write([]byte) (int, error) { return 0, io.ErrShortWrite }

// JSON keeps its meaning through a Writer.
func TestJSON(t *testing.T) {
	for r := rune(1); r < 0x20000; r++ {
		if !utf8.ValidRune(r) {
			continue
		}
		name := "a" + string(r) + "b"
		var out bytes.Buffer
		require.NoError(t, json.NewEncoder(plain.NewWriter(&out)).Encode(name))
		var got string
		require.NoError(t, json.Unmarshal(out.Bytes(), &got))
		if name != got {
			t.Fatalf("%q became %q", name, got)
		}
	}
}

type named struct{}

func (named) String() string { return "\x1bn" }

func TestFprintf(t *testing.T) {
	var out bytes.Buffer
	_, err := plain.Fprintf(&out, "%s|%8s|%-8s|%v|%q|%d|%5.1f|%v|%v|%x\n", "a\n", "\t", "b", errors.New("e\x1b"), "q\u202e", 7, 1.25, named{}, []string{"\r"}, []byte{1, 2})
	require.NoError(t, err)
	require.Equal(t, `a\u000a|  \u0009|b       |e\u001b|"q\u202e"|7|  1.2|\u001bn|[\u000d]|0102`+"\n", out.String())
	require.Equal(t, `\u001bn 3`, plain.Sprintf("%v %d", named{}, 3))
}
