package sweep_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/study"
	"jacquard/study/sweep"
)

// A full disk costs the cells that run, and the sweep ends. With more room the next start runs the
// rest, and the table equals that of a sweep with enough room.
func TestFullDisk(t *testing.T) {
	dir := t.TempDir()
	if err := syscall.Mount("none", dir, "tmpfs", 0, "size=1m"); err != nil {
		t.Skipf("SKIPPED: a small disk takes the right to mount: %v", err)
	}
	defer syscall.Unmount(dir, 0)
	var words []string
	for i := range 12 {
		words = append(words, "fill=200 "+strings.Repeat("x", i+1))
	}
	s := made(t, "", words...)
	folder := filepath.Join(dir, "f")
	s1 := s
	func() {
		me, err := os.Executable()
		require.NoError(t, err)
		f, err := sweep.Create(folder, s1, s1.Files())
		require.NoError(t, err)
		defer f.Close()
		var unfinished []error
		l := &sweep.Local{Runner: sweep.Runner{Folder: f, Dir: s.Dir(), Tool: me, Host: "here"}, Jobs: 2}
		l.Ended = ended(&unfinished)
		err = l.Run(t.Context(), s.Len(), s.Cell)
		require.EqualError(t, err, "the disk is full")
		require.NotEmpty(t, unfinished)
		require.LessOrEqual(t, len(unfinished), 2)
		var u *sweep.UnfinishedError
		require.ErrorAs(t, errors.Join(unfinished...), &u)
		require.True(t, u.Full)
	}()
	require.NoError(t, syscall.Mount("none", dir, "tmpfs", syscall.MS_REMOUNT, "size=32m"))
	began, unfinished, err := swept(t, s, folder, false)
	require.NoError(t, err)
	require.Empty(t, unfinished)
	require.Less(t, began, s.Len())
	calm := t.TempDir()
	_, _, err = swept(t, s, calm, false)
	require.NoError(t, err)
	require.Equal(t, table(t, calm), table(t, folder))
}

// ended collects errors.
func ended(list *[]error) func(*study.Cell, *sweep.Result, error) {
	return func(_ *study.Cell, _ *sweep.Result, err error) {
		if err != nil {
			*list = append(*list, err)
		}
	}
}

// A cell whose output is longer than a file may be has no result; the others have.
func TestFileTooLarge(t *testing.T) {
	s := made(t, "", "ok", "fill=3000", "ok 2")
	dir := t.TempDir()
	var old syscall.Rlimit
	require.NoError(t, syscall.Getrlimit(syscall.RLIMIT_FSIZE, &old))
	small := old
	small.Cur = 1 << 20
	require.NoError(t, syscall.Setrlimit(syscall.RLIMIT_FSIZE, &small))
	defer syscall.Setrlimit(syscall.RLIMIT_FSIZE, &old)
	_, unfinished, err := swept(t, s, dir, false)
	require.NoError(t, syscall.Setrlimit(syscall.RLIMIT_FSIZE, &old))
	t.Log(unfinished, err)
	require.Len(t, unfinished, 1)
	require.Len(t, table(t, dir), 2)
	began, unfinished, err := swept(t, s, dir, false)
	require.NoError(t, err)
	require.Empty(t, unfinished)
	require.Equal(t, 1, began)
}
