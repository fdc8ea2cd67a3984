package study_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/study"
)

// written is a study file with a text, in a folder that has a program and a cubin beside it.
func written(t *testing.T, text string) string {
	t.Helper()
	dir := t.TempDir()
	for _, name := range []string{"prog", "k.cubin"} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), nil, 0o777))
	}
	tests, err := filepath.Abs("../testdata/mesa-kernels")
	require.NoError(t, err)
	require.NoError(t, os.Symlink(tests, filepath.Join(dir, "tests")))
	path := filepath.Join(dir, "s.toml")
	require.NoError(t, os.WriteFile(path, []byte(text), 0o666))
	return path
}

func loaded(t *testing.T, text string) *study.Study {
	t.Helper()
	s, err := study.Load(written(t, text))
	require.NoError(t, err)
	return s
}

// lines returns the commands of all cells.
func lines(s *study.Study) (list []string) {
	for i := range s.Len() {
		list = append(list, s.Cell(i).Line())
	}
	return list
}

const example = `
limit = "90s"
[keep]
statistics = true
trace = "kernel=k"
[matrix]
policy = ["nvidia", "stackless:key=pc"]
[[run]]
program = "./prog"
options = ["-n"]
arguments = [["1"], ["2 3"]]
matrix = { workers = [1, 2], environment = { SIZE = ["s", "l"] } }
passes = { status = 3, text = "PASSED" }
[[run]]
kernel = "k.cubin"
options = ["k", "--block", "64"]
matrix.policy = "tbc"
[[run]]
test = "tests/s*/test.json"
`

func TestCells(t *testing.T) {
	s := loaded(t, example)
	require.Equal(t, "s", s.Name)
	require.Equal(t, 2*2*2*2+1+2*3, s.Len())
	got := lines(s)
	require.Equal(t, []string{
		"JACQUARD_POLICY=nvidia JACQUARD_WORKERS=1 SIZE=s jacquard exec -q -- ./prog -n 1",
		"JACQUARD_POLICY=stackless:key=pc JACQUARD_WORKERS=1 SIZE=s jacquard exec -q -- ./prog -n 1",
		"JACQUARD_POLICY=nvidia JACQUARD_WORKERS=2 SIZE=s jacquard exec -q -- ./prog -n 1",
	}, got[:3])
	require.Equal(t, "JACQUARD_POLICY=stackless:key=pc JACQUARD_WORKERS=2 SIZE=l jacquard exec -q -- ./prog -n '2 3'", got[15])
	require.Equal(t, "JACQUARD_POLICY=tbc JACQUARD_WORKERS=1 jacquard run k.cubin k --block 64", got[16])
	require.Equal(t, "JACQUARD_POLICY=nvidia JACQUARD_WORKERS=1 jacquard run --test --arch sm_13 tests/saxpy/test.json", got[17])

	c := s.Cell(0)
	require.Equal(t, study.Passes{Status: 3, Text: "PASSED"}, c.Passes)
	require.Equal(t, study.Keep{Digests: true, Output: true, Statistics: true, Trace: "kernel=k"}, c.Keep)
	require.InDelta(t, 90, c.Limit, 0)
	require.Equal(t, []string{"exec", "-q", "--lib", "/l", "--", "./prog", "-n", "1"}, c.Command("/l"))
	require.Equal(t, "saxpy", s.Cell(17).Subject)
	require.Len(t, s.Files(), 2+3*2) // each test has its newest build beside it
	require.Equal(t, filepath.Join(s.Dir(), "prog"), s.Files()[0])
}

// Names stay: results of years may lie under them. A cell that is added changes no other.
func TestNamesAreStable(t *testing.T) {
	const few = "[matrix]\npolicy = ['nvidia', 'tbc']\n[[run]]\nkernel = 'k.cubin'\n"
	s := loaded(t, few)
	require.Equal(t, "k.nvidia.628a7cfc82d2ee8b", s.Cell(0).Name)
	require.Equal(t, "628a7cfc82d2ee8b", s.Cell(0).Digest())
	more := loaded(t, "name = 'other'\nlimit = '5s'\n[matrix]\npolicy = ['pdom', 'tbc', 'nvidia']\n[[run]]\nprogram = './prog'\n[[run]]\nkernel = 'k.cubin'\n")
	names := map[string]bool{}
	for i := range more.Len() {
		names[more.Cell(i).Name] = true
	}
	for i := range s.Len() {
		require.Contains(t, names, s.Cell(i).Name)
	}
	// Whatever changes results changes the name.
	kept := loaded(t, "[keep]\nstatistics = true\n"+few)
	require.NotEqual(t, s.Cell(0).Name, kept.Cell(0).Name)
}

func TestAllPolicies(t *testing.T) {
	all := loaded(t, "[matrix]\npolicy = 'all'\n[[run]]\nkernel = 'k.cubin'\n")
	require.Greater(t, all.Len(), 15)
	narrow := loaded(t, "[matrix]\npolicy = ['all:warp=8', 'nvidia']\n[[run]]\nkernel = 'k.cubin'\n")
	require.Equal(t, all.Len()+1, narrow.Len())
}

func TestBuilds(t *testing.T) {
	s := loaded(t, "[[run]]\ntest = 'tests/*/test.json'\nbuild = ['sm_10', 'sm_12']\nname = 'mesa'\n")
	archs := map[string]int{}
	for i := range s.Len() {
		archs[s.Cell(i).Build]++
	}
	require.Len(t, archs, 2)
	require.Less(t, archs["sm_10"], archs["sm_12"]) // not every test has a build for sm_10
}

// A study knows the files of its tests and kernels, but not the files of programs.
func TestFiles(t *testing.T) {
	for text, want := range map[string][]string{
		"test = 'tests/vecadd/test.json'\nbuild = ['sm_10', 'sm_12']": {"tests/vecadd/sm_10.cubin", "tests/vecadd/sm_12.cubin", "tests/vecadd/test.json"},
		"kernel = 'k.cubin'\noptions = ['--arg', 'buf:16:file=a:name=b', '--arg=buf::file=/c', '--arg', 'buf:4:file=/dev/zero', '--expect', 'b=d', '--dump', 'b=e', '--arg', 'buf::file=e']\narguments = [['--expect=arg0=f'], ['--arg', 'buf:4']]": {
			"a", "/c", "d", "f", "k.cubin"},
		"program = './prog'\noptions = ['--arg', 'buf:16:file=a']": {"prog"},
	} {
		path := written(t, "[[run]]\n"+text+"\n")
		s, err := study.Load(path)
		require.NoError(t, err)
		for i, name := range want {
			if !filepath.IsAbs(name) {
				want[i] = filepath.Join(filepath.Dir(path), name)
			}
		}
		require.Equal(t, want, s.Files())
	}
}

// huge returns a matrix of so many axes of ten values.
func huge(axes int) string {
	var b strings.Builder
	b.WriteString("[matrix]\n")
	for i := range axes {
		fmt.Fprintf(&b, "environment.A%d = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]\n", i)
	}
	return b.String()
}

func TestMistakes(t *testing.T) {
	const run = "[[run]]\nkernel = 'k.cubin'\n"
	for _, c := range []struct{ text, want string }{
		{"", "the study runs nothing: want [[run]] with a program, kernel, test or bundle"},
		{"name = \n" + run, "1:8: unexpected character"},
		{run + "colour = 1\n", "3:1: unknown key run.colour"},
		{run + "[matrix]\n\ncolour = ['red']\n", `5:1: "colour" cannot vary: want device, engine, `},
		{run + "[matrix]\nstats = ['on']\n", `4:1: "stats" cannot vary`},
		{run + "[matrix]\npolicy = ['nvidia', 'none']\n", `4:1: unknown divergence policy "none"`},
		{run + "[matrix]\ndevice = ['gtx280', 'gtx280']\n", `4:1: device = "gtx280" is there twice`},
		{run + "[matrix]\ndevice = 'voodoo'\n", `4:1: device = "voodoo": want 8800gtx`},
		{run + "[matrix]\ndevice = []\n", "4:1: no value: want at least one"},
		{run + "[matrix]\nworkers = [1.5]\n", "4:1: 1.5 is no value: want texts or whole numbers"},
		{run + "matrix = { workers = 1, engine = 'warp' }\n", `3:25: engine = "warp": want translate, interp or reference`},
		{run + "[matrix]\nenvironment = 1\n", "4:1: environment: want a table"},
		{run + "[matrix.environment]\nJACQUARD_POLICY = 'tbc'\n", "4:1: JACQUARD_POLICY is a knob"},
		{run + "[[run]]\nname = 'x'\n", "3:3: a [[run]] without what it runs"},
		{run + "program = './prog'\n", "1:3: one [[run]] runs one thing"},
		{run + "split = 3\n", "3:1: split goes with a bundle"},
		{run + "build = ['sm_10']\n", "3:1: build goes with a test"},
		{run + "arguments = []\n", "3:1: arguments = []: want a list of lists"},
		{run + run, "is in the study twice: JACQUARD_WORKERS=1 jacquard run k.cubin"},
		{"limit = 'soon'\n" + run, `1:1: limit = "soon": want a duration`},
		{"[keep]\ntrace = 'colour=1'\n" + run, `2:1: trace = "colour=1": `},
		{"[keep]\ncounts = 'tags'\n" + run, "2:1: counts goes with statistics = true"},
		{"[keep]\nstatistics = true\ncounts = 'all'\n" + run, `3:1: counts = "all": want tags, costs or tags:costs`},
		{"[[run]]\nkernel = 'none'\n", "2:1: stat "},
		{"[[run]]\nprogram = 'no-such-program'\n", `2:1: program = "no-such-program": executable file not found in $PATH`},
		{"[[run]]\ntest = 'none*'\n", `2:1: test = "none*": no file matches`},
		{"[[run]]\ntest = 'tests/histogram/test.json'\nbuild = ['sm_10']\n", "3:1: no test has a build for sm_10"},
		{"[[run]]\nbundle = 'prog'\nsplit = 2\n", "/prog: bundle: offset 0x0: this is no bundle"},
		{"[[run]]\nbundle = 'prog'\nsplit = -2\n", "3:1: split = -2"},
		{"[[run]]\nbundle = 'prog'\nsplit = 0\n", "3:1: split = 0: want the launches of a cell, 1 or more"},
		{"[[run]]\nkernel = 3\n", "2:10: "},
		{run + huge(18), "1:3: the study has 1000000000000000000 cells and more: the most is 1000000; take values from the matrix"},
		{run + huge(30), "1:3: the study has 1000000000000000000000000000000 cells and more"},
	} {
		t.Run(strings.ReplaceAll(c.text, "\n", ";"), func(t *testing.T) {
			path := written(t, c.text)
			_, err := study.Load(path)
			var bad *study.Error
			require.ErrorAs(t, err, &bad)
			require.Contains(t, err.Error(), c.want)
			require.True(t, strings.HasPrefix(err.Error(), path+":"), err.Error())
		})
	}
	_, err := study.Load(filepath.Join(t.TempDir(), "none"))
	require.ErrorIs(t, err, os.ErrNotExist)
}

func ExampleQuote() {
	fmt.Println(study.Quote([]string{"echo", "a b", "", "it's"}))
	// Output: echo 'a b' '' 'it'\''s'
}

// A folder's name is no pattern.
func TestFolderOfPatterns(t *testing.T) {
	dir := filepath.Join(t.TempDir(), `x[1]*\y?`)
	require.NoError(t, os.Mkdir(dir, 0o777))
	for name, text := range map[string]string{"s.toml": "[[run]]\nkernel = 'k*.cubin'\n", "k1.cubin": "", "k2.cubin": ""} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666))
	}
	s, err := study.Load(filepath.Join(dir, "s.toml"))
	require.NoError(t, err)
	require.Equal(t, 2, s.Len())
}
