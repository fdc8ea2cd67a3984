package main

import (
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/study/programs"
)

func TestTolerance(t *testing.T) {
	for _, c := range []struct {
		got, want string
		near      tolerance
		message   string
	}{
		{"a 1.0", "a 1.0", tolerance{}, ""},
		{"a  1.00\n", "a 1.0", tolerance{}, ""},
		{"1.001", "1", tolerance{}, "word 1 of 1 is 1.001, not 1"},
		{"1.001", "1", floats, ""},
		{"-1", "1", floats, "word 1 of 1 is -1, not 1"},
		{"nan", "1", floats, "word 1 of 1 is nan, not 1"},
		{"3", "4", tolerance{absolute: 1}, ""},
		{"b 1", "a 1", floats, "word 1 of 2 is b, not a"},
		{"1", "1 2", floats, "1 words, not 2"},
		{"1 2", "1", floats, "2 words, not 1"},
		{"", "", floats, "there is nothing to compare with"},
	} {
		err := c.near.compare(c.got, c.want)
		if c.message == "" {
			require.NoError(t, err, c.got)
			continue
		}
		require.EqualError(t, err, c.message)
	}
}

func TestProofs(t *testing.T) {
	for _, c := range []struct {
		name, output string
		proof        proof
		message      string
	}{
		{"says", "a PASS b", says("PASS"), ""},
		{"says", "PAS", says("PASS"), `does not print "PASS"`},
		{"lacks", "before bad\n>>verify\ngood\n", lacks("bad", "verify"), ""},
		{"lacks", ">>verify\nbad\n", lacks("bad", "verify"), `prints "bad"`},
		{"lacks", "good\n", lacks("bad", "verify"), `does not print "verify"`},
		{"number", "x: 2e-4", number("x:", -1, 1e-3), ""},
		{"number", "x: 2e-3", number("x:", -1, 1e-3), "x: 2e-3"},
		{"number", "x: nan", number("x:", -1, 1e-3), "x: nan"},
		{"number", "y: 1", number("x:", -1, 1e-3), `does not print "x:"`},
		{"both", "a", both(says("a"), says("b")), `does not print "b"`},
		{"both", "b", both(says("a"), says("b")), `does not print "a"`},
	} {
		err := c.proof.check(&trial{result: &programs.Result{Output: c.output}})
		if c.message == "" {
			require.NoError(t, err, c.name)
			continue
		}
		require.EqualError(t, err, c.message, c.name)
	}
}

func TestPicks(t *testing.T) {
	for _, c := range []struct {
		name         string
		pick         pick
		output, want string
	}{
		{"between", between("from", "to"), "from here\n1 2\nto", "1 2\n"},
		{"last line", lastLine, "a\nb\n", "b"},
		{"without", without("x", lastLine), "a x b", "a  b"},
		{"sorted", sortedLines("->", "d="), "b -> d=1\nno\na -> d=2\n", "a -> 2\n\nb -> 1\n"},
		{"matches", matches, "read 3\n> 0\n1\t2\t3\n[0.1s]\n", "> 0\n1\t2\t3\n"},
		{"values", values, "v = 1\ntime v\nLb = 2\n", "v = 1\nLb = 2\n"},
	} {
		got, err := c.pick(c.output)
		require.NoError(t, err, c.name)
		require.Equal(t, c.want, got, c.name)
	}
	_, err := between("from", "to")("from\n1")
	require.EqualError(t, err, `does not print "to"`)
}

// Two ways lead from node 0 to node 3; node 4 cannot be reached.
func TestNetwork(t *testing.T) {
	const text = "5\n0 2\n2 1\n3 1\n4 0\n4 1\n0\n5\n1 1\n3 1\n2 1\n3 1\n0 1\n"
	g, err := parseNetwork(text)
	require.NoError(t, err)
	require.Equal(t, []int{0, 1, 2, 1, -1}, g.distances())
	for _, c := range []struct{ result, message string }{
		{"0) cost:0\n1) cost:1\n2) cost:2\n3) cost:1\n4) cost:-1\n", ""},
		{"0) cost:0\n1) cost:1\n2) cost:2\n3) cost:3\n4) cost:-1\n", ""}, // the longer way
		{"0) cost:0\n1) cost:1\n2) cost:2\n3) cost:2\n4) cost:-1\n", "no path leads to node 3 at distance 2"},
		{"0) cost:0\n1) cost:-1\n2) cost:2\n3) cost:1\n4) cost:-1\n", "the distance of node 1 is -1, not 1"},
		{"0) cost:0\n1) cost:1\n2) cost:2\n3) cost:1\n4) cost:1\n", "the distance of node 4 is 1, not -1"},
		{"0) cost:0\n", "1 nodes, not 5"},
		{"0) cost:0\n0) cost:1\n2) cost:2\n3) cost:1\n4) cost:-1\n", `node 1: "0) cost:1"`},
	} {
		if err := g.check(c.result); c.message == "" {
			require.NoError(t, err)
		} else {
			require.EqualError(t, err, c.message)
		}
	}
	_, err = parseNetwork("5\n0 2\n")
	require.ErrorContains(t, err, "cut off")
}

func TestGaussian(t *testing.T) {
	x := gaussian(2) // 10 and 10 exp(-0.01)
	require.InDelta(t, 1/(10+9.9004983), x[0], 1e-6)
	require.InDelta(t, x[0], x[1], 1e-12)
}

// Without power, a chip as warm as its surroundings keeps its temperature, and a warmer cell cools.
func TestHeat(t *testing.T) {
	cells := []float64{80, 80, 80, 80}
	require.Equal(t, cells, heat(make([]float64, 4), cells, 2, 3))
	after := heat(make([]float64, 4), []float64{90, 80, 80, 80}, 2, 1)
	require.Less(t, after[0], 90.0)
	require.Greater(t, after[1], 80.0)
	require.Equal(t, after[1], after[2])
	require.Equal(t, 80.0, after[3])
}

func TestMakefile(t *testing.T) {
	dir := t.TempDir()
	_, err := readMakefile(dir)
	require.ErrorIs(t, err, os.ErrNotExist)
	require.NoError(t, write(dir, "Makefile", "CUFILES_sm_13 := a.cu\nCCFILES := \\\n\tb.cpp \\\n\tc.cpp\nPTXFILES := e.cu\nCU_DEPS := d.cu\n"))
	for _, name := range []string{"a.cu", "b.cpp"} {
		require.NoError(t, write(dir, name, ""))
	}
	found, err := readMakefile(dir)
	require.NoError(t, err)
	require.Equal(t, []string{"a.cu", "b.cpp", "src/c.cpp"}, found.sources)
	require.Equal(t, []string{"src/e.cu"}, found.ptx)
	require.NoError(t, write(dir, "Makefile", "all:\n"))
	_, err = readMakefile(dir)
	require.ErrorContains(t, err, "names no sources")
}

// contents returns the texts of all files below a folder, by their paths.
func contents(t *testing.T, folder string) map[string]string {
	t.Helper()
	all := map[string]string{}
	dir := os.DirFS(folder)
	require.NoError(t, fs.WalkDir(dir, ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := fs.ReadFile(dir, path)
		all[path] = string(text)
		return err
	}))
	return all
}

// Inputs are equal each time.
func TestInputs(t *testing.T) {
	for name, in := range map[string]input{
		"P": grids(9), "graph": graph("graph", 20), "text": words("text", 100), "a/image": picture("a/image", 4, 3),
		"list": hurricanes("list", 2, 3), "ref": reads("ref", "qry"),
	} {
		one, two := t.TempDir(), t.TempDir()
		require.NoError(t, in.write(one))
		require.NoError(t, in.write(two))
		require.FileExists(t, filepath.Join(one, name))
		require.Equal(t, contents(t, one), contents(t, two))
	}
	dir := t.TempDir()
	require.NoError(t, graph("graph", 20).write(dir))
	text, err := os.ReadFile(filepath.Join(dir, "graph"))
	require.NoError(t, err)
	_, err = parseNetwork(string(text))
	require.NoError(t, err)
	require.NoError(t, hurricanes("list", 2, 3).write(dir))
	records, err := os.ReadFile(filepath.Join(dir, "cane1.db"))
	require.NoError(t, err)
	require.Len(t, records, 3*49, "a record has 49 bytes")
}
