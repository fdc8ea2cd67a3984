package driver_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/libcuda/driver"
	"jacquard/libcuda/driver/knobs"
)

func TestModuleLoad(t *testing.T) {
	th, _ := current(t)
	_, err := th.ModuleLoad("testdata/nothing.cubin")
	is(t, driver.ErrFileNotFound, err)
	_, err = th.ModuleLoad("testdata")
	is(t, driver.ErrFileNotFound, err, "a folder")
	m, err := th.ModuleLoad(filepath.Join("testdata", "vecadd_sm13.cubin"))
	require.NoError(t, err)
	f, err := th.ModuleGetFunction(m, "vecadd")
	require.NoError(t, err)
	again, err := th.ModuleGetFunction(m, "vecadd")
	require.NoError(t, err)
	require.Equal(t, f, again)
	_, err = th.ModuleGetFunction(m, "vecsub")
	is(t, driver.ErrNotFound, err)
	_, _, err = th.ModuleGetGlobal(m, "vecadd")
	is(t, driver.ErrNotFound, err)
	_, err = th.ModuleGetTexRef(m, "vecadd")
	is(t, driver.ErrNotFound, err)

	require.NoError(t, th.FuncSetBlockShape(f, 1, 1, 1))
	require.NoError(t, th.ModuleUnload(m))
	is(t, driver.ErrInvalidHandle, th.FuncSetBlockShape(f, 1, 1, 1))
	is(t, driver.ErrInvalidHandle, th.ModuleUnload(m))
}

func TestImages(t *testing.T) {
	text := string(read(t, "vecadd_sm13.cubin"))
	for name, c := range map[string]struct {
		device, image string
		want          driver.Result
	}{
		"its own architecture":    {"gtx280", text, driver.Success},
		"padded with zeros":       {"gtx280", text + "\x00\x00\x00", driver.Success},
		"a later architecture":    {"8800gtx", text, driver.ErrNoBinaryForGPU},
		"an earlier architecture": {"gtx280", string(read(t, "vecadd_sm10.cubin")), driver.Success},
		"cut off":                 {"gtx280", text[:len(text)/2], driver.ErrInvalidImage},
		"nothing":                 {"gtx280", "", driver.ErrInvalidImage},
		"noise":                   {"gtx280", "\x01\x02\x03\x04", driver.ErrInvalidImage},
		"broken ELF":              {"gtx280", "\x7fELF\x01\x01\x01\x33", driver.ErrInvalidImage},
		"broken fat binary":       {"gtx280", "\x50\xed\x55\xba\x01\x00\x10\x00", driver.ErrInvalidImage},
		"PTX":                     {"gtx280", ".version 1.4\n.target sm_13\n", driver.Success},
		"PTX after a comment":     {"8800gtx", "// a kernel\n.version 1.4\n.target sm_10\n", driver.Success},
		"wrong PTX":               {"gtx280", ".version 1.4\n.target sm_13\n.entry k { ret }\n", driver.ErrInvalidPTX},
	} {
		t.Run(name, func(t *testing.T) {
			_, th, log := start(t, knobs.Settings{Device: c.device})
			create(t, th)
			m, err := th.ModuleLoadData([]byte(c.image))
			is(t, c.want, err)
			if c.want == driver.Success {
				require.Empty(t, log.String())
			} else {
				require.Zero(t, m)
				require.Equal(t, 1, strings.Count(log.String(), "\n"), "one line says why: %s", log)
			}
		})
	}
}

func TestVariables(t *testing.T) {
	th, _ := current(t)
	before, _, err := th.MemGetInfo()
	require.NoError(t, err)
	m := load(t, th, "variables.cubin")
	for name, want := range map[string][]byte{
		"zeros":   make([]byte, 8),
		"weight":  {0x11, 0x11, 0x11, 0x11},
		"counter": {0x22, 0x22, 0x22, 0x22, 0, 0, 0, 0},
		"unused":  make([]byte, 64),
	} {
		ptr, size, err := th.ModuleGetGlobal(m, name)
		require.NoError(t, err, name)
		require.Equal(t, uint64(len(want)), size, name)
		require.Equal(t, want, fetch(t, th, ptr, len(want)), name)
		is(t, driver.ErrInvalidValue, th.MemFree(ptr), "the program does not own %s", name)
	}
	require.NoError(t, th.ModuleUnload(m))
	after, _, err := th.MemGetInfo()
	require.NoError(t, err)
	require.Equal(t, before, after)
}

func TestModuleWithoutRoom(t *testing.T) {
	th, _ := current(t)
	m := load(t, th, "variables.cubin")
	require.NoError(t, th.ModuleUnload(m))
	free, _, err := th.MemGetInfo()
	require.NoError(t, err)
	alloc(t, th, free-4096)
	most := alloc(t, th, 4096-256)
	_, err = th.ModuleLoadData(read(t, "variables.cubin"))
	is(t, driver.ErrOutOfMemory, err)
	require.NoError(t, th.MemFree(most))
	left, _, err := th.MemGetInfo()
	require.NoError(t, err)
	require.Equal(t, uint64(4096), left, "nothing of it stays")
}
