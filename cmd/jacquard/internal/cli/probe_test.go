package cli_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/board/probe"
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
	const which = "jacquard probe wants one of --op, --vectors and --list: see jacquard probe --help"
	for _, c := range []struct {
		args   []string
		status int
		want   string
	}{
		{[]string{"probe"}, 2, "jacquard probe wants --op, --vectors, --list or the name of a probe: see jacquard probe --help"},
		{[]string{"probe", "--list", "--op", "x", "0"}, 2, which},
		{[]string{"probe", "none"}, 2, `no probe is called "none": jacquard probe --list has them all`},
		{[]string{"probe", "wide-overflow", "--bundle", "x"}, 2, "probe wide-overflow asks for rows of vectors, which no bundle holds: leave it or --bundle out"},
		{[]string{"probe", "branch-order", "-o", "x"}, 2, "-o goes with --op or --vectors"},
		{[]string{"probe", "branch-order", "--bundle", "-"}, 2, "--bundle -: want a file"},
		{[]string{"probe", "--op", "add b32", "0", "0", "--bundle", "x"}, 2, "--bundle goes with the names of probes"},
		{[]string{"probe", "--vectors", temporary(t, "none.csv", "op,mods,a,b,c,cc_in,r,cc_out,r2\n")}, 1, "nothing was checked"},
		{[]string{"probe", "--vectors", "../../../../testdata/vectors/atom.csv.gz", "--arch", "sm_10"}, 1, "nothing was checked"},
		{[]string{"probe", "vote", "--arch", "sm_10"}, 1, "probe vote is for sm_12 and later, not for sm_10"},
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

func TestProbeNamed(t *testing.T) {
	text := fine(t, "probe", "vote", "--first", "2")
	require.Equal(t, "vote: What does a vote leave in its $c? In the first warp no lane says yes, in the second odd lanes do, in the third all.\n"+
		"The simulator's answer: 2 for true, 1 for false.\nthreads 0-31: any 00000001, all 00000001\nthreads 32-63: any 00000002, all 00000001\nand 32 threads more\n", text)
	path := filepath.Join(t.TempDir(), "p.jqb")
	require.Empty(t, fine(t, "probe", "vote", "texel-u8", "join-on-nothing", "--bundle", path))
	require.Equal(t, "3 launches: 3 identical, 0 different\n", fine(t, "replay", path))
}

// A copy of the simulator's library stands for a board.
func TestProbeAgainst(t *testing.T) {
	dir := simulator(t)
	other := otherBuild(t, dir)
	all := []string{"probe", "--against", other, "--arch", "sm_13"}
	for _, line := range strings.Split(fine(t, "probe", "--list"), "\n") {
		if name, _, ok := strings.Cut(line, " ("); ok && !strings.HasPrefix(line, " ") {
			if !probe.Find(name).Only {
				all = append(all, name)
			}
		}
	}
	probes := len(probe.All()) - 1 // one is for sm_12 alone
	require.Len(t, all, 5+probes)
	text := fine(t, all...)
	require.Equal(t, probes, strings.Count(text, "the board answers the same\n"), text)

	another := otherBuild(t, dir) // a library opens once in a process
	require.Equal(t, "3040 rows: 3040 as wanted, 0 otherwise, 0 left out\n", fine(t, "probe", "--against", another, "--vectors", filepath.Join(root, "testdata/vectors/atom.csv.gz")))
}
