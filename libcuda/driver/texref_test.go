package driver_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/libcuda/driver"
)

func TestTexRefs(t *testing.T) {
	th, _ := current(t)
	m := load(t, th, "variables.cubin")
	ref, err := th.ModuleGetTexRef(m, "image")
	require.NoError(t, err)
	ptr := alloc(t, th, 1024)

	offset := uint64(99)
	require.NoError(t, th.TexRefSetAddress(ref, ptr, 1024, &offset))
	require.Zero(t, offset)
	require.NoError(t, th.TexRefSetAddress(ref, ptr, 1024, nil))
	require.NoError(t, th.TexRefSetAddress(ref, ptr+260, 16, &offset))
	require.Equal(t, uint64(4), offset)
	is(t, driver.ErrInvalidValue, th.TexRefSetAddress(ref, ptr+4, 16, nil), "nobody takes the offset")
	is(t, driver.ErrInvalidValue, th.TexRefSetAddress(ref, ptr, 1025, &offset))
	is(t, driver.ErrInvalidValue, th.TexRefSetAddress(ref, 0, 16, &offset))
	require.NoError(t, th.TexRefSetAddress(ref, 0, 0, nil), "unbinds")

	for _, format := range []driver.ArrayFormat{1, 2, 3, 8, 9, 10, 16, 32} {
		for channels, want := range map[int]driver.Result{0: 1, 1: 0, 2: 0, 3: 1, 4: 0, 5: 1, -1: 1} {
			is(t, want, th.TexRefSetFormat(ref, format, channels), "format %d, %d channels", format, channels)
		}
	}
	for _, format := range []driver.ArrayFormat{0, 4, 33, 257} {
		is(t, driver.ErrInvalidValue, th.TexRefSetFormat(ref, format, 1), format)
	}
	for flags, want := range map[uint32]driver.Result{0: 0, 1: 0, 2: 0, 3: 0, 16: 0, 4: 1, 8: 1} {
		is(t, want, th.TexRefSetFlags(ref, flags), flags)
	}
	for dim, want := range map[int]driver.Result{-1: 1, 0: 0, 1: 0, 2: 0, 3: 1} {
		is(t, want, th.TexRefSetAddressMode(ref, dim, driver.AddressClamp), dim)
	}
	is(t, driver.ErrInvalidValue, th.TexRefSetAddressMode(ref, 0, 4))
	require.NoError(t, th.TexRefSetFilterMode(ref, driver.FilterLinear))
	is(t, driver.ErrInvalidValue, th.TexRefSetFilterMode(ref, 2))

	f, err := th.ModuleGetFunction(m, "gather")
	require.NoError(t, err)
	require.NoError(t, th.ParamSetTexRef(f, driver.ParamTRDefault, ref))
	is(t, driver.ErrInvalidValue, th.ParamSetTexRef(f, 0, ref))
	is(t, driver.ErrInvalidHandle, th.ParamSetTexRef(f, driver.ParamTRDefault, 0))
}
