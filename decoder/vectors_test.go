package decoder

import (
	"compress/gzip"
	"encoding/csv"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/tesla"
)

// variants are the columns of the vector files, with the architecture of each.
var variants = []struct {
	name string
	arch tesla.Arch
}{{"g80", tesla.SM10}, {"g84", tesla.SM11}, {"g200", tesla.SM13}, {"gt215", tesla.SM12}}

// vector is one encoding with the reference disassembly for each variant.
type vector struct {
	w0, w1 uint32
	kind   string
	status string
	text   [4]string
}

// texts strips what the reference says about bits it did not use.
func readVectors(t testing.TB, name string) []vector {
	t.Helper()
	file, err := os.Open("testdata/" + name)
	require.NoError(t, err)
	defer file.Close()
	unzip, err := gzip.NewReader(file)
	require.NoError(t, err)
	rows, err := csv.NewReader(unzip).ReadAll()
	require.NoError(t, err)
	var out []vector
	for _, row := range rows[1:] {
		v := vector{kind: row[2], status: row[3]}
		v.w0, v.w1 = word(t, row[0]), word(t, row[1])
		for i := range v.text {
			v.text[i], _, _ = strings.Cut(row[4+i], " [unknown")
		}
		out = append(out, v)
	}
	return out
}

func word(t testing.TB, s string) uint32 {
	t.Helper()
	if s == "" {
		return 0
	}
	w, err := strconv.ParseUint(s, 16, 32)
	require.NoError(t, err)
	return uint32(w)
}

func TestVectors(t *testing.T) {
	for _, name := range []string{"decode-vectors.csv.gz", "wild-vectors.csv.gz"} {
		bad := 0
		n := 0
		for _, v := range readVectors(t, name) {
			for i, x := range variants {
				n++
				in := Decode(x.arch, v.w0, v.w1)
				got := Text(in)
				ok := got == v.text[i]
				if v.status[i] == 'x' || v.status[i] == 'X' {
					ok = strings.HasPrefix(got, "???") && in.Bad != tesla.OK && in.Bad != tesla.BadGraphics
				} else {
					ok = ok && (in.Bad == tesla.OK || in.Bad == tesla.BadGraphics)
				}
				if !ok {
					if bad++; bad < 40 {
						t.Errorf("%08x %08x %s %c %v: got %q want %q (%v %v)", v.w0, v.w1, x.name, v.status[i], in.Form, got, v.text[i], in.Op, in.Bad)
					}
				}
			}
		}
		t.Log(name, n, bad)
	}
}
