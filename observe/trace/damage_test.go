package trace_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"jacquard/internal/test/maze"
	"jacquard/observe/trace"
)

// readAll reads a file that may be damaged; it returns the number of steps.
func readAll(data []byte) (n int, f *trace.File, err error) {
	f, err = trace.NewFile(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return 0, nil, err
	}
	defer f.Close()
	for _, err := range f.Steps(&trace.Filter{}) {
		if err != nil {
			return n, f, err
		}
		n++
	}
	return n, f, nil
}

// A truncated trace is readable up to its last complete frame, and Damage says where it ends.
func TestCutOff(t *testing.T) {
	data, _, _, ok := record(t, 3, "", trace.Options{Values: trace.Values{Registers: true}})
	require.True(t, ok)
	whole, _, err := readAll(data)
	require.NoError(t, err)
	require.Positive(t, whole)
	last := 0
	for size := 0; size < len(data); size += 1 + size/100 {
		n, f, err := readAll(data[:size])
		var bad *trace.FormatError
		if err != nil {
			require.ErrorAs(t, err, &bad)
			require.LessOrEqual(t, size, 16, "only without a header is there nothing to read")
			continue
		}
		require.GreaterOrEqual(t, n, last)
		require.LessOrEqual(t, n, whole)
		last = n
		if f.Damage != nil {
			require.Contains(t, f.Damage.Error(), "cut off")
			require.LessOrEqual(t, f.Damage.Offset, int64(size))
		}
	}
	n, f, err := readAll(data[:len(data)-1])
	require.NoError(t, err)
	require.Equal(t, whole, n)
	require.NotNil(t, f.Damage)
}

// A changed byte is reported with its place.
func TestCorrupt(t *testing.T) {
	data, _, _, ok := record(t, 3, "", trace.Options{})
	require.True(t, ok)
	whole, _, err := readAll(data)
	require.NoError(t, err)
	for at := 0; at < len(data); at += 1 + at/100 {
		if at >= 12 && at < 16 { // reserved
			continue
		}
		bad := bytes.Clone(data)
		bad[at] ^= 0x20
		n, f, err := readAll(bad)
		var format *trace.FormatError
		switch {
		case err != nil:
			require.ErrorAs(t, err, &format, "offset %d", at)
			require.Regexp(t, `^trace: offset 0x[0-9a-f]+: `, err.Error())
		case f.Damage != nil:
			require.Less(t, n, whole+1)
		default:
			require.Equal(t, whole, n, "only indexes may change unnoticed, offset %d", at)
		}
	}
}

// A complete file is read by its index: a destroyed header does not hide the frames after it.
func TestIndexed(t *testing.T) {
	data, _, _, ok := record(t, 3, "", trace.Options{})
	require.True(t, ok)
	whole, _, err := readAll(data)
	require.NoError(t, err)
	const start, header = 16, 64
	var kinds []byte
	for at := start; at < len(data); at += header + int(binary.LittleEndian.Uint32(data[at+8:])) {
		kind := data[at+4]
		if kinds = append(kinds, kind); kind >= 5 { // index and tail
			continue
		}
		data[at] ^= 0xff
		n, f, err := readAll(data)
		data[at] ^= 0xff
		require.NoError(t, err)
		require.Equal(t, whole, n)
		require.Nil(t, f.Damage)
	}
	require.Equal(t, []byte{1, 2, 3, 4, 5, 6, 6}, kinds, "the second tail is the end of the run")
	require.Equal(t, []byte("JQTF\x06"), data[len(data)-header:][:5])
}

// A killed program leaves a trace that is readable up to its last complete frame.
func TestKilled(t *testing.T) {
	const name = "JACQUARD_TEST_TRACE" // set in the program to kill, which runs this test
	if path := os.Getenv(name); path != "" {
		r, err := trace.Create(path, trace.Options{Values: trace.Values{Registers: true}}, nil)
		require.NoError(t, err)
		for i := 0; ; i++ {
			_, err := watch(r, i, maze.New(18), "", idle{})
			require.NoError(t, err)
		}
	}
	path := filepath.Join(t.TempDir(), "t.jqt")
	c := exec.Command(os.Args[0], "-test.run", "^TestKilled$")
	c.Env = append(os.Environ(), name+"="+path)
	require.NoError(t, c.Start())
	require.Eventually(t, func() bool {
		info, err := os.Stat(path)
		return err == nil && info.Size() > 1_000_000
	}, 5*time.Minute, time.Millisecond)
	require.NoError(t, c.Process.Kill())
	require.Error(t, c.Wait())
	data, err := os.ReadFile(path)
	require.NoError(t, err)
	n, f, err := readAll(data)
	require.NoError(t, err)
	require.Greater(t, n, 10_000)
	require.True(t, f.Launches[0].Ended)
	require.NotNil(t, f.Damage, "it does not pass as whole")
	require.Contains(t, f.Damage.Error(), "cut off")
	require.Less(t, int64(len(data))-f.Damage.Offset, int64(1<<20))
}

func TestForeign(t *testing.T) {
	for name, c := range map[string]struct{ data, want string }{
		"nothing": {"", "trace: offset 0x0: this is no trace"},
		"text":    {"kernel,pc,mask\n1,2,3\n4,5,6\n", "trace: offset 0x0: this is no trace"},
		"version": {"\x89JQT\r\n\x1a\n\x01\x00\x00\x00\x00\x00\x00\x00", "trace: offset 0x8: the format's version is 1: want 4"},
		"short":   {"\x89JQT\r\n\x1a\n\x04\x00\x00\x00", "trace: offset 0xc: the file ends inside its header"},
	} {
		_, _, err := readAll([]byte(c.data))
		require.EqualError(t, err, c.want, name)
	}
	path := filepath.Join(t.TempDir(), "no")
	_, err := trace.Open(path)
	require.ErrorIs(t, err, os.ErrNotExist)
}

// full is a disk with little room.
type full struct{ room int }

var errFull = errors.New("no space left on device")

func (w *full) Write(b []byte) (int, error) {
	if w.room -= len(b); w.room < 0 {
		return 0, errFull
	}
	return len(b), nil
}

// A full disk ends the trace, not the program, and is reported once.
func TestDiskFull(t *testing.T) {
	for room := 0; room < 2000; room += 100 {
		var said []error
		r, err := trace.NewRecorder(&full{room}, trace.Options{}, func(err error) { said = append(said, err) })
		require.NoError(t, err)
		for i := range 3 {
			w := &want{blocks: map[int][]trace.Step{}}
			_, err := watch(r, i, maze.New(1), "", w)
			require.NoError(t, err)
			require.NotEmpty(t, w.blocks)
		}
		require.ErrorIs(t, r.Close(), errFull, fmt.Sprint(room))
		require.Len(t, said, 1)
		require.EqualError(t, said[0], "trace: no space left on device; nothing more is recorded")
	}
}

// Two writers of one path write two files.
func TestSharedFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "t.jqt")
	names := map[string]bool{}
	var all []*trace.Recorder
	for range 2 {
		r, err := trace.Create(path, trace.Options{}, nil)
		require.NoError(t, err)
		names[r.Path()] = true
		all = append(all, r)
	}
	require.Len(t, names, 2)
	require.Contains(t, names, path)
	for _, r := range all {
		_, err := watch(r, 0, maze.New(3), "", &want{blocks: map[int][]trace.Step{}})
		require.NoError(t, err)
		require.NoError(t, r.Close())
	}
	for name := range names {
		f, err := trace.Open(name)
		require.NoError(t, err)
		require.Nil(t, f.Damage)
		require.Len(t, f.Launches, 1)
		require.NoError(t, f.Close())
	}
}

// Without file locks, a recorder stops once another process has changed the file.
func TestOverwritten(t *testing.T) {
	path := filepath.Join(t.TempDir(), "t.jqt")
	var said []error
	r, err := trace.Create(path, trace.Options{}, func(err error) { said = append(said, err) })
	require.NoError(t, err)
	require.NoError(t, os.Truncate(path, 1<<20))
	_, err = watch(r, 0, maze.New(1), "", &want{blocks: map[int][]trace.Step{}})
	require.NoError(t, err)
	require.Len(t, said, 1)
	require.ErrorContains(t, said[0], "another process writes the same file")
	require.Error(t, r.Close())
}
