package sfu

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/csv"
	"encoding/hex"
	"flag"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

var all = flag.Bool("all", false, "check the digests of all 2^32 inputs of each function, not of a sample")

// sample are the first bytes of the inputs checked without -all: around 1, and negative numbers of
// magnitude 32 to 128.
var sample = map[string]bool{"3f": true, "c2": true}

// digest is one row of the golden file: the hash of the results for 2^24 inputs.
type digest struct {
	first uint32
	want  string
}

// TestDigests compares the row functions, in chunks of 2^24 inputs, with the digests of
// the reference model. Compositions such as sin(presin) are functions of an ordinary f32.
func TestDigests(t *testing.T) {
	if testing.Short() {
		t.Skip("digests take seconds")
	}
	rows := map[string]func(d, a *Row){}
	for _, f := range functions() {
		rows[f.name] = f.row
	}
	digests := readDigests(t)
	for _, name := range slices.Sorted(maps.Keys(digests)) {
		outer, inner, composed := strings.Cut(strings.TrimSuffix(name, ")"), "(")
		require.Contains(t, rows, outer)
		row, before := rows[outer], rows[inner]
		require.Equal(t, composed, before != nil, name)
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			buffer := make([]byte, 4<<24)
			for _, d := range digests[name] {
				evaluate(buffer, d.first, row, before)
				sum := sha256.Sum256(buffer)
				require.Equal(t, d.want, hex.EncodeToString(sum[:]), "from %08x", d.first)
			}
		})
	}
}

// readDigests returns the digests to check, by function.
func readDigests(t *testing.T) map[string][]digest {
	t.Helper()
	file, err := os.Open("../testdata/vectors/sfu-exhaustive.csv")
	require.NoError(t, err)
	defer file.Close()
	records, err := csv.NewReader(file).ReadAll()
	require.NoError(t, err)
	require.Len(t, records, 1+11*256)
	digests := map[string][]digest{}
	for _, r := range records[1:] {
		if *all || sample[r[1][:2]] {
			first, err := strconv.ParseUint(r[1], 16, 32)
			require.NoError(t, err)
			digests[r[0]] = append(digests[r[0]], digest{uint32(first), r[3]})
		}
	}
	return digests
}

func evaluate(buffer []byte, start uint32, row, before func(d, a *Row)) {
	for i := 0; i < len(buffer); i += 4 * len(Row{}) {
		var a Row
		for lane := range a {
			a[lane] = start + uint32(i/4+lane)
		}
		if before != nil {
			before(&a, &a)
		}
		row(&a, &a)
		for lane, word := range a {
			binary.LittleEndian.PutUint32(buffer[i+4*lane:], word)
		}
	}
}

// TestSquare compares the fast square with the bit by bit one, for all arguments.
func TestSquare(t *testing.T) {
	for x := range uint32(1 << 17) {
		if square(x) != squareByBits(x) {
			require.Equal(t, squareByBits(x), square(x), "%05x", x)
		}
	}
}
