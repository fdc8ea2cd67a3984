package driver_test

import (
	"io"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/libcuda/driver"
	"jacquard/libcuda/driver/knobs"
	"jacquard/observe/bundle"
	"jacquard/observe/stats"
	"jacquard/observe/trace"
)

// If the device refuses a launch between others, files of launches are whole and have the others.
func TestFilesWithoutRefusedLaunches(t *testing.T) {
	shaped := func(x, y int, shared uint32) func(*driver.Thread, driver.Function) error {
		return func(th *driver.Thread, f driver.Function) error {
			require.NoError(t, th.FuncSetBlockShape(f, 64, 1, 1))
			require.NoError(t, th.FuncSetSharedSize(f, shared))
			return th.LaunchGrid(f, x, y)
		}
	}
	for name, refused := range map[string]func(*driver.Thread, driver.Function) error{
		"no blocks":             shaped(0, 1, 0),
		"fewer than no blocks":  shaped(-1, 1, 0),
		"too many blocks":       shaped(70000, 1, 0),
		"too much memory":       shaped(1, 1, 48<<10),
		"a little too much":     shaped(1, 1, 16<<10),
		"no shape of the block": func(th *driver.Thread, f driver.Function) error { return th.LaunchGrid(f, 1, 1) },
		"too many threads": func(th *driver.Thread, f driver.Function) error {
			arguments := driver.Arguments{Packed: words(0, 0, 0, 0)}
			return th.LaunchKernel(f, [3]uint32{1, 1, 1}, [3]uint32{1024, 1, 1}, 0, 0, arguments)
		},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			recorded, traced, counted := filepath.Join(dir, "x.jqb"), filepath.Join(dir, "x.jqt"), filepath.Join(dir, "x.json")
			d, th, _ := start(t, knobs.Settings{Record: recorded, Trace: traced, Stats: counted})
			create(t, th)
			vecadd(t, th, "vecadd_sm13.cubin", oldLaunch(t, th))
			require.Error(t, refused(th, function(t, th, "vecadd_sm13.cubin", "vecadd")))
			vecadd(t, th, "vecadd_sm13.cubin", oldLaunch(t, th))
			d.End()

			b, err := bundle.Open(recorded)
			require.NoError(t, err)
			defer b.Close()
			for number := range 2 {
				l, err := b.Next()
				require.NoError(t, err)
				require.Equal(t, 2*number, l.Number, "the refused launch has one, too")
			}
			_, err = b.Next()
			require.Equal(t, io.EOF, err)

			steps, err := trace.Open(traced)
			require.NoError(t, err)
			defer steps.Close()
			require.Nil(t, steps.Damage)
			require.Len(t, steps.Launches, 2)
			run, err := stats.Load(counted)
			require.NoError(t, err)
			for i, l := range run.Launches {
				require.Equal(t, l.Number, steps.Launches[i].Number)
			}
			require.Len(t, run.Launches, 2)
		})
	}
}
