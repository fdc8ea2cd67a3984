package driver_test

import (
	"encoding/hex"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/libcuda/driver"
	"jacquard/libcuda/driver/knobs"
)

func TestGetExportTable(t *testing.T) {
	_, th, log := fresh(knobs.Settings{})
	for text, want := range map[string]driver.ExportTable{ // as the runtime libraries ask for them
		"6bd5fb6c5bf4e74a8987d93912fd9df9": driver.RuntimeInterface,
		"a094798c2e742e7493f20800200c0a66": driver.ToolHooks,
		"42d85a8123f6cb478298f6e78a3aecdc": driver.ToolStorage,
		"c693336e1121df11a8c368f355d89593": driver.ContextStorage,
	} {
		id, err := hex.DecodeString(text)
		require.NoError(t, err)
		table, err := th.GetExportTable(driver.UUID(id))
		require.NoError(t, err, "before cuInit")
		require.Equal(t, want, table)
	}
	_, err := th.GetExportTable(driver.UUID{1})
	is(t, driver.ErrNotFound, err)
	is(t, driver.ErrNotSupported, th.NoSuchEntry(driver.RuntimeInterface, 3))
	is(t, driver.ErrNotSupported, th.NoSuchEntry(driver.RuntimeInterface, 3))
	require.Equal(t, "jacquard: cuGetExportTable: function 3 of table 1 is not known\n", log.String())
}

// TestContextStorage checks that values belong to one context and that their destructors are called
// at its end.
func TestContextStorage(t *testing.T) {
	_, th, _ := start(t, knobs.Settings{})
	_, err := th.ContextStorageGet(0, 1)
	is(t, driver.ErrInvalidContext, err, "no current context")

	first, second := create(t, th), create(t, th)
	type told struct {
		ctx        driver.Context
		key, value uintptr
	}
	var got []told
	note := func(ctx driver.Context, key, value uintptr) {
		got = append(got, told{ctx, key, value})
		_, err := th.ContextStorageGet(ctx, key) // no lock is held, and the context is gone
		is(t, driver.ErrInvalidContext, err)
	}
	require.NoError(t, th.ContextStoragePut(first, 1, 10, note))
	require.NoError(t, th.ContextStoragePut(first, 2, 20, note))
	require.NoError(t, th.ContextStoragePut(first, 3, 30, nil))
	require.NoError(t, th.ContextStoragePut(0, 1, 11, note))
	for _, c := range []struct {
		ctx  driver.Context
		key  uintptr
		want uintptr
	}{{first, 1, 10}, {first, 2, 20}, {first, 3, 30}, {second, 1, 11}, {0, 1, 11}} {
		value, err := th.ContextStorageGet(c.ctx, c.key)
		require.NoError(t, err)
		require.Equal(t, c.want, value)
	}
	_, err = th.ContextStorageGet(second, 2)
	is(t, driver.ErrInvalidHandle, err)

	require.NoError(t, th.ContextStoragePut(first, 1, 12, note), "a value is replaced without a word")
	require.NoError(t, th.ContextStorageDelete(first, 2))
	is(t, driver.ErrInvalidHandle, th.ContextStorageDelete(first, 2))
	require.Empty(t, got)
	require.NoError(t, th.CtxDestroy(first))
	require.Equal(t, []told{{first, 1, 12}}, got)
	is(t, driver.ErrInvalidContext, th.ContextStoragePut(first, 1, 1, nil), "a destroyed context")
}
