package cli_test

import (
	"encoding/json"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

func vectorFile(name string) string { return filepath.Join(root, "testdata/vectors", name) }

func TestVerify(t *testing.T) {
	require.Equal(t, "9568 passed, 0 failed\n", fine(t, "verify", vectorFile("int.csv.gz")))
	cvt, atom := vectorFile("cvt.csv.gz"), vectorFile("atom.csv.gz")
	require.Equal(t, cvt+": 12065 passed, 0 failed\n"+atom+": 3040 passed, 0 failed\n15105 passed, 0 failed\n", fine(t, "verify", cvt, atom))
	golden(t, "verify-table.txt", fine(t, "verify", "--table", vectorFile("sfu.csv.gz")))
}

func TestVerifyFails(t *testing.T) {
	file := temporary(t, "x.csv", "op,mods,a,b,c,cc_in,r,cc_out,r2\n"+
		"add,b32,00000001,00000002,,,00000004,0,\n"+
		"add,b32,00000001,00000002,,,00000005,0,\n"+
		"addc,b32,00000001,00000002,,4,00000004,0,\n")
	a := jacquard("verify", "--first", "1", file)
	require.Equal(t, answer{1, file + ":2: add b32 00000001 00000002: got 00000003 flags 0, want 00000004 flags 0\n1 passed, 2 failed\n", ""}, a)

	a = jacquard("verify", "--json", "--first", "1", file)
	require.Equal(t, 1, a.status)
	var report struct {
		Passed, Failed int
		Failures       []struct {
			Line           int
			Row, Got, Want string
		}
	}
	require.NoError(t, json.Unmarshal([]byte(a.out), &report))
	require.Equal(t, 1, report.Passed)
	require.Equal(t, 2, report.Failed)
	require.Len(t, report.Failures, 1)
	require.Equal(t, 2, report.Failures[0].Line)
}

func TestVerifyErrors(t *testing.T) {
	file := temporary(t, "x.csv", "op,mods,a,b,c,cc_in,r,cc_out,r2\nfrob,,,,,,,,\n")
	require.Equal(t, answer{1, "", "jacquard: " + file + `: line 2: unknown operation "frob"` + "\n"}, jacquard("verify", file))
	file = temporary(t, "none.csv", "op,mods,a,b,c,cc_in,r,cc_out,r2\n")
	require.Equal(t, answer{1, "0 passed, 0 failed\n", "jacquard: nothing was checked\n"}, jacquard("verify", file))
}
