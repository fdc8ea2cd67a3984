package sweep_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/parquet-go/parquet-go"
	"github.com/stretchr/testify/require"

	"jacquard/libcuda/driver/events"
	"jacquard/study"
	"jacquard/study/sweep"
)

// TestMain lets the test's program take the place of the tool: cells run it.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == "run" {
		os.Exit(tool(os.Args[3:]))
	}
	os.Exit(m.Run())
}

// tool behaves as words say that follow the file.
func tool(words []string) int {
	summary := os.Getenv("JACQUARD_SUMMARY")
	told := func(l events.Launch) {
		f, err := os.OpenFile(summary, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o666)
		if err == nil {
			err = json.NewEncoder(f).Encode(l)
		}
		if err != nil {
			panic(err)
		}
	}
	l := events.Launch{Event: "launch", Kernel: "k", WarpInstructions: 100, ThreadInstructions: 3200, Result: "CUDA_SUCCESS"}
	l.Divergence.ActiveLanes[32] = 100
	if os.Getenv("JACQUARD_DIGEST") == "on" {
		l.Memory = []events.Digest{{Address: 256, Bytes: 4, SHA256: "00"}}
	}
	for _, w := range words {
		name, value, _ := strings.Cut(w, "=")
		number, _ := strconv.Atoi(value)
		switch name {
		case "other": // memory under this policy
			if os.Getenv("JACQUARD_POLICY") == value {
				l.Memory[0].SHA256 = "01"
			}
		case "refuse":
			l.Result, l.Message, l.Refusal = "CUDA_ERROR_NOT_SUPPORTED", "it cannot run this kernel: no stack", "no stack"
			l.WarpInstructions = 0
		case "fault":
			l.Result, l.Message = "CUDA_ERROR_ILLEGAL_ADDRESS", "illegal address"
		case "say":
			fmt.Println(value)
		case "fill":
			line := strings.Repeat("x", 1023) + "\n"
			for range number {
				if _, err := os.Stdout.WriteString(line); err != nil {
					fmt.Fprintln(os.Stderr, err)
					return 1
				}
			}
		case "exit":
			told(l)
			return number
		case "traces": // of so many processes; statistics have no head
			for i := range number {
				other := fmt.Sprintf(".%d", 1000-i)
				for _, file := range []string{"stats.json", "trace.jqt"} {
					stem, suffix, _ := strings.Cut(file, ".")
					if i > 0 {
						stem += other
					}
					os.WriteFile(filepath.Join(filepath.Dir(summary), stem+"."+suffix), nil, 0o666)
				}
			}
		case "sleep":
			time.Sleep(time.Duration(number) * time.Millisecond)
		case "signal": // once: the second run finds the mark
			if _, err := os.Stat(words[0]); err != nil {
				os.WriteFile(words[0], nil, 0o666)
				syscall.Kill(os.Getpid(), syscall.Signal(number))
				time.Sleep(time.Second)
			}
		case "crash":
			panic(syscall.Exec("/bin/sh", []string{"sh", "-c", "kill -SEGV $$"}, nil))
		case "cut":
			os.WriteFile(summary, []byte(`{"event":"lau`), 0o666)
			return 0
		}
	}
	told(l)
	return 0
}

// made is a study of cells of the tool above: each is its words.
func made(t *testing.T, head string, cells ...string) *study.Study {
	t.Helper()
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "k.cubin"), nil, 0o666))
	text := head + "\n"
	for i, words := range cells {
		list, err := json.Marshal(strings.Fields(words))
		require.NoError(t, err)
		text += fmt.Sprintf("[[run]]\nkernel = 'k.cubin'\nname = 'c%03d'\noptions = %s\n", i, list)
	}
	path := filepath.Join(dir, "s.toml")
	require.NoError(t, os.WriteFile(path, []byte(text), 0o666))
	s, err := study.Load(path)
	require.NoError(t, err)
	return s
}

// swept runs the unfinished cells of a study in a folder, and returns the number of cells that
// began and the errors.
func swept(t *testing.T, s *study.Study, path string, again bool) (began int, unfinished []error, err error) {
	t.Helper()
	return sweptUntil(t, t.Context(), s, path, again)
}

func sweptUntil(t *testing.T, ctx context.Context, s *study.Study, path string, again bool) (began int, unfinished []error, err error) {
	t.Helper()
	me, err := os.Executable()
	require.NoError(t, err)
	f, err := sweep.Create(path, s, s.Files())
	require.NoError(t, err)
	defer f.Close()
	todo, p, err := f.Todo(s, again, func(err error) { unfinished = append(unfinished, err) })
	require.NoError(t, err)
	l := &sweep.Local{
		Runner: sweep.Runner{Folder: f, Dir: s.Dir(), Tool: me, Host: "here"}, Jobs: 3,
		Begun: func(*study.Cell) { began++ },
		Ended: func(_ *study.Cell, r *sweep.Result, err error) {
			p.Add(r)
			if err != nil {
				unfinished = append(unfinished, err)
			}
		},
	}
	err = l.Run(ctx, len(todo), func(i int) *study.Cell { return s.Cell(todo[i]) })
	require.NoError(t, f.WriteTables(s, false, nil))
	return began, unfinished, err
}

// table reads the table of cells without what differs from run to run.
func table(t *testing.T, folder string) []sweep.Row {
	t.Helper()
	rows, err := parquet.ReadFile[sweep.Row](filepath.Join(folder, sweep.CellTable))
	require.NoError(t, err)
	for i := range rows {
		require.Equal(t, "here", rows[i].Host)
		require.Positive(t, rows[i].Seconds)
		rows[i].Host, rows[i].Seconds = "", 0
	}
	return rows
}

func TestStatuses(t *testing.T) {
	s := made(t, "limit = '5s'\n[matrix]\npolicy = ['nvidia', 'tbc']",
		"ok", "other=tbc", "refuse", "fault", "say=wrong exit=7", "sleep=60000", "exit=3", "crash")
	dir := filepath.Join(t.TempDir(), "f")
	began, unfinished, err := swept(t, s, dir, false)
	require.NoError(t, err)
	require.Empty(t, unfinished)
	require.Equal(t, 16, began)
	var got []string
	for _, r := range table(t, dir) {
		got = append(got, fmt.Sprintf("%s %s %s %s", r.Subject, r.Policy, r.Status, r.Reason))
	}
	require.Equal(t, []string{
		"c000 nvidia passed ", "c000 tbc passed ",
		"c001 nvidia passed ", "c001 tbc differs memory is not that of " + s.Cell(2).Name,
		"c002 nvidia refused k: no stack", "c002 tbc refused k: no stack",
		"c003 nvidia failed k: launch 0: illegal address", "c003 tbc failed k: launch 0: illegal address",
		"c004 nvidia failed exit status 7: wrong", "c004 tbc failed exit status 7: wrong",
		"c005 nvidia late takes longer than 5 s", "c005 tbc late takes longer than 5 s",
		"c006 nvidia failed exit status 3", "c006 tbc failed exit status 3",
		"c007 nvidia failed exit status 139", "c007 tbc failed exit status 139", // a crash is a result
	}, got)
	require.EqualValues(t, 100, table(t, dir)[0].WarpInstructions)
	require.EqualValues(t, 100, table(t, dir)[0].ActiveLanes[32])
	require.InDelta(t, 32, table(t, dir)[0].AverageActiveLanes, 0)
	kernels, err := parquet.ReadFile[sweep.Row](filepath.Join(dir, sweep.KernelTable))
	require.NoError(t, err)
	require.Equal(t, "k", kernels[0].Kernel)

	f, err := sweep.Open(dir)
	require.NoError(t, err)
	log, err := os.ReadFile(f.Log(s.Cell(8).Name))
	require.NoError(t, err)
	require.Equal(t, "wrong\n", string(log))

	// A second start runs nothing, and one that asks for it what failed.
	began, _, err = swept(t, s, dir, false)
	require.NoError(t, err)
	require.Zero(t, began)
	began, _, err = swept(t, s, dir, true)
	require.NoError(t, err)
	require.Equal(t, 2*5, began, "faults, statuses, limits and crashes")
	entries, err := os.ReadDir(filepath.Join(dir, "running"))
	require.NoError(t, err)
	require.Empty(t, entries)
}

// Statistics that were cut off before their first launch are no reason to run a cell again. A cell
// that is run again loses the traces of its earlier run.
func TestCutOffStatistics(t *testing.T) {
	s := made(t, "[keep]\nstatistics = true\ntrace = 'all'", "traces=3 exit=3")
	dir := t.TempDir()
	_, unfinished, err := swept(t, s, dir, false)
	require.NoError(t, err)
	require.Empty(t, unfinished)
	require.Equal(t, "failed", table(t, dir)[0].Status)
	f, err := sweep.Open(dir)
	require.NoError(t, err)
	name := s.Cell(0).Name
	require.FileExists(t, f.Trace(name, 2))
	require.NoError(t, os.WriteFile(f.Trace(name, 3), nil, 0o666))
	_, unfinished, err = swept(t, s, dir, true)
	require.NoError(t, err)
	require.Empty(t, unfinished)
	require.FileExists(t, f.Trace(name, 2))
	require.NoFileExists(t, f.Trace(name, 3))
}

func TestPasses(t *testing.T) {
	s := made(t, "[keep]\noutput = false\ndigests = false", "say=PASSED", "say=FAILED")
	text, err := os.ReadFile(s.Path)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(s.Path, []byte(strings.ReplaceAll(string(text), "options", "passes = { text = 'PASSED' }\noptions")), 0o666))
	s, err = study.Load(s.Path)
	require.NoError(t, err)
	dir := t.TempDir()
	_, _, err = swept(t, s, dir, false)
	require.NoError(t, err)
	rows := table(t, dir)
	require.Equal(t, "passed", rows[0].Status)
	require.Equal(t, "failed", rows[1].Status)
	require.Equal(t, `the output has no "PASSED"`, rows[1].Reason)
	require.Empty(t, rows[0].Digest)
	f, err := sweep.Open(dir)
	require.NoError(t, err)
	require.NoFileExists(t, f.Log(s.Cell(0).Name))
	require.FileExists(t, f.Log(s.Cell(1).Name))
}

// Cells whose process is killed, or whose summary is cut, have no result. The next start runs them,
// and the table equals that of a sweep without faults.
func TestKilledCells(t *testing.T) {
	marks := t.TempDir()
	var words []string
	for i := range 12 {
		mark := filepath.Join(marks, strconv.Itoa(i))
		switch i % 4 {
		case 1:
			words = append(words, mark+" signal=9")
		case 2:
			words = append(words, mark+" signal=15")
		default:
			words = append(words, "ok "+strconv.Itoa(i))
		}
	}
	s := made(t, "", words...)
	dir, calm := t.TempDir(), t.TempDir()
	began, unfinished, err := swept(t, s, dir, false)
	require.NoError(t, err)
	require.Equal(t, 12, began)
	require.Len(t, unfinished, 6)
	require.ErrorContains(t, errors.Join(unfinished...), "killed ended the process")
	require.Len(t, table(t, dir), 6)
	began, unfinished, err = swept(t, s, dir, false)
	require.NoError(t, err)
	require.Equal(t, 6, began)
	require.Empty(t, unfinished)
	_, _, err = swept(t, s, calm, false)
	require.NoError(t, err)
	require.Equal(t, table(t, calm), table(t, dir))

	cut := made(t, "", "cut")
	_, unfinished, err = swept(t, cut, t.TempDir(), false)
	require.NoError(t, err)
	require.ErrorContains(t, errors.Join(unfinished...), "summary: ")
}

// A damaged file is no result: its cell is run again.
func TestDamagedCells(t *testing.T) {
	s := made(t, "", "ok 0", "ok 1", "ok 2", "ok 3", "ok 4")
	dir := t.TempDir()
	_, _, err := swept(t, s, dir, false)
	require.NoError(t, err)
	want := table(t, dir)
	file := func(i int) string {
		list, err := filepath.Glob(filepath.Join(dir, "cells/*", s.Cell(i).Name+".json"))
		require.NoError(t, err)
		require.Len(t, list, 1)
		return list[0]
	}
	good, err := os.ReadFile(file(0))
	require.NoError(t, err)
	flipped := slices.Clone(good)
	flipped[len(good)/2] ^= 1
	for i, data := range [][]byte{good[:len(good)/2], flipped, nil, good} { // the last one is another cell's
		require.NoError(t, os.WriteFile(file(i+1), data, 0o666))
	}
	began, unfinished, err := swept(t, s, dir, false)
	require.NoError(t, err)
	require.Equal(t, 4, began)
	for _, err := range unfinished {
		var bad *sweep.FormatError
		require.ErrorAs(t, err, &bad)
	}
	require.Equal(t, want, table(t, dir))
}

func TestInterrupt(t *testing.T) {
	s := made(t, "", "ok", "sleep=60000 0", "sleep=60000 1", "sleep=60000 2", "ok 3")
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	dir := t.TempDir()
	go func() { // the first cell has ended, and the three that sleep keep the others from beginning
		for ctx.Err() == nil {
			if list, _ := filepath.Glob(filepath.Join(dir, "cells/*/*.json")); len(list) > 0 {
				time.Sleep(500 * time.Millisecond)
				cancel()
			}
			time.Sleep(10 * time.Millisecond)
		}
	}()
	began := time.Now()
	_, unfinished, err := sweptUntil(t, ctx, s, dir, false)
	require.ErrorIs(t, err, context.Canceled)
	require.NotEmpty(t, unfinished)
	require.Less(t, time.Since(began), 50*time.Second)
	require.Len(t, table(t, dir), 1)
}

func TestFolderRefuses(t *testing.T) {
	s := made(t, "", "ok")
	dir := t.TempDir()
	f, err := sweep.Create(dir, s, s.Files())
	require.NoError(t, err)
	_, err = sweep.Create(dir, s, s.Files())
	var busy *sweep.BusyError
	require.ErrorAs(t, err, &busy)
	require.NoError(t, f.Close())
	require.NoError(t, os.WriteFile(s.Files()[0], []byte("new"), 0o666))
	_, err = sweep.Create(dir, s, s.Files())
	var changed *sweep.ChangedError
	require.ErrorAs(t, err, &changed)
	require.Equal(t, s.Files()[0], changed.File)

	_, err = sweep.Open(t.TempDir())
	var bad *sweep.FormatError
	require.ErrorAs(t, err, &bad)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "sweep.json"), []byte(`{"format":"x"}`), 0o666))
	_, err = sweep.Open(dir)
	require.ErrorAs(t, err, &bad)
	_, err = sweep.Create(dir, s, s.Files())
	require.ErrorAs(t, err, &bad)
}

// A cell whose file has gone has no result: a lost file system must not be one.
func TestLostFile(t *testing.T) {
	s := made(t, "", "ok")
	dir := t.TempDir()
	f, err := sweep.Create(dir, s, s.Files())
	require.NoError(t, err)
	defer f.Close()
	require.NoError(t, os.Remove(s.Files()[0]))
	r := sweep.Runner{Folder: f, Dir: s.Dir(), Tool: "/bin/true", Host: "here"}
	require.NoError(t, r.Begin())
	defer r.End()
	_, err = r.Run(t.Context(), s.Cell(0))
	var u *sweep.UnfinishedError
	require.ErrorAs(t, err, &u)
	_, err = f.Read(s.Cell(0).Name)
	require.ErrorIs(t, err, fs.ErrNotExist)
}

func TestProgress(t *testing.T) {
	p := &sweep.Progress{Total: 9}
	require.Equal(t, "0 of 9 cells done", p.String())
	p.Add(&sweep.Result{Status: sweep.Passed})
	p.Add(&sweep.Result{Status: sweep.Refused})
	p.Add(&sweep.Result{Status: sweep.Late})
	p.Add(nil)
	p.Running = 2
	require.Contains(t, p.String(), "3 of 9 cells done, 1 failed, 1 refused, 1 broken off, 2 running")
}
