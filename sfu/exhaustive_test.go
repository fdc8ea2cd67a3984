package sfu

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/csv"
	"encoding/hex"
	"flag"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

var all = flag.Bool("all", false, "check the digests of all 2^32 inputs of each function, not of a sample")

// sample are the first bytes of the inputs that are checked without -all: tiny numbers,
// the neighbourhood of 1, a large argument, an infinity with NaN, negative numbers.
var sample = map[string]bool{"00": true, "3f": true, "7f": true, "c2": true}

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
	file, err := os.Open("../testdata/vectors/sfu-exhaustive.csv")
	require.NoError(t, err)
	defer file.Close()
	records, err := csv.NewReader(file).ReadAll()
	require.NoError(t, err)
	require.Len(t, records, 1+11*256)
	buffer := make([]byte, 4<<24)
	for _, record := range records[1:] {
		name, first, want := record[0], record[1], record[3]
		if !*all && !sample[first[:2]] {
			continue
		}
		start, err := strconv.ParseUint(first, 16, 32)
		require.NoError(t, err)
		outer, inner, composed := strings.Cut(strings.TrimSuffix(name, ")"), "(")
		require.Contains(t, rows, outer)
		var before func(d, a *Row)
		if composed {
			require.Contains(t, rows, inner)
			before = rows[inner]
		}
		evaluate(buffer, uint32(start), rows[outer], before)
		digest := sha256.Sum256(buffer)
		require.Equal(t, want, hex.EncodeToString(digest[:]), "%s from %s", name, first)
	}
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
