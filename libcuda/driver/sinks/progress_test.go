package sinks

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"jacquard/cubin"
	"jacquard/libcuda/driver/events"
	"jacquard/libcuda/driver/knobs"
	"jacquard/simt"
)

// taken waits for lines of progress, and returns the last.
func taken(t *testing.T, path string) events.Progress {
	t.Helper()
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	require.NoError(t, err)
	defer f.Close()
	var list []events.Progress
	require.Eventually(t, func() bool {
		list, err = events.TakeProgress(f)
		return err == nil && len(list) > 0
	}, 10*time.Second, 10*time.Millisecond)
	return list[len(list)-1]
}

func TestProgress(t *testing.T) {
	path := filepath.Join(t.TempDir(), "p")
	s, err := OpenProgress(&knobs.Values{Progress: path}, new(spoken))
	require.NoError(t, err)
	begin := func(name string) (*simt.Launch, func()) {
		l := &Launch{Kernel: &cubin.Kernel{Name: name}, Request: simt.Launch{Grid: [2]int{4, 3}}}
		end := s.Begin(l)
		return &l.Request, end
	}
	first, end := begin("a")
	_, endOther := begin("b")
	first.Ended.Add(5)
	got := taken(t, path)
	require.Positive(t, got.Seconds)
	got.Seconds = 0
	require.Equal(t, events.Progress{Event: "progress", PID: os.Getpid(), Kernel: "a", Blocks: 5, Of: 12}, got)

	end()
	require.Eventually(t, func() bool { got = taken(t, path); return got.Kernel == "b" }, 10*time.Second, time.Millisecond)
	require.Equal(t, 1, got.Launches)
	endOther()
	require.Eventually(t, func() bool { got = taken(t, path); return got.Kernel == "" }, 10*time.Second, time.Millisecond)
	require.Equal(t, 2, got.Launches)
	time.Sleep(3 * progressEvery)
	info, err := os.Stat(path)
	require.NoError(t, err)
	require.Zero(t, info.Size(), "nothing new, nothing written")
}

func TestNoProgress(t *testing.T) {
	s, err := OpenProgress(&knobs.Values{}, new(spoken))
	require.NoError(t, err)
	require.Nil(t, s)
	_, err = OpenProgress(&knobs.Values{Progress: filepath.Join(t.TempDir(), "none", "p")}, new(spoken))
	require.ErrorIs(t, err, os.ErrNotExist)
}
