package cli_test

import (
	"bytes"
	"cmp"
	"encoding/json"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"jacquard/internal/outfile"
	"jacquard/libcuda/driver/events"
	"jacquard/observe/bundle"
	"jacquard/observe/stats"
)

// A C program is recorded; its bundle is whole, and is replayed in an empty folder.
func TestRecordAndReplay(t *testing.T) {
	dir := simulator(t)
	path := filepath.Join(t.TempDir(), "run.jqb")
	a := jacquard("record", "-o", path, "--lib", dir, "--", filepath.Join(dir, "vectoradd"))
	require.Zero(t, a.status, a.err)
	require.Contains(t, a.err, "jacquard: "+path+": 1 launch; jacquard replay runs them again\n")

	// The variable alone records too, in place of the old file.
	cmd := exec.Command(filepath.Join(dir, "vectoradd"))
	cmd.Env = append(os.Environ(), "LD_LIBRARY_PATH="+dir, "JACQUARD_RECORD="+path+":kernel=vecadd,launches=1")
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s", out)
	require.Contains(t, fine(t, "info", path), "bundle of 1 launch, up to ")
	require.Contains(t, fine(t, "info", path), "; the program came to its end\n")
	_, err = bundle.Finish(path, bundle.Closing{})
	require.NoError(t, err)

	t.Chdir(t.TempDir())
	require.NoError(t, os.Rename(path, "moved.jqb"))
	require.Equal(t, "1 launch: 1 identical, 0 different\n", fine(t, "replay", "moved.jqb"))
	require.Equal(t, "1 launch: 1 identical, 0 different\n", fine(t, "replay", "--policy", "stackless", "--simd", "off", "--workers", "1", "moved.jqb"))
	info := fine(t, "info", "moved.jqb")
	require.Contains(t, info, "moved.jqb: bundle of 1 launch, up to ")
	require.Contains(t, info, "; the program ended with status 0\n")
	require.Regexp(t, `(?m)^vecadd +sm_10 +gtx280 +1 +\d+ +\d+ +0$`, info)
	var j map[string]any
	require.NoError(t, json.Unmarshal([]byte(fine(t, "info", "--json", "moved.jqb")), &j))
	require.EqualValues(t, 1, j["launches"])
	require.Equal(t, "finished", j["state"])
}

// A replay of some launches writes the files that knobs ask for.
func TestReplayOfSomeLaunches(t *testing.T) {
	path, dir := recorded(t), t.TempDir()
	summary, statistics, trace := filepath.Join(dir, "s.jsonl"), filepath.Join(dir, "s.json"), filepath.Join(dir, "t.jqt")
	require.Equal(t, "1 launch: 1 identical, 0 different\n", fine(t, "replay", "--launches", "0-9", "--digest", "on",
		"--summary", summary, "--stats", statistics, "--trace", trace, path))
	text, err := os.ReadFile(summary)
	require.NoError(t, err)
	require.Contains(t, string(text), `"memory":[{"address":`)
	require.Contains(t, fine(t, "stats", statistics), "vecadd")
	require.Contains(t, fine(t, "trace", "show", "--launches", trace), "launch 0: vecadd")
	for _, none := range [][]string{{"--launches", "1"}, {"--kernel", "other"}} {
		require.Equal(t, answer{1, "0 launches: 0 identical, 0 different\n",
			"jacquard: nothing was compared: no launch of the bundle is chosen\n"}, jacquard(append([]string{"replay", path}, none...)...))
	}
	files := map[string]string{"--summary": summary, "--stats": statistics, "--trace": trace, "--save": filepath.Join(dir, "saved.jqb")}
	for flag, file := range files {
		none := filepath.Join(t.TempDir(), filepath.Base(file))
		require.Equal(t, 1, jacquard("replay", path, "--launches", "1", flag, none).status)
		require.NoFileExists(t, none)
		require.NoError(t, os.WriteFile(file, []byte("mine"), 0o666))
		require.Equal(t, 1, jacquard("replay", path, "--kernel", "other", flag, file).status)
		left, err := os.ReadFile(file)
		require.NoError(t, err)
		require.Equal(t, "mine", string(left), flag)
	}
	for _, bad := range []string{"x", "-1", "3-2", "1-"} {
		a := jacquard("replay", "--launches", bad, path)
		require.Equal(t, 2, a.status)
		require.Contains(t, a.err, "want FROM-TO, counted from 0, or one number")
	}
}

// recorded is the bundle of a run of vecadd: the flag is every command's that runs kernels.
func recorded(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "run.jqb")
	fine(t, vecadd("--record", path)...)
	return path
}

func TestReplayFindsADifference(t *testing.T) {
	good := recorded(t)
	in, err := bundle.Open(good)
	require.NoError(t, err)
	defer in.Close()
	l, err := in.Next()
	require.NoError(t, err)
	require.Len(t, l.Outputs, 1)

	// The same launch with another result: one float is off by one in the last place.
	path := filepath.Join(t.TempDir(), "bad.jqb")
	r, err := bundle.Create(path, bundle.Options{}, nil)
	require.NoError(t, err)
	wrong := *l
	kernel, module := *l.Kernel, *l.Kernel.Module
	kernel.Module, wrong.Kernel = &module, &kernel
	recording := r.Begin(&wrong)
	copy(l.Outputs[0].Object.Bytes, l.Outputs[0].Bytes)
	l.Outputs[0].Object.Bytes[20]++
	recording.End(l.Memory, l.Outcome)
	require.NoError(t, r.Close())
	_, err = bundle.Finish(path, bundle.Closing{})
	require.NoError(t, err)

	a := jacquard("replay", path)
	require.Equal(t, 1, a.status)
	require.Empty(t, a.err)
	require.Equal(t, "launch 0, kernel vecadd, grid 4x1, block 64x1x1: the buffer of 1024 bytes at 0x1800 (parameter 0x8), offset 0x14: "+
		"0x40400000, want 0x40400001 (3, want 3.0000002: 1 ulp); 1 of 256 words differ\n1 launch: 0 identical, 1 different\n", a.out)
	a = jacquard("replay", "--json", path)
	require.Equal(t, 1, a.status)
	require.JSONEq(t, `{"launch":0,"kernel":"vecadd","grid":[4,1],"block":[64,1,1],"same":false,"differences":[{"object":"the buffer of 1024 bytes at 0x1800 (parameter 0x8)",
		"address":"0x1800","offset":20,"got":"0x40400000","want":"0x40400001","ulp":1,"words":1,"of":256}]}`, a.out)
}

// A saved replay is an ordinary bundle.
func TestReplaySave(t *testing.T) {
	path, saved := recorded(t), filepath.Join(t.TempDir(), "saved.jqb")
	require.Equal(t, "1 launch: 1 identical, 0 different\n", fine(t, "replay", "--save", saved, path))
	require.Equal(t, "1 launch: 1 identical, 0 different\n", fine(t, "replay", saved))
	require.Contains(t, fine(t, "info", saved), "; the program ended with status 0\n")
	data, err := os.ReadFile(path)
	require.NoError(t, err)
	end := bytes.LastIndex(data, []byte("JQBF")) // what says that the program ended
	status := temporary(t, "status.jqb", string(data[:end]))
	killed := jacquard("replay", "--save", saved, status)
	require.Equal(t, 1, killed.status)
	require.Contains(t, killed.err, "the recording has no end: its program was killed or goes on: the part before is used\n")
	require.Equal(t, "1 launch: 1 identical, 0 different\n", killed.out)
	require.Contains(t, fine(t, "info", saved), "; the recorder left no end: launches may be missing\n")
	_, err = bundle.Finish(status, bundle.Closing{Status: 3})
	require.NoError(t, err)
	for _, choice := range []string{"--launches=0", "--kernel=vecadd"} {
		fine(t, "replay", choice, "--save", saved, status)
		require.Contains(t, fine(t, "info", saved), "; the program ended with status 3\n", choice)
	}
	require.Equal(t, answer{2, "", "jacquard: --save -: want a file: standard output is for other text\n"}, jacquard("replay", "--save", "-", path))
	a := jacquard("replay", "--save", path, path)
	require.Equal(t, 2, a.status)
	require.Contains(t, a.err, "is a file that is read: name another")
}

// A launch has the number of the recording in all files of a replay.
func TestReplayNumbers(t *testing.T) {
	in, err := bundle.Open(recorded(t))
	require.NoError(t, err)
	defer in.Close()
	l, err := in.Next()
	require.NoError(t, err)
	dir := t.TempDir()
	path, saved := filepath.Join(dir, "seventh.jqb"), filepath.Join(dir, "saved.jqb")
	statistics, traced, summary := filepath.Join(dir, "s.json"), filepath.Join(dir, "t.jqt"), filepath.Join(dir, "s.jsonl")
	r, err := bundle.Create(path, bundle.Options{}, nil)
	require.NoError(t, err)
	l.Number = 7
	r.Begin(l).End(l.Memory, l.Outcome)
	require.NoError(t, r.Close())
	jacquard("replay", "--launches", "7", "--save", saved, "--stats", statistics, "--trace", traced, "--summary", summary, path)
	run, err := stats.Load(statistics)
	require.NoError(t, err)
	require.Equal(t, 7, run.Launches[0].Number)
	record, err := events.Read(summary)
	require.NoError(t, err)
	require.Equal(t, 7, record.Launches[0].Number)
	require.Contains(t, fine(t, "trace", "show", "--launches", traced), "launch 7: vecadd")
	require.Equal(t, "1 launch: 1 identical, 0 different\n", fine(t, "replay", "--launches", "7", saved))
}

// Another copy of the simulator's library stands for a board.
func TestReplayAgainst(t *testing.T) {
	dir := simulator(t)
	other := otherBuild(t, dir)
	path, saved := recorded(t), filepath.Join(t.TempDir(), "board.jqb")
	require.Equal(t, "1 launch on GeForce GTX 280 (sm_13): 1 identical, 0 different\n", fine(t, "replay", "--against", other, "--save", saved, path))
	require.Equal(t, "1 launch: 1 identical, 0 different\n", fine(t, "replay", saved))
	a := jacquard("replay", "--against", path, path)
	require.Equal(t, 1, a.status)
	require.Contains(t, a.err, "this is no library: name a libcuda, as in")
}

// Flags that only the simulator's own launches heed are refused beside another library.
func TestReplayAgainstRefusesFlags(t *testing.T) {
	path := recorded(t)
	for _, flag := range []string{"--stats", "--trace", "--summary", "--policy", "--order", "--digest"} {
		value := map[string]string{"--policy": "pdom", "--order": "instruction", "--digest": "on"}[flag]
		a := jacquard("replay", "--against", "none.so", flag, cmp.Or(value, filepath.Join(t.TempDir(), "x.json")), path)
		require.Equal(t, answer{2, "", "jacquard: --against does not go with " + flag + "\n"}, a)
	}
}

// An interrupted launch is not compared and not saved, and the exit status tells of it.
func TestInterruptedReplay(t *testing.T) {
	path := filepath.Join(t.TempDir(), "endless.jqb")
	require.Equal(t, 1, jacquard("run", "../../../../testdata/c/endless.cubin", "--watchdog", "1000", "--record", path).status)
	for _, s := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM} {
		t.Run(s.String(), func(t *testing.T) {
			signal.Notify(make(chan os.Signal, 1), s) // a signal before or after the replay ends no test
			defer signal.Reset(s)
			ended := make(chan bool)
			go func() {
				for tick := time.NewTicker(50 * time.Millisecond); ; {
					select {
					case <-ended:
						return
					case <-tick.C:
						syscall.Kill(os.Getpid(), s)
					}
				}
			}()
			saved := filepath.Join(t.TempDir(), "saved.jqb")
			a := jacquard("replay", "--watchdog", "0", "--save", saved, path)
			ended <- true
			require.Equal(t, answer{1, "0 launches: 0 identical, 0 different\n", "jacquard: interrupted: not every launch was compared\n"}, a)
			require.Contains(t, fine(t, "info", saved), "bundle of 0 launches, up to 0 bytes of memory; the recorder left no end: launches may be missing\n")
		})
	}
}

// A replay fails if a file that it was to write broke off, and says so once.
func TestReplayDiskFull(t *testing.T) {
	if _, err := os.Stat("/dev/full"); err != nil {
		t.Skip("no /dev/full on this system")
	}
	path, full := recorded(t), filepath.Join(t.TempDir(), "full.json")
	require.NoError(t, os.Symlink("/dev/full", full))
	for _, flag := range []string{"--stats", "--trace", "--summary"} {
		a := jacquard("replay", flag, full, path)
		require.Equal(t, 1, a.status, flag)
		require.Equal(t, "1 launch: 1 identical, 0 different\n", a.out)
		require.Regexp(t, `^jacquard: .*: write .*: no space left on device.*\n$`, a.err)
		require.Equal(t, 1, strings.Count(a.err, "\n"), a.err)
	}
}

func TestReplayOfACutBundle(t *testing.T) {
	path := recorded(t)
	data, err := os.ReadFile(path)
	require.NoError(t, err)
	end := bytes.LastIndex(data, []byte("JQBF")) // what says that the program ended
	data = data[:end]
	require.NoError(t, os.WriteFile(path, append(bytes.Clone(data), data[16:end-3]...), 0o666)) // module and kernel again: not in order
	a := jacquard("replay", path)
	require.Equal(t, 1, a.status)
	require.Contains(t, a.err, ": bundle: offset 0x")
	require.NoError(t, os.WriteFile(path, data[:end-3], 0o666))
	a = jacquard("replay", path)
	require.Equal(t, 1, a.status)
	require.Regexp(t, `^jacquard: .*run.jqb: bundle: offset 0x[0-9a-f]+: the recording breaks off within a launch, after 0 whole ones: the part before is used\njacquard: nothing was compared\n$`, a.err)
	require.Equal(t, "0 launches: 0 identical, 0 different\n", a.out)
	require.Equal(t, path+": bundle of 0 launches, up to 0 bytes of memory; the recording breaks off within a launch\n", fine(t, "info", path))
}

// A colon in the name of a bundle begins no options.
func TestRecordOfNameWithColon(t *testing.T) {
	path := filepath.Join(t.TempDir(), "r:2.jqb")
	dir := simulator(t)
	fine(t, "record", "-q", "-o", path, "--lib", dir, "--", filepath.Join(dir, "vectoradd"))
	require.Contains(t, fine(t, "info", path), "; the program ended with status 0\n")
}

func TestRecordErrors(t *testing.T) {
	for _, c := range []struct {
		args   string
		status int
		want   string
	}{
		{"record", 2, "jacquard record wants a program to run: see jacquard record --help"},
		{"record --launches -1 -- true", 2, "--launches -1: want 0 or more"},
		{"record -o x/ -- true", 2, `--record: unknown value "x/": "x/" names no file: want the path of a file, and perhaps a colon and options`},
		{"run --test --record x ../../../../testdata/mesa-kernels/vecadd", 2, "--record is of one run, and these are 4: choose one test, and a build by --arch"},
		{"replay", 2, "jacquard replay wants one bundle: see jacquard replay --help"},
		{"replay none.jqb", 1, "bundle: open none.jqb: no such file or directory"},
		{"replay record_test.go", 1, "record_test.go: bundle: offset 0x0: this is no bundle"},
	} {
		t.Run(c.args, func(t *testing.T) {
			require.Equal(t, answer{c.status, "", "jacquard: " + c.want + "\n"}, jacquard(strings.Fields(c.args)...))
		})
	}
}

// A program that does not use the simulator leaves no bundle. The files of an earlier run stay, and
// do not pass for this run's.
func TestRecordOfNothing(t *testing.T) {
	dir := simulator(t)
	bundle, statistics, trace := recorded(t), counted(t), filepath.Join(t.TempDir(), "t.jqt")
	require.Zero(t, jacquard(vecadd("--trace", trace)...).status)
	var before [][]byte
	for _, path := range []string{bundle, statistics, trace} {
		data, err := os.ReadFile(path)
		require.NoError(t, err)
		require.NoError(t, os.Remove(path)) // this process has it still
		require.NoError(t, os.WriteFile(path, data, 0o666))
		before = append(before, data)
	}
	a := jacquard("record", "-o", bundle, "--stats", statistics, "--trace", trace, "--lib", dir, "--", "true")
	require.Equal(t, "jacquard: TRUE never started the simulator: if nothing above says why, see jacquard doctor TRUE\n"+
		"jacquard: the program wrote no bundle: "+bundle+" is of an earlier run\n"+
		"jacquard: the program wrote no trace: "+trace+" is of an earlier run\n"+
		"jacquard: the program wrote no statistics: "+statistics+" is of an earlier run\n",
		regexp.MustCompile(`\S*/true`).ReplaceAllString(a.err, "TRUE"))
	for i, path := range []string{bundle, statistics, trace} {
		data, err := os.ReadFile(path)
		require.NoError(t, err)
		require.Equal(t, before[i], data)
	}
	held, err := outfile.Create(trace)
	require.NoError(t, err)
	defer held.Close()
	require.Contains(t, jacquard("exec", "--trace", held.Name(), "--lib", dir, "--", "true").err,
		"jacquard: the program wrote no trace: another process writes "+held.Name()+"\n")
	none := filepath.Join(t.TempDir(), "b.jqb")
	require.Contains(t, jacquard("record", "-o", none, "--lib", dir, "--", "true").err, "jacquard: the program wrote no bundle\n")
	require.NoFileExists(t, none)
}

// Every process of a program leaves files of its own, although the processes run one after the
// other. The next run replaces the first file.
func TestExecOfProcessesInTurn(t *testing.T) {
	dir, folder := simulator(t), t.TempDir()
	program := filepath.Join(dir, "vectoradd")
	in := func(name string) string { return filepath.Join(folder, name) }
	for range 2 {
		a := jacquard("record", "-o", in("b.jqb"), "--stats", in("s.json"), "--trace", in("t.jqt"), "--lib", dir, "--",
			"/bin/sh", "-c", program+" && "+program+" && "+program)
		require.Zero(t, a.status, a.err)
		for _, suffix := range []string{".json", ".jqt", ".jqb"} {
			files, err := filepath.Glob(in("*" + suffix))
			require.NoError(t, err)
			require.Len(t, files, 3, suffix)
			for _, file := range files {
				require.Regexp(t, regexp.QuoteMeta(file)+`: (\d+ warp-instructions of )?1 launch( of 1 kernel)?; jacquard`, a.err)
				switch suffix {
				case ".jqb":
					require.Contains(t, fine(t, "info", file), "bundle of 1 launch,")
					require.Contains(t, fine(t, "info", file), "; the program ended with status 0\n")
				case ".json":
					require.Contains(t, fine(t, "stats", file), "vecadd")
				}
			}
			for _, file := range files[:2] { // those beside, which have numbers
				require.NoError(t, os.Remove(file))
			}
		}
	}
}

// A process that the program leaves behind keeps its files to itself.
func TestExecOfAProcessThatStays(t *testing.T) {
	dir := simulator(t)
	path := filepath.Join(t.TempDir(), "b.jqb")
	if _, err := exec.LookPath("flock"); err != nil {
		t.Skip("needs flock")
	}
	const script = `flock "$1" sleep 2 >/dev/null 2>&1 & sleep 0.5; echo "\"$1\" \"$1\"" >"$JACQUARD_RUN"`
	a := jacquard("record", "-o", path, "--lib", dir, "--", "/bin/sh", "-c", script, "sh", path)
	require.Zero(t, a.status, a.err)
	require.Contains(t, a.err, "jacquard: "+path+": a process of the program still writes it\n")
}
