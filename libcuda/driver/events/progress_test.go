package events_test

import (
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"jacquard/libcuda/driver/events"
)

func TestTakeProgress(t *testing.T) {
	path := file(t, `{"event":"progress","pid":1,"launches":3,"kernel":"k","blocks":5,"of":20,"seconds":2.5}
{"event":"of tomorrow"}
{"event":"progress","pid":2,"launches":1,"kernel":"","blocks":0,"of":0,"seconds":0}
{"event":"progress","pid":1,"laun`)
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	require.NoError(t, err)
	defer f.Close()
	list, err := events.TakeProgress(f)
	require.NoError(t, err)
	require.Equal(t, []events.Progress{
		{Event: "progress", PID: 1, Launches: 3, Kernel: "k", Blocks: 5, Of: 20, Seconds: 2.5}, {Event: "progress", PID: 2, Launches: 1},
	}, list)
	list, err = events.TakeProgress(f)
	require.NoError(t, err)
	require.Empty(t, list, "they were taken")
	require.NoError(t, f.Close())
	_, err = events.TakeProgress(f)
	require.ErrorIs(t, err, os.ErrClosed)
}

func TestProgressInWords(t *testing.T) {
	for want, p := range map[string]events.Progress{
		"":                         {Launches: 3},
		"0 of 4 blocks (12s) of k": {Kernel: "k", Of: 4, Seconds: 12.2},
		"4 of 4 blocks (12s) of k": {Kernel: "k", Blocks: 4, Of: 4, Seconds: 12.2},
		"5 of 20 blocks (2 per second, 8s left) of k":                 {Kernel: "k", Blocks: 5, Of: 20, Seconds: 2.5},
		"1 of 10001 blocks (0.001 per second, 2777h46m40s left) of k": {Kernel: "k", Blocks: 1, Of: 10001, Seconds: 1000},
	} {
		require.Equal(t, want, p.String())
	}
	require.Equal(t, "1e+03 per second, 1s left", events.Pace(1000, 2000, time.Second))
	require.Empty(t, events.Pace(0, 2000, time.Second))
	require.Empty(t, events.Pace(2000, 2000, time.Second))
}
