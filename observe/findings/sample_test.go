package findings

import (
	"encoding/xml"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/simt/check"
	"jacquard/simt/lane"
)

var update = flag.Bool("update", false, "rewrite the golden files")

const (
	source = "/src/known.cu"
	kernel = "_Z5shiftPi"
)

func pointer[T any](v T) *T { return &v }

// device is a place in the kernel of the sample.
func device(role string, pc uint32, text string, line int, where ...check.Thread) check.Site {
	return check.Site{Role: role, Device: &check.Point{PC: pc, Text: text}, Size: 4, Where: where,
		Stack: []check.Frame{{Function: kernel, File: source, Line: line}}}
}

// host is a call in main of the sample.
func host(role, call string, line int) check.Site {
	return check.Site{Role: role, Call: call, Stack: []check.Frame{
		{Function: call, Module: "libcudart.so.4", System: true},
		{Function: "main", File: source, Line: line, Module: "/src/known"},
		{Function: "__libc_start_main", Module: "/lib/libc.so.6", System: true},
	}}
}

// sample has a finding of each kind, and a note.
func sample() *Report {
	warp0, warp1 := check.Thread{Lanes: 0x8000_0000}, check.Thread{Warp: 1, Lanes: 0x0002_ffff}
	memory := check.Finding{Kind: check.KindMemory, What: "out-of-bounds", Space: "shared", Level: check.Error, Kernel: kernel, Shape: [3]int{64, 1, 1}, Count: 1,
		Text: "the write is beyond the array s of 128 bytes", Advice: "Compare the index with the size of the array.", At: device("write", 0x48, "st b32 s[$ofs1+0x10] $r1", 3, warp0)}
	memory.At.Addr = pointer(uint32(0x90))
	race := check.Finding{Kind: check.KindRace, What: "read-write", Space: "shared", Level: check.Error, Kernel: kernel, Shape: [3]int{16, 4, 1}, Count: 128,
		Text: "two threads access the same bytes, and nothing orders them", Advice: "Put __syncthreads() between the two.",
		At: device("write", 0x48, "st b32 s[$ofs1+0x10] $r1", 3, warp0), With: []check.Site{device("read", 0x60, "mov b32 $r1 s[$ofs1+0x10]", 4, warp1)}}
	race.With[0].Value = pointer(uint64(7))
	note := race
	note.Level, note.What, note.With = check.Note, "warp-synchronous", nil
	init := check.Finding{Kind: check.KindInit, What: "branch", Space: "global", Level: check.Error, Kernel: kernel, Launch: 1, Count: 2,
		Text: "the branch depends on a value that nobody wrote", At: device("read", 0x10, "ld b32 $r1 g14[$r2]", 3, warp1)}
	sync := check.Finding{Kind: check.KindSync, What: "divergent", Level: check.Error, Kernel: kernel, Launch: 1, Count: 16,
		Text: "some lanes of a warp come to the barrier, and the others do not", At: device("barrier", 0x20, "bar sync 0", 4, warp1)}
	sync.At.Size = 0
	api := check.Finding{Kind: check.KindAPI, What: "unchecked", Level: check.Error, Launch: -1, Count: 1,
		Text: "the call fails with cudaErrorInvalidValue, and nobody looks", At: host("call", "cudaMemcpy", 10)}
	leak := check.Finding{Kind: check.KindLeak, What: "device", Level: check.Error, Launch: -1, Count: 1,
		Text: "128 bytes of device memory are not freed", At: host("allocated", "cudaMalloc", 9)}
	leak.At.Addr, leak.At.Size = pointer(uint32(0x10000)), 128
	return &Report{Program: []string{"./known", "1"}, Checks: check.All, Started: true, Complete: true,
		Findings: []check.Finding{memory, race, note, init, sync, api, leak}}
}

// sources finds the file of the sample.
func sources() Sources {
	return Sources{Folder: "/src", Open: func(file string) ([]byte, error) {
		return os.ReadFile(filepath.Join("testdata", filepath.Base(file)))
	}}
}

// golden compares a text with a file of testdata.
func golden(t *testing.T, name, text string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		require.NoError(t, os.WriteFile(path, []byte(text), 0o666))
	}
	want, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, string(want), text)
}

// Names from files may hold anything; the XML stays XML.
func TestHostileJUnit(t *testing.T) {
	r := sample()
	r.Findings[0].Kernel, r.Findings[0].Text = "k\x1b[2J]]>", "<\x00\">"
	var b strings.Builder
	s := sources()
	require.NoError(t, r.JUnit(&b, &s))
	var suites junitSuites
	require.NoError(t, xml.Unmarshal([]byte(b.String()), &suites))
	require.Contains(t, suites.Suite.Cases[0].Failure.Text, "kernel k\\u001b[2J]]>, launch 0")
}

func TestForms(t *testing.T) {
	s := sources()
	for name, write := range map[string]func(*Report, *strings.Builder) error{
		"report.txt": func(r *Report, b *strings.Builder) error { return r.Text(b, &Text{Sources: s, Notes: true}) },
		"limited.txt": func(r *Report, b *strings.Builder) error {
			r.Complete = false
			return r.Text(b, &Text{Sources: s, Limit: 1})
		},
		"report.json":       func(r *Report, b *strings.Builder) error { return r.JSON(b) },
		"report.sarif":      func(r *Report, b *strings.Builder) error { return r.SARIF(b, &s) },
		"junit.xml":         func(r *Report, b *strings.Builder) error { return r.JUnit(b, &s) },
		"sanitizer.txt":     func(r *Report, b *strings.Builder) error { return r.Sanitizer(b, &Sanitizer{Leaks: true, Notes: true}) },
		"cuda-memcheck.txt": func(r *Report, b *strings.Builder) error { return r.Sanitizer(b, &Sanitizer{Old: true, Limit: 2}) },
		"suppressions.txt":  func(r *Report, b *strings.Builder) error { return r.WriteSuppressions(b) },
	} {
		var b strings.Builder
		require.NoError(t, write(sample(), &b))
		golden(t, name, b.String())
	}
}

// Threads that follow one another are one line, and equal steps are not all written out.
func TestThreads(t *testing.T) {
	flat, square := [3]int{128, 1, 1}, [3]int{16, 8, 1}
	for _, c := range []struct {
		shape [3]int
		where []check.Thread
		want  string
	}{
		{flat, []check.Thread{{Lanes: ^lane.Mask(0)}, {Warp: 1, Lanes: ^lane.Mask(0)}, {Warp: 2, Lanes: 0xff}}, "block (0,0), threads 0-71 (warps 0-2)"},
		{flat, []check.Thread{{Lanes: 0xff00_0000}, {Warp: 1, Lanes: 1}}, "block (0,0), threads 24-32 (warps 0-1)"},
		{square, []check.Thread{{Lanes: ^lane.Mask(0)}, {Warp: 1, Lanes: 0xf}}, "block (0,0), threads (0,0,0) to (3,2,0) (warps 0-1)"},
		{flat, []check.Thread{{Lanes: 0xff}, {Warp: 1, Lanes: 0xff}}, "block (0,0), threads 0-7 (warp 0, lanes 0-7)\n    by block (0,0), threads 32-39 (warp 1, lanes 0-7)"},
		{flat, []check.Thread{{Warp: 1, Lanes: 0x5555_5555}}, "block (0,0), threads 32, 34, ..., 62 (warp 1, lanes 0, 2, ..., 30)"},
		{flat, []check.Thread{{Lanes: 0b1101_0101}}, "block (0,0), threads 0, 2, 4, 6-7 (warp 0, lanes 0, 2, 4, 6-7)"},
		{flat, []check.Thread{{Lanes: 0b101}}, "block (0,0), threads 0, 2 (warp 0, lanes 0, 2)"},
	} {
		var b strings.Builder
		(&Text{}).site(&b, &check.Finding{Shape: c.shape}, &check.Site{Role: "barrier", Where: c.where})
		require.Equal(t, "  barrier\n    by "+c.want+"\n", b.String())
	}
}

// A copy's finding is of the kernel whose instruction is its other place.
func TestKeepOfCopies(t *testing.T) {
	f := check.Finding{Kind: check.KindInit, What: "output", At: host("copy", "cudaMemcpy", 10), With: []check.Site{device("read", 0x10, "ld", 3)}}
	for name, left := range map[string]int{kernel: 1, "other": 0} {
		r := Report{Findings: []check.Finding{f}}
		r.Keep(func(mangled, _ string) bool { return mangled == name })
		require.Len(t, r.Findings, left)
	}
}
