package cli_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const vectorHeader = "op,mods,a,b,c,cc_in,r,cc_out,r2\n"

func TestProbeOp(t *testing.T) {
	require.Equal(t, vectorHeader+"add,b32,ffffffff,00000001,,,00000000,5,\n", fine(t, "probe", "--op", "add b32", "ffffffff", "00000001"))
	require.Equal(t, vectorHeader+"addc,b32,00000000,00000001,,4,00000002,0,\n", fine(t, "probe", "--op", "addc b32", "--flags", "4", "--arch", "sm_10", "00000000", "00000001"))
}

func TestProbeVectors(t *testing.T) {
	const rows = vectorHeader + "add,b32,ffffffff,00000001,,,00000000,5,\nfmul,rn zerowins,3f800000,3f800000,,,3f800000,0,\ndadd,rn,3ff0000000000000,3ff0000000000000,,,4000000000000000,0,\n"
	path, out := temporary(t, "x.csv", rows), filepath.Join(t.TempDir(), "out.csv")
	require.Equal(t, "left out: fmul rn zerowins 3f800000 3f800000: no program can set the mode bit zerowins\n3 rows: 2 as wanted, 0 otherwise, 1 left out\n",
		fine(t, "probe", "--vectors", path, "-o", out))
	written, err := os.ReadFile(out)
	require.NoError(t, err)
	require.Equal(t, strings.Replace(rows, "fmul,rn zerowins,3f800000,3f800000,,,3f800000,0,\n", "", 1), string(written))
	require.Contains(t, fine(t, "probe", "--vectors", path, "--arch", "sm_10"), "3 rows: 1 as wanted, 0 otherwise, 2 left out\n")

	a := jacquard("probe", "--vectors", temporary(t, "x.csv", strings.Replace(rows, "00000000,5", "00000001,5", 1)))
	require.Equal(t, 1, a.status)
	require.Contains(t, a.out, "add b32 ffffffff 00000001: got 00000000 flags 5, want 00000001 flags 5\n")
}

func TestProbeErrors(t *testing.T) {
	const which = "jacquard probe wants either --op or --vectors: see jacquard probe --help"
	for _, c := range []struct {
		args   []string
		status int
		want   string
	}{
		{[]string{"probe"}, 2, which},
		{[]string{"probe", "--op", "add b32", "--vectors", "x"}, 2, which},
		{[]string{"probe", "--op", "add b32"}, 2, "jacquard probe wants one to three operands: see jacquard probe --help"},
		{[]string{"probe", "--vectors", "x", "1"}, 2, `jacquard probe: unexpected argument "1": want no operands with --vectors`},
		{[]string{"probe", "--op", "sqrt", "00000000"}, 2, `--op: unknown operation "sqrt"`},
		{[]string{"probe", "--op", "add b32", "z"}, 2, `a "z" is no hexadecimal number of up to 64 bits`},
		{[]string{"probe", "--op", "add b32", "--arch", "sm_20", "0"}, 2, `--arch: unknown architecture "sm_20": want sm_10, sm_11, sm_12 or sm_13`},
		{[]string{"probe", "--op", "add b32", "--against", "none.so", "0"}, 1, `/none.so: there is no such file`},
	} {
		a := jacquard(c.args...)
		require.Equal(t, c.status, a.status)
		require.Contains(t, a.err, c.want)
	}
}

// A copy of the simulator's library stands for a board.
func TestProbeAgainst(t *testing.T) {
	dir := simulator(t)
	library, err := os.ReadFile(filepath.Join(dir, "libcuda.so.1"))
	require.NoError(t, err)
	other := filepath.Join(t.TempDir(), "libcuda.so.1")
	require.NoError(t, os.WriteFile(other, library, 0o777))
	require.Equal(t, "3040 rows: 3040 as wanted, 0 otherwise, 0 left out\n", fine(t, "probe", "--against", other, "--vectors", filepath.Join(root, "testdata/vectors/atom.csv.gz")))
}
