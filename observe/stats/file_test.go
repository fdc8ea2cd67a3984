package stats_test

import (
	"bytes"
	"encoding/csv"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/observe/stats"
	"jacquard/observe/table"
)

// write makes a file of launches and returns its path.
func write(t testing.TB, r *stats.Run, launches ...*stats.Launch) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "s.json")
	w, err := stats.Create(path, r)
	require.NoError(t, err)
	for _, l := range launches {
		require.NoError(t, w.Add(l))
	}
	require.NoError(t, w.Close())
	return path
}

func TestRoundTrip(t *testing.T) {
	a, b, again := launch(t, "a", 40), launch(t, "b", 32), launch(t, "a", 96)
	b.Number, again.Number = 1, 2
	b.Stats.Incomplete, b.Error, b.InStep, b.Overrun, b.Shared = true, "it faulted", "somewhere", "elsewhere", 512
	got, err := stats.Load(write(t, run(), a, b, again))
	require.NoError(t, err)
	require.Nil(t, got.Damage)
	require.Len(t, got.Kernels, 2)
	want := run()
	want.Kernels = []*stats.Kernel{a.Kernel, b.Kernel}
	again.Kernel = a.Kernel
	want.Launches, want.Policies = []*stats.Launch{a, b, again}, []string{"nvidia"}
	require.Equal(t, want, got)
	require.NotZero(t, got.Launches[0].Stats.ByInstruction[2].Issues)
}

// A launch has the number that it was given: numbers may be missing, and launches that ran at the
// same time end in any order. Older files have no numbers.
func TestNumbers(t *testing.T) {
	a, b := launch(t, "a", 40), launch(t, "b", 32)
	a.Number, b.Number = 3, 1
	data, err := os.ReadFile(write(t, run(), a, b))
	require.NoError(t, err)
	older := regexp.MustCompile(`,"number":\d`).ReplaceAll(data, nil)
	require.Less(t, len(older), len(data))
	for text, want := range map[string][]int{string(data): {3, 1}, string(older): {0, 1}} {
		var numbers []int
		_, err := stats.Read(strings.NewReader(text), func(l *stats.Launch) error {
			numbers = append(numbers, l.Number)
			return nil
		})
		require.NoError(t, err)
		require.Equal(t, want, numbers)
	}
}

// One file has the launches of several policies, numbered under each.
func TestPolicies(t *testing.T) {
	r := run()
	r.Policy = ""
	var launches []*stats.Launch
	for i, policy := range []string{"nvidia", "nvidia", "mimd", "nvidia"} {
		l := launch(t, "a", 40)
		l.Policy, l.Number = policy, []int{0, 1, 0, 2}[i]
		launches = append(launches, l)
	}
	got, err := stats.Load(write(t, r, launches...))
	require.NoError(t, err)
	require.Equal(t, []string{"nvidia", "mimd"}, got.Policies)
	for i, l := range got.Launches {
		require.Equal(t, launches[i].Policy, l.Policy)
		require.Equal(t, launches[i].Number, l.Number)
	}
}

func TestWholeAfterEveryLaunch(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.json")
	w, err := stats.Create(path, run())
	require.NoError(t, err)
	for n := range 3 {
		r, err := stats.Load(path)
		require.NoError(t, err)
		require.ErrorContains(t, r.Damage, "the run has no end: its program was killed or goes on")
		require.Len(t, r.Launches, n)
		require.NoError(t, w.Add(launch(t, "a", 32)))
	}
	require.NoError(t, w.Close())
	r, err := stats.Load(path)
	require.NoError(t, err)
	require.Nil(t, r.Damage)
	require.Len(t, r.Launches, 3)
}

// Of a truncated file, everything before the cut is read, and the reader reports the cut.
func TestCutOff(t *testing.T) {
	data, err := os.ReadFile(write(t, run(), launch(t, "a", 40), launch(t, "b", 32)))
	require.NoError(t, err)
	whole, most := 0, 0
	for n := range len(data) - 1 { // the last byte ends the line
		r, err := stats.Read(bytes.NewReader(data[:n]), nil)
		var bad *stats.FormatError
		if err != nil {
			require.ErrorAs(t, err, &bad)
			require.LessOrEqual(t, bad.Offset, int64(n))
			require.Zero(t, whole)
			continue
		}
		whole++
		require.NotNil(t, r.Damage, n)
		require.LessOrEqual(t, r.Damage.Offset, int64(n))
		require.GreaterOrEqual(t, len(r.Launches), most)
		most = len(r.Launches)
	}
	require.Equal(t, 2, most)
	r, err := stats.Read(strings.NewReader(string(data)+"x"), nil)
	require.NoError(t, err)
	require.ErrorContains(t, r.Damage, "follows the end")
}

func TestForeignFiles(t *testing.T) {
	data, err := os.ReadFile(write(t, run(), launch(t, "a", 40)))
	require.NoError(t, err)
	text := string(data)
	for _, c := range []struct{ name, text, want string }{
		{"empty", "", "no statistics file"},
		{"text", "hello", "no statistics file"},
		{"other JSON", `{"a":1}`, "no statistics file"},
		{"a list", `[1]`, "no statistics file"},
		{"other records", `{"format":"x","records":[]}`, "its format is"},
		{"later version", strings.Replace(text, `"version":1`, `"version":9`, 1), "version is 9"},
		{"records of another kind", strings.Replace(text, `"records":[`, `"records":{`, 1), "no list"},
		{"unknown kernel", strings.Replace(text, `"launch":{"kernel":0`, `"launch":{"kernel":7`, 1), "kernel 7"},
		{"negative kernel", strings.Replace(text, `"launch":{"kernel":0`, `"launch":{"kernel":-1`, 1), "kernel -1"},
		{"negative number", strings.Replace(text, `"number":0`, `"number":-1`, 1), "numbers that cannot be"},
		{"other code", strings.Replace(text, `"1001800500000003"`, `"1001800500000007"`, 1), "hashed"},
		{"no words", strings.Replace(text, `"1001800500000003"`, `"10018005000003"`, 1), "words"},
		{"no architecture", strings.Replace(text, `"sm_13"`, `"sm_99"`, 1), "sm_99"},
		{"lanes of too few", strings.Replace(text, `"instruction_lanes":[[`, `"instruction_lanes":[[0,1]],"x":[[`, 1), "lanes of 1"},
		{"lanes beyond a warp", strings.Replace(text, `"instruction_lanes":[[`, `"instruction_lanes":[[33,1,`, 1), "impossible"},
		{"a column too short", strings.Replace(text, `"issues":[`, `"issues":[1],"x":[`, 1), `"issues" for 1`},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := stats.Read(strings.NewReader(c.text), nil)
			var bad *stats.FormatError
			require.ErrorAs(t, err, &bad)
			require.ErrorContains(t, err, c.want)
		})
	}
}

func TestReadEach(t *testing.T) {
	path := write(t, run(), launch(t, "a", 40), launch(t, "b", 32))
	f, err := os.Open(path)
	require.NoError(t, err)
	defer f.Close()
	enough := errors.New("enough")
	var names []string
	_, err = stats.Read(f, func(l *stats.Launch) error {
		names = append(names, l.Kernel.Name)
		return enough
	})
	require.ErrorIs(t, err, enough)
	require.Equal(t, []string{"a"}, names)
}

// Without file locks, a writer stops once another process has changed the file.
func TestOverwrittenFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.json")
	a, err := stats.Create(path, run())
	require.NoError(t, err)
	defer a.Close()
	require.NoError(t, a.Add(launch(t, "a", 32)))
	require.NoError(t, os.Truncate(path, 10))
	require.ErrorContains(t, a.Add(launch(t, "a", 32)), "another process")
	require.ErrorContains(t, a.Add(launch(t, "a", 32)), "nothing more is written")
}

// full returns the name of a file whose disk is full.
func full(t *testing.T, name string) string {
	t.Helper()
	if _, err := os.Stat("/dev/full"); err != nil {
		t.Skipf("no /dev/full: %v", err)
	}
	path := filepath.Join(t.TempDir(), name)
	require.NoError(t, os.Symlink("/dev/full", path))
	return path
}

func TestFullDisk(t *testing.T) {
	for _, name := range []string{"s.json", "s.csv", "s.parquet"} {
		target, err := stats.ParseTarget(full(t, name))
		require.NoError(t, err)
		w, err := target.Create(run())
		require.NoError(t, err)
		require.ErrorContains(t, w.Err(), "no space left on device; nothing more is written")
		require.Equal(t, w.Err(), w.Add(launch(t, "a", 32)))
		require.ErrorIs(t, w.Close(), syscall.ENOSPC)
	}
}

// A message that is too long is cut between characters, so that a reader takes the file.
func TestLongMessage(t *testing.T) {
	l := launch(t, "a", 32)
	l.Error = "x" + strings.Repeat("é", 1<<13)
	r, err := stats.Load(write(t, run(), l))
	require.NoError(t, err)
	require.Nil(t, r.Damage)
	require.Equal(t, l.Error[:1<<14-1], r.Launches[0].Error)
}

func TestCreateErrors(t *testing.T) {
	_, err := stats.Create(filepath.Join(t.TempDir(), "none", "s.json"), run())
	require.ErrorIs(t, err, os.ErrNotExist)
	_, err = stats.Load(filepath.Join(t.TempDir(), "s.json"))
	require.ErrorIs(t, err, os.ErrNotExist)
}

func TestCSV(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.csv")
	target, err := stats.ParseTarget(path)
	require.NoError(t, err)
	require.Equal(t, stats.Target{Path: path, Kind: stats.CSV}, target)
	w, err := target.Create(run())
	require.NoError(t, err)
	require.NoError(t, w.Add(launch(t, "a,b", 40)))
	second := launch(t, "c", 32)
	second.Number = 1
	require.NoError(t, w.Add(second))
	require.NoError(t, w.Close())
	data, err := os.ReadFile(path)
	require.NoError(t, err)
	rows, err := csv.NewReader(bytes.NewReader(data)).ReadAll()
	require.NoError(t, err)
	require.Len(t, rows, 1+2*3)
	require.Equal(t, table.Names(), rows[0][:len(table.Names())])
	at := map[string]int{}
	for i, name := range rows[0] {
		at[name] = i
	}
	for name, want := range map[string]string{
		"policy": "nvidia", "launch": "0", "kernel": "a,b", "arch": "sm_13", "device": "gtx280", "grid_x": "1", "block_x": "40", "block_y": "1", "pc": "8",
		"incomplete": "0", "op": "IAdd", "class": "integer", "instruction": "add b32 $r2 $r2 $r2", "issues": "2", "threads": "40", "off": "0", "active_lanes": "8:1 32:1",
	} {
		require.Equal(t, want, rows[2][at[name]], name)
	}
	require.Equal(t, "1", rows[4][at["launch"]])
}

func TestParseTarget(t *testing.T) {
	for _, c := range []struct {
		text string
		want stats.Target
	}{
		{"a.json", stats.Target{Path: "a.json", Kind: stats.JSON}},
		{"b/A.JSON", stats.Target{Path: "b/A.JSON", Kind: stats.JSON}},
		{"a.csv", stats.Target{Path: "a.csv", Kind: stats.CSV}},
		{"a.parquet", stats.Target{Path: "a.parquet", Kind: stats.Parquet}},
		{"a:b.json:tags", stats.Target{Path: "a:b.json", Kind: stats.JSON, Tags: true}},
		{"a.csv:costs", stats.Target{Path: "a.csv", Kind: stats.CSV, Costs: true}},
		{"a.json:tags:costs", stats.Target{Path: "a.json", Kind: stats.JSON, Tags: true, Costs: true}},
	} {
		target, err := stats.ParseTarget(c.text)
		require.NoError(t, err)
		require.Equal(t, c.want, target)
		require.Equal(t, c.text, target.String())
		absolute, err := target.Absolute()
		require.NoError(t, err)
		require.True(t, filepath.IsAbs(absolute.Path))
		require.Equal(t, filepath.Base(target.Path), filepath.Base(absolute.Path))
	}
	for _, text := range []string{"", "json", "a.txt", "a.json/", "on", "a.json:tags:tags", "a.json:cost", "barra:a"} {
		_, err := stats.ParseTarget(text)
		var bad *stats.TargetError
		require.ErrorAs(t, err, &bad)
		require.ErrorContains(t, err, ".json")
	}
}

// A file that cannot be read is not taken for one of another format.
func TestUnreadable(t *testing.T) {
	_, err := stats.Load(t.TempDir())
	require.ErrorContains(t, err, "is a directory")
}

// Files that are read as one number their launches on.
func TestSeries(t *testing.T) {
	var s stats.Series
	var numbers []int
	each := func(l *stats.Launch) error { numbers = append(numbers, l.Number); return nil }
	a, b := launch(t, "a", 32), launch(t, "b", 32)
	b.Number = 1
	path := write(t, run(), a, b)
	for range 2 {
		_, err := s.LoadEach(path, each)
		require.NoError(t, err)
	}
	require.Equal(t, []int{0, 1, 2, 3}, numbers)
	_, err := s.LoadEach(path+".none", each)
	require.ErrorIs(t, err, os.ErrNotExist)
}
