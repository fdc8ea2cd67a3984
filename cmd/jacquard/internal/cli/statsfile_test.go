package cli_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"
	"github.com/stretchr/testify/require"

	"jacquard/internal/outfile"
	"jacquard/observe/stats"
	"jacquard/simt"
)

// counted runs vecadd with a statistics file and returns its path.
func counted(t *testing.T, more ...string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "s.json")
	a := jacquard(append(vecadd("--stats", path), more...)...)
	require.Zero(t, a.status, a.err)
	require.Equal(t, "jacquard: "+path+": 1 launch of 1 kernel; jacquard stats sums them up\n", a.err)
	return path
}

func TestRunStats(t *testing.T) {
	path := counted(t)
	r, err := stats.Load(path)
	require.NoError(t, err)
	require.Nil(t, r.Damage)
	require.Equal(t, "sm_10.cubin", filepath.Base(r.Program))
	require.Equal(t, []string{"gtx280"}, r.Devices)
	require.Len(t, r.Launches, 1)
	require.EqualValues(t, 128, r.Launches[0].Stats.WarpInstructions)

	csv := filepath.Join(t.TempDir(), "s.csv")
	require.Zero(t, jacquard(vecadd("--stats", csv)...).status)
	data, err := os.ReadFile(csv)
	require.NoError(t, err)
	require.Regexp(t, `(?m)^policy,device,arch,kernel,launch,.*\nnvidia,gtx280,sm_13,vecadd,0,4,1,64,1,1,`, string(data))

	table := filepath.Join(t.TempDir(), "s.parquet")
	require.Zero(t, jacquard(vecadd("--stats", table)...).status)
	rows, err := parquet.ReadFile[struct {
		Kernel string `parquet:"kernel"`
		Issues int64  `parquet:"issues"`
	}](table)
	require.NoError(t, err)
	require.Len(t, rows, 16)
	for _, row := range rows {
		require.Equal(t, "vecadd", row.Kernel)
		require.EqualValues(t, 8, row.Issues)
	}
}

// A run sums up its own files, and does not touch files that another process writes.
func TestRunBesideAnotherProcess(t *testing.T) {
	for flag, path := range map[string]string{"--stats": counted(t), "--trace": filepath.Join(t.TempDir(), "t.jqt"), "--record": recorded(t)} {
		if flag == "--trace" {
			require.Zero(t, jacquard(vecadd(flag, path)...).status)
		}
		before, err := os.ReadFile(path)
		require.NoError(t, err)
		other, err := outfile.Create(path + ".other") // has what an earlier run left
		require.NoError(t, err)
		_, err = other.Write(before)
		require.NoError(t, err)
		require.NoError(t, os.Rename(other.Name(), path))

		a := jacquard(vecadd(flag, path)...)
		require.Zero(t, a.status, a.err)
		require.Contains(t, a.err, "jacquard: another process has "+path+": ")
		require.NotContains(t, a.err, "jacquard: "+path+": ")
		suffix := filepath.Ext(path)
		own := fmt.Sprintf("%s.%d%s", strings.TrimSuffix(path, suffix), os.Getpid(), suffix)
		if flag == "--record" {
			require.Contains(t, fine(t, "info", own), "; the program ended with status 0\n")
		} else {
			require.Regexp(t, regexp.QuoteMeta("jacquard: "+own+": ")+".*1 launch", a.err)
		}
		after, err := os.ReadFile(path)
		require.NoError(t, err)
		require.Equal(t, before, after)
		require.NoError(t, other.Close())
	}
	require.Empty(t, os.Getenv(outfile.RunVariable))
}

// A run within a run keeps to the list of that.
func TestRunWithinARun(t *testing.T) {
	list, path := temporary(t, "list", ""), filepath.Join(t.TempDir(), "s.json")
	t.Setenv(outfile.RunVariable, list)
	require.Contains(t, jacquard(vecadd("--stats", path)...).err, "jacquard: "+path+": 1 launch")
	own := fmt.Sprintf("%s.%d.json", strings.TrimSuffix(path, ".json"), os.Getpid())
	require.Contains(t, jacquard(vecadd("--stats", path)...).err, "jacquard: "+own+": 1 launch")
	begun, err := outfile.Files(list)
	require.NoError(t, err)
	require.Equal(t, []outfile.Begun{{Asked: path, Path: path}, {Asked: path, Path: own}}, begun)
}

// Operands are counted on request, a trace at the same time or not.
func TestRunStatsWithTags(t *testing.T) {
	dir := t.TempDir()
	var path string
	for i, more := range [][]string{nil, {"--trace", filepath.Join(dir, "t.jqt")}, {"--workers", "3"}} {
		path = filepath.Join(dir, strconv.Itoa(i)+".json") // each is taken as long as this process lives
		a := jacquard(append(vecadd("--stats", path+":tags"), more...)...)
		require.Zero(t, a.status, a.err)
		require.Contains(t, a.err, "1 launch of 1 kernel")
		r, err := stats.Load(path)
		require.NoError(t, err)
		var sum simt.Operands
		for _, s := range r.Launches[0].Stats.ByInstruction {
			sum.Add(&s.Operands, 1)
		}
		require.Equal(t, simt.Operands{Reads: 120, ReadsUniform: 16, ReadsAffine: 80, Writes: 88, WritesUniform: 16, WritesAffine: 48}, sum, more)
	}
	require.Regexp(t, `conflicts +uniform +affine\nvecadd .* 13\.3 % +66\.7 %\n`, fine(t, "stats", path))
	r, err := stats.Load(counted(t))
	require.NoError(t, err)
	require.Zero(t, r.Launches[0].Stats.ByInstruction[1].Operands)
}

func TestRunStatsErrors(t *testing.T) {
	a := jacquard(vecadd("--stats", "s.txt")...)
	require.Equal(t, 2, a.status)
	require.Contains(t, a.err, `--stats: unknown value "s.txt": want on, off or a file that ends in .json, .csv or .parquet, with :tags behind it to count uniform and affine operands or :costs to count replays and spills`)
	a = jacquard(vecadd("--stats", filepath.Join(t.TempDir(), "none", "s.json"))...)
	require.Equal(t, 1, a.status)
	require.Contains(t, a.err, "no such file or directory")
}

// The statistics of several tests are in one file, each launch with its device and policy.
func TestRunTestsStats(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.json")
	a := jacquard("run", "--test", kernel("vecadd", "."), kernel("saxpy", "."), "--policy", "stackless", "--stats", path)
	require.Zero(t, a.status)
	require.Equal(t, "jacquard: "+path+": 8 launches of 8 kernels; jacquard stats sums them up\n", a.err)
	require.Contains(t, a.out, "8 passed, 0 failed\n")
	r, err := stats.Load(path)
	require.NoError(t, err)
	devices := map[string]bool{}
	for i, l := range r.Launches {
		require.Equal(t, i, l.Number)
		require.Equal(t, "stackless", l.Policy)
		devices[l.Device] = true
	}
	require.Len(t, devices, 4)
}

// The library writes the file, whatever folder the program changes to.
func TestExecStats(t *testing.T) {
	dir := simulator(t)
	t.Chdir(t.TempDir())
	t.Setenv("JACQUARD_STATS", "s.json")
	a := jacquard("exec", "--lib", dir, "--", "/bin/sh", "-c", "cd / && "+filepath.Join(dir, "vectoradd"))
	require.Zero(t, a.status, a.err)
	require.Contains(t, a.err, "s.json: 1 launch of 1 kernel; jacquard stats sums them up\n")
	r, err := stats.Load("s.json")
	require.NoError(t, err)
	require.Equal(t, filepath.Join(dir, "vectoradd"), r.Program)
	require.EqualValues(t, 5017, r.Launches[0].Stats.WarpInstructions)
	require.EqualValues(t, 160384, r.Launches[0].Stats.ThreadInstructions)

	// A folder keeps its name, whatever that is.
	folder := filepath.Join(t.TempDir(), "100%pure")
	require.NoError(t, os.Mkdir(folder, 0o777))
	t.Chdir(folder)
	a = jacquard("exec", "--lib", dir, "--", filepath.Join(dir, "vectoradd"))
	require.Zero(t, a.status, a.err)
	require.Contains(t, a.err, filepath.Join(folder, "s.json")+": 1 launch of 1 kernel; jacquard stats sums them up\n")
	require.FileExists(t, "s.json")
}
