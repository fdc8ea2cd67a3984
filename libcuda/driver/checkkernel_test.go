package driver_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/libcuda/driver"
	"jacquard/libcuda/driver/knobs"
	"jacquard/libcuda/driver/sinks"
	"jacquard/observe/bundle"
	"jacquard/simt"
)

// counted is a sink that counts launches.
type counted struct{ launches int }

func (c *counted) Begin(*sinks.Launch) (end func()) {
	c.launches++
	return func() {}
}

// CheckKernel answers as LaunchKernel does, and nobody but the caller learns of it.
func TestCheckKernel(t *testing.T) {
	told := new(counted)
	log := new(output)
	d := driver.New(driver.Config{Settings: knobs.Settings{Policy: "chap"}, Output: log, Sinks: []sinks.Sink{told}})
	th := d.Thread(1)
	require.NoError(t, th.Init(0))
	create(t, th)
	vecadd := function(t, th, "vecadd_sm13.cubin", "vecadd")
	code, err := os.ReadFile("../../testdata/mesa-kernels/calls/sm_13.cubin")
	require.NoError(t, err)
	m, err := th.ModuleLoadData(code)
	require.NoError(t, err)
	calls, err := th.ModuleGetFunction(m, "calls")
	require.NoError(t, err)
	params := driver.Arguments{Packed: words(0, 0, 0, 0)}
	for name, c := range map[string]struct {
		f           driver.Function
		grid, block uint32
		shared      uint32
		args        driver.Arguments
		want        driver.Result
	}{
		"no blocks":       {vecadd, 0, 32, 0, params, driver.ErrInvalidValue},
		"many threads":    {vecadd, 1, 1024, 0, params, driver.ErrInvalidValue},
		"much memory":     {vecadd, 1, 32, 16 << 10, params, driver.ErrInvalidValue},
		"many parameters": {vecadd, 1, 32, 0, driver.Arguments{Packed: make([]byte, 5000)}, driver.ErrInvalidValue},
		"the policy":      {calls, 1, 32, 0, driver.Arguments{Packed: words(0, 0)}, driver.ErrNotSupported},
		"no function":     {vecadd + 1000, 1, 32, 0, params, driver.ErrInvalidHandle},
		"nothing":         {vecadd, 1, 32, 0, params, driver.Success},
	} {
		t.Run(name, func(t *testing.T) {
			said, launches := log.String(), told.launches
			grid, block := [3]uint32{c.grid, 1, 1}, [3]uint32{c.block, 1, 1}
			refusal := driver.CheckKernel(th, c.f, grid, block, c.shared, c.args)
			is(t, c.want, refusal)
			require.Equal(t, said, log.String())
			require.Equal(t, launches, told.launches)
			require.Equal(t, refusal, th.LaunchKernel(c.f, grid, block, c.shared, 0, c.args))
			if failed := new(driver.Error); c.want != driver.Success && c.want != driver.ErrInvalidHandle && name != "many parameters" {
				require.ErrorAs(t, refusal, &failed)
				require.Equal(t, said+"jacquard: "+failed.Reason+"\n", log.String())
			}
			require.Equal(t, c.want == driver.ErrNotSupported, errors.As(refusal, new(*simt.RefusedError)))
		})
	}
}

// Files that are opened after the modules are loaded have what those that Init opens have.
func TestFilesLater(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.jqb")
	d := driver.New(driver.Config{Settings: knobs.Settings{Record: path}, Output: new(output), Later: driver.Later{Files: true}})
	th := d.Thread(1)
	require.NoError(t, th.Init(0))
	create(t, th)
	f := function(t, th, "vecadd_sm13.cubin", "vecadd")
	memory := alloc(t, th, 64)
	require.NoError(t, th.MemFree(memory))
	require.NoFileExists(t, path)
	require.NoError(t, d.OpenFiles())
	require.NoError(t, th.LaunchKernel(f, [3]uint32{1, 1, 1}, [3]uint32{32, 1, 1}, 0, 0, driver.Arguments{Packed: words(0, 0, 0, 0)}))
	d.End()
	b, err := bundle.Open(path)
	require.NoError(t, err)
	defer b.Close()
	l, err := b.Next()
	require.NoError(t, err)
	require.Equal(t, "vecadd", l.Kernel.Name)
}
