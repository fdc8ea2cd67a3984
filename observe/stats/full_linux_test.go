package stats_test

import (
	"bytes"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/observe/stats"
)

// If the disk fills in the middle of a launch, the file has the launches before, and is whole.
func TestDiskFills(t *testing.T) {
	for _, name := range []string{"s.json", "s.csv", "s.parquet"} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), name)
			target, err := stats.ParseTarget(path)
			require.NoError(t, err)
			w, err := target.Create(run())
			require.NoError(t, err)
			var whole []byte
			add := func() error {
				whole, err = os.ReadFile(path)
				require.NoError(t, err)
				return w.Add(launch(t, "a", 32))
			}
			require.NoError(t, add())
			require.NoError(t, add())
			info, err := os.Stat(path)
			require.NoError(t, err)

			var old syscall.Rlimit
			require.NoError(t, syscall.Getrlimit(syscall.RLIMIT_FSIZE, &old))
			small := old
			small.Cur = uint64(info.Size()) + 100
			require.NoError(t, syscall.Setrlimit(syscall.RLIMIT_FSIZE, &small))
			defer syscall.Setrlimit(syscall.RLIMIT_FSIZE, &old)
			for err = add(); err == nil; err = add() {
			}
			require.NoError(t, syscall.Setrlimit(syscall.RLIMIT_FSIZE, &old))

			require.ErrorIs(t, err, syscall.EFBIG)
			got, err := os.ReadFile(path)
			require.NoError(t, err)
			require.True(t, bytes.Equal(whole, got), "the file is as before")
			require.Error(t, w.Close())
		})
	}
}
