package driver_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/libcuda/driver"
	"jacquard/libcuda/driver/knobs"
)

func TestGetProcAddress(t *testing.T) {
	_, th, _ := fresh(knobs.Settings{}) // before cuInit
	rows := map[int]string{}
	for _, c := range []struct {
		name    string
		version int
		flags   uint64
		status  driver.SymbolStatus
		want    driver.Result
	}{
		{"cuMemAlloc", 3010, 0, driver.SymbolFound, driver.Success},
		{"cuMemAlloc", 3020, 0, driver.SymbolFound, driver.Success},
		{"cuTexRefSetAddress2D", 2020, 0, driver.SymbolFound, driver.Success},
		{"cuTexRefSetAddress2D", 3020, 0, driver.SymbolFound, driver.Success},
		{"cuTexRefSetAddress2D", 4010, 0, driver.SymbolFound, driver.Success},
		{"cuInit", 1000, 2, driver.SymbolFound, driver.Success},
		{"cuLaunchKernel", 3020, 0, driver.SymbolTooNew, driver.ErrNotFound},
		{"cuMemAlloc_v2", 12000, 0, driver.SymbolNotFound, driver.ErrNotFound},
		{"", 12000, 0, driver.SymbolNotFound, driver.ErrNotFound},
		{"cuInit", -1, 0, driver.SymbolNotFound, driver.ErrInvalidValue},
		{"cuInit", 12000, 3, driver.SymbolNotFound, driver.ErrInvalidValue},
	} {
		row, status, err := th.GetProcAddress(c.name, c.version, c.flags)
		is(t, c.want, err, c.name)
		require.Equal(t, c.status, status, c.name)
		if err == nil {
			require.NotContains(t, rows, row, "%s: a variant of its own for each of these releases", c.name)
			rows[row] = c.name
		}
	}
	newest, _, err := th.GetProcAddress("cuMemAlloc", 12000, 0)
	require.NoError(t, err)
	require.Equal(t, "cuMemAlloc", rows[newest])
}
