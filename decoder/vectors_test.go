package decoder

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/internal/test/vectors"
	"jacquard/tesla"
)

// vector is one encoding with the reference's view of it on one architecture.
type vector struct {
	name   string
	arch   tesla.Arch
	w0, w1 uint32
	kind   string
	vectors.Reading
}

// readVectors returns every row of a file once per architecture.
func readVectors(t testing.TB, name string) (out []vector) {
	t.Helper()
	list, err := vectors.Read("testdata/" + name)
	require.NoError(t, err)
	for i := range list {
		v := &list[i]
		for _, arch := range tesla.Archs {
			out = append(out, vector{fmt.Sprintf("%s on %s", v, arch), arch, v.Words[0], v.Words[1], v.Kind, v.On[arch]})
		}
	}
	return out
}

// executes reports whether the encoding is an instruction, for graphics or not.
func executes(in tesla.Instruction) bool { return in.Bad == tesla.OK || in.Bad == tesla.BadGraphics }

func TestText(t *testing.T) {
	for _, file := range vectors.Files {
		for _, v := range readVectors(t, file) {
			in := Decode(v.arch, v.w0, v.w1)
			require.Equal(t, v.Valid, executes(in), "%s: %s, want %s", v.name, in, v.Text)
			if v.Valid {
				require.Equal(t, v.Text, in.String(), v.name)
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
	for _, v := range readVectors(t, vectors.Forms) {
		in := Decode(v.arch, v.w0, v.w1)
		switch {
		case v.Valid:
			output := in.Dst.Kind == tesla.Output || in.Src[0].Kind == tesla.Output
			require.Equal(t, output, in.Bad == tesla.BadGraphics, "%s: %s", v.name, in)
		case !badOperation.MatchString(v.Text):
			require.Equal(t, tesla.BadOperand, in.Bad, "%s: want %s", v.name, v.Text)
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
	for _, file := range vectors.Files {
		for _, v := range readVectors(t, file) {
			if v.Valid {
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
	for _, file := range vectors.Files {
		for _, v := range readVectors(t, file) {
			in := Decode(v.arch, v.w0, v.w1)
			if !v.Valid || v.Unused == 0 {
				continue
			}
			without := Decode(v.arch, v.w0&^uint32(v.Unused), v.w1&^uint32(v.Unused>>32))
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
