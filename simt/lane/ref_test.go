package lane

import (
	"compress/gzip"
	"encoding/csv"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// The columns of a vector file.
const (
	colOp = iota
	colMods
	colA
	colB
	colC
	colCCIn
	colR
	colCCOut
	colR2
)

func readVectors(t *testing.T, name string) [][]string {
	t.Helper()
	file, err := os.Open("../../testdata/vectors/" + name)
	require.NoError(t, err)
	defer file.Close()
	text, err := gzip.NewReader(file)
	require.NoError(t, err)
	rows, err := csv.NewReader(text).ReadAll()
	require.NoError(t, err)
	return rows[1:]
}

// hex reads a field; an empty one is 0.
func hex(t *testing.T, field string) uint64 {
	t.Helper()
	if field == "" {
		return 0
	}
	v, err := strconv.ParseUint(field, 16, 64)
	require.NoError(t, err)
	return v
}

func TestIntVectors(t *testing.T) {
	rows := readVectors(t, "int.csv.gz")
	require.Len(t, rows, 9568)
	for _, row := range rows {
		r, flags, err := RefInt(row[colOp], strings.Fields(row[colMods]),
			uint32(hex(t, row[colA])), uint32(hex(t, row[colB])), uint32(hex(t, row[colC])), uint8(hex(t, row[colCCIn])))
		require.NoError(t, err)
		require.Equalf(t, hex(t, row[colR]), uint64(r), "result %08x of %v", r, row)
		require.Equalf(t, hex(t, row[colCCOut]), uint64(flags), "flags %x of %v", flags, row)
	}
}

func TestAtomicVectors(t *testing.T) {
	rows := readVectors(t, "atom.csv.gz")
	require.Len(t, rows, 3040)
	for _, row := range rows {
		mem, err := RefAtomic(row[colOp], row[colMods], hex(t, row[colA]), hex(t, row[colB]), hex(t, row[colC]))
		require.NoError(t, err)
		require.Equalf(t, hex(t, row[colR]), mem, "%x of %v", mem, row)
		require.Equalf(t, row[colA], row[colR2], "an atomic returns what it found: %v", row)
	}
}

func TestVectorErrors(t *testing.T) {
	for _, test := range []struct{ op, mods, want string }{
		{"frob", "b32", `unknown integer operation "frob"`},
		{"add", "b32 loud", `add: unknown modifier "loud"`},
		{"add", "", `add: no fitting type among the modifiers []`},
		{"add", "u24", `add: no fitting type among the modifiers ["u24"]`},
		{"mul", "u32", `mul: no fitting type among the modifiers ["u32"]`},
	} {
		_, _, err := RefInt(test.op, strings.Fields(test.mods), 0, 0, 0, 0)
		require.EqualError(t, err, test.want)
	}
	_, err := RefAtomic("atom.frob", "u32", 0, 0, 0)
	require.EqualError(t, err, `unknown atomic operation "atom.frob"`)
}
