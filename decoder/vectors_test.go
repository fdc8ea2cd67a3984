package decoder

import (
	"compress/gzip"
	"encoding/csv"
	"fmt"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/tesla"
)

// vectorFiles hold encodings with the text of the reference disassembler: every form and bit, and
// compilers' code.
var vectorFiles = []string{"decode-vectors.csv.gz", "wild-vectors.csv.gz"}

// variants are the columns of the vector files, with the architecture of each.
var variants = [4]struct {
	name string
	arch tesla.Arch
}{{"g80", tesla.SM10}, {"g84", tesla.SM11}, {"g200", tesla.SM13}, {"gt215", tesla.SM12}}

// vector is one encoding with the reference's view of it for one variant.
type vector struct {
	name   string
	arch   tesla.Arch
	w0, w1 uint32
	kind   string
	valid  bool
	text   string
	unused uint64 // bits the reference did not use; meaningful if valid
}

var unusedBits = regexp.MustCompile(`\[unknown: ([0-9a-f]{8}) ?([0-9a-f]{8})?\]`)

// readVectors returns every row of a file once per variant.
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
		for i, x := range variants {
			v := vector{
				name: fmt.Sprintf("%s,%s on %s", row[0], row[1], x.name),
				arch: x.arch, w0: word(t, row[0]), w1: word(t, row[1]),
				kind: row[2], valid: row[3][i] == 'o' || row[3][i] == 'u',
			}
			v.text, _, _ = strings.Cut(row[4+i], " [unknown")
			if m := unusedBits.FindStringSubmatch(row[4+i]); m != nil {
				v.unused = uint64(word(t, m[2]))<<32 | uint64(word(t, m[1]))
			}
			out = append(out, v)
		}
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

// executes reports whether the encoding is an instruction, for graphics or not.
func executes(in tesla.Instruction) bool { return in.Bad == tesla.OK || in.Bad == tesla.BadGraphics }

func TestText(t *testing.T) {
	for _, file := range vectorFiles {
		for _, v := range readVectors(t, file) {
			in := Decode(v.arch, v.w0, v.w1)
			require.Equal(t, v.valid, executes(in), "%s: %s, want %s", v.name, in, v.text)
			if v.valid {
				require.Equal(t, v.text, in.String(), v.name)
			} else {
				require.True(t, strings.HasPrefix(in.String(), "???"), "%s: %s", v.name, in)
			}
		}
	}
}

// In the reference's text of an invalid instruction, "???" stands for the error: the operation or
// something else. A bad condition code prints before the operation.
var badOperation = regexp.MustCompile(`^((exit|join) )?(\((\w+|\?\?\?) ?(\$c\d)?\) )?(\?\?\? )?\?\?\?( |$)`)

func TestBad(t *testing.T) {
	for _, v := range readVectors(t, "decode-vectors.csv.gz") {
		in := Decode(v.arch, v.w0, v.w1)
		switch {
		case v.valid:
			output := in.Dst.Kind == tesla.Output || in.Src[0].Kind == tesla.Output
			require.Equal(t, output, in.Bad == tesla.BadGraphics, "%s: %s", v.name, in)
		case !badOperation.MatchString(v.text):
			require.Equal(t, tesla.BadOperand, in.Bad, "%s: want %s", v.name, v.text)
		case in.Form == 0:
			require.Equal(t, tesla.BadOpcode, in.Bad, v.name)
		default:
			require.Equal(t, tesla.BadOperand, in.Bad, v.name)
		}
	}
}

// Every form of the description occurs in the vectors as a valid instruction.
func TestCoverage(t *testing.T) {
	var hits [tesla.Forms]int
	for _, file := range vectorFiles {
		for _, v := range readVectors(t, file) {
			if v.valid {
				hits[Decode(v.arch, v.w0, v.w1).Form]++
			}
		}
	}
	require.Zero(t, hits[0])
	for f, n := range hits[1:] {
		require.NotZero(t, n, "no vector has form %s", tesla.Form(f+1))
	}
}

// Bits that the reference does not use have no effect, except for two conversions whose hidden bits
// it does not know, and the second codes of quadop's derivatives.
func TestUnusedBits(t *testing.T) {
	for _, file := range vectorFiles {
		for _, v := range readVectors(t, file) {
			in := Decode(v.arch, v.w0, v.w1)
			if !v.valid || v.unused == 0 {
				continue
			}
			without := Decode(v.arch, v.w0&^uint32(v.unused), v.w1&^uint32(v.unused>>32))
			without.Raw = in.Raw
			switch {
			case in.Form.String() == "LA6c" || in.Form.String() == "LA6f":
				in.Mods &^= tesla.Integral
				in.Round, without.Round = 0, 0
			case in.QuadLane >= 6:
				in.QuadLane -= 2
			}
			require.Equal(t, without, in, "%s: %s", v.name, in)
		}
	}
}
