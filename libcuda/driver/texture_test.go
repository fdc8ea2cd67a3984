package driver_test

import (
	"encoding/binary"
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/libcuda/driver"
)

// texturing samples the texture reference of textures.cubin.
type texturing struct {
	th  *driver.Thread
	f   driver.Function
	ref driver.TexRef
	out driver.DevicePtr
}

func newTexturing(t *testing.T, th *driver.Thread) *texturing {
	t.Helper()
	m := load(t, th, "textures.cubin")
	f, err := th.ModuleGetFunction(m, "sample")
	require.NoError(t, err)
	ref, err := th.ModuleGetTexRef(m, "image")
	require.NoError(t, err)
	require.NoError(t, th.FuncSetBlockShape(f, 1, 1, 1))
	require.NoError(t, th.ParamSetSize(f, 16))
	return &texturing{th, f, ref, alloc(t, th, 16)}
}

// at returns the components that a kernel fetches at a place.
func (x *texturing) at(t *testing.T, coords ...float32) [4]uint32 {
	t.Helper()
	require.NoError(t, x.th.ParamSeti(x.f, 0, uint32(x.out)))
	for i, c := range coords {
		require.NoError(t, x.th.ParamSeti(x.f, 4+4*i, math.Float32bits(c)))
	}
	require.NoError(t, x.th.Launch(x.f))
	var texel [4]uint32
	_, err := binary.Decode(fetch(t, x.th, x.out, 16), binary.LittleEndian, &texel)
	require.NoError(t, err)
	return texel
}

// A texture of linear memory has as many texels as the device says, by its format.
func TestMostTexels(t *testing.T) {
	th, _ := current(t)
	x := newTexturing(t, th)
	most, err := th.DeviceGetAttribute(driver.AttributeMaximumTexture1dLinearWidth, 0)
	require.NoError(t, err)
	size := uint64(most) + 256
	p := alloc(t, th, size)
	require.NoError(t, th.TexRefSetFormat(x.ref, driver.FormatUnsignedInt8, 1))
	is(t, driver.ErrInvalidValue, th.TexRefSetAddress(x.ref, p, size, nil))
	require.NoError(t, th.TexRefSetAddress(x.ref, p, uint64(most), nil))
	require.NoError(t, th.TexRefSetFormat(x.ref, driver.FormatUnsignedInt8, 2))
	require.NoError(t, th.TexRefSetAddress(x.ref, p, size, nil))
}

func TestTextureOverArray(t *testing.T) {
	th, _ := current(t)
	x := newTexturing(t, th)
	require.Equal(t, [4]uint32{}, x.at(t, 1, 1, 1), "unbound")
	a := array(t, th, driver.ArrayDescriptor{Width: 2, Height: 2, Depth: 2, Format: driver.FormatUnsignedInt8, Channels: 4})
	data := make([]byte, 32)
	for i := range data {
		data[i] = byte(i)
	}
	require.NoError(t, th.MemcpyHtoA(a, 0, data))
	require.NoError(t, th.TexRefSetArray(x.ref, a, driver.TRSAOverrideFormat))
	require.NoError(t, th.TexRefSetFlags(x.ref, driver.TRSFReadAsInteger))
	require.Equal(t, [4]uint32{28, 29, 30, 31}, x.at(t, 1.5, 1.9, 7))
	require.Equal(t, [4]uint32{16, 17, 18, 19}, x.at(t, -3, 0, 1))

	require.NoError(t, th.TexRefSetFlags(x.ref, driver.TRSFReadAsInteger|driver.TRSFNormalizedCoordinates))
	require.Equal(t, [4]uint32{4, 5, 6, 7}, x.at(t, 1.75, -1, 2), "wrapped, as it begins")
	require.NoError(t, th.TexRefSetAddressMode(x.ref, 0, driver.AddressBorder))
	require.Equal(t, [4]uint32{}, x.at(t, 1.75, -1, 2))

	require.NoError(t, th.TexRefSetFlags(x.ref, 0))
	require.NoError(t, th.TexRefSetFilterMode(x.ref, driver.FilterLinear))
	middle := x.at(t, 1, 1, 1)
	require.InDelta(t, 14.0/255, float64(math.Float32frombits(middle[0])), 1e-6, "the mean of all texels")

	// Destroyed memory is not read: the launch fails.
	require.NoError(t, th.ArrayDestroy(a))
	require.NoError(t, th.Launch(x.f))
	is(t, driver.ErrIllegalAddress, th.CtxSynchronize())
}

func TestTextureOverPlane(t *testing.T) {
	th, _ := current(t)
	x := newTexturing(t, th)
	ptr, pitch, err := th.MemAllocPitch(12, 3, 4)
	require.NoError(t, err)
	for y := range uint32(3) {
		for i := range uint32(3) {
			require.NoError(t, th.MemsetD32(ptr+driver.DevicePtr(uint64(y)*pitch+uint64(4*i)), 10*y+i, 1))
		}
	}
	desc := driver.ArrayDescriptor{Width: 3, Height: 3, Format: driver.FormatUnsignedInt32, Channels: 1}
	require.NoError(t, th.TexRefSetAddress2DV3(x.ref, desc, ptr, pitch))
	require.Equal(t, uint32(12), x.at(t, 2.5, 1.5, 0)[0])
	require.Equal(t, uint32(20), x.at(t, -1, 99, 0)[0], "clamped")
	got, err := th.TexRefGetAddress(x.ref)
	require.NoError(t, err)
	require.Equal(t, ptr, got)
}

func TestTextureOverLine(t *testing.T) {
	th, _ := current(t)
	x := newTexturing(t, th)
	ptr := alloc(t, th, 16)
	require.NoError(t, th.MemsetD8(ptr, 255, 16))
	require.NoError(t, th.TexRefSetAddress(x.ref, ptr, 4, nil))
	require.NoError(t, th.TexRefSetFormat(x.ref, driver.FormatUnsignedInt8, 2))
	one := math.Float32bits(1)
	require.Equal(t, [4]uint32{one, one}, x.at(t, 1.9, 0, 0))
	require.Equal(t, [4]uint32{}, x.at(t, 2, 0, 0), "outside")
}

func TestTexRefQueries(t *testing.T) {
	th, _ := current(t)
	ref, err := th.TexRefCreate()
	require.NoError(t, err)
	format, channels, err := th.TexRefGetFormat(ref)
	require.NoError(t, err)
	require.Equal(t, driver.FormatFloat, format)
	require.Equal(t, 1, channels)
	_, err = th.TexRefGetAddress(ref)
	is(t, driver.ErrInvalidValue, err, "unbound")
	_, err = th.TexRefGetArray(ref)
	is(t, driver.ErrInvalidValue, err)

	a := array(t, th, driver.ArrayDescriptor{Width: 2, Format: driver.FormatSignedInt16, Channels: 2})
	is(t, driver.ErrInvalidValue, th.TexRefSetArray(ref, a, 2))
	require.NoError(t, th.TexRefSetArray(ref, a, 0))
	format, _, err = th.TexRefGetFormat(ref)
	require.NoError(t, err)
	require.Equal(t, driver.FormatFloat, format, "its own")
	is(t, driver.ErrInvalidHandle, th.TexRefSetArray(ref, 0, driver.TRSAOverrideFormat))
	require.NoError(t, th.TexRefSetArray(ref, a, driver.TRSAOverrideFormat))
	got, err := th.TexRefGetArray(ref)
	require.NoError(t, err)
	require.Equal(t, a, got)
	format, channels, err = th.TexRefGetFormat(ref)
	require.NoError(t, err)
	require.Equal(t, driver.FormatSignedInt16, format)
	require.Equal(t, 2, channels)

	require.NoError(t, th.TexRefSetAddressMode(ref, 1, driver.AddressMirror))
	mode, err := th.TexRefGetAddressMode(ref, 1)
	require.NoError(t, err)
	require.Equal(t, driver.AddressMirror, mode)
	_, err = th.TexRefGetAddressMode(ref, 3)
	is(t, driver.ErrInvalidValue, err)
	require.NoError(t, th.TexRefSetFilterMode(ref, driver.FilterLinear))
	filter, err := th.TexRefGetFilterMode(ref)
	require.NoError(t, err)
	require.Equal(t, driver.FilterLinear, filter)
	require.NoError(t, th.TexRefSetFlags(ref, driver.TRSFNormalizedCoordinates))
	flags, err := th.TexRefGetFlags(ref)
	require.NoError(t, err)
	require.Equal(t, uint32(driver.TRSFNormalizedCoordinates), flags)

	require.NoError(t, th.TexRefDestroy(ref))
	is(t, driver.ErrInvalidHandle, th.TexRefDestroy(ref))
	m := load(t, th, "textures.cubin")
	own, err := th.ModuleGetTexRef(m, "image")
	require.NoError(t, err)
	is(t, driver.ErrInvalidValue, th.TexRefDestroy(own), "its module's")
	_, err = th.ModuleGetSurfRef(m, "image")
	is(t, driver.ErrNotFound, err)
	_, err = th.ModuleGetSurfRef(0, "image")
	is(t, driver.ErrInvalidHandle, err)
}

func TestTexRefPlaneErrors(t *testing.T) {
	th, _ := current(t)
	ref, err := th.TexRefCreate()
	require.NoError(t, err)
	ptr := alloc(t, th, 4096)
	plane := func(width, height uint64, channels uint32) driver.ArrayDescriptor {
		return driver.ArrayDescriptor{Width: width, Height: height, Format: driver.FormatFloat, Channels: channels}
	}
	for _, c := range []struct {
		name  string
		desc  driver.ArrayDescriptor
		ptr   driver.DevicePtr
		pitch uint64
		v2    driver.Result
		v3    driver.Result
	}{
		{"good", plane(8, 8, 1), ptr, 64, 0, 0},
		{"odd pitch", plane(8, 8, 1), ptr, 36, 0, 1},
		{"last row beyond the memory", plane(8, 9, 1), ptr + 2048, 256, 1, 1},
		{"unaligned", plane(8, 8, 1), ptr + 64, 64, 1, 1},
		{"short pitch", plane(8, 8, 4), ptr, 64, 1, 1},
		{"huge pitch", plane(8, 1, 1), ptr, 1 << 21, 1, 1},
		{"no width", plane(0, 8, 1), ptr, 64, 1, 1},
		{"no height", plane(8, 0, 1), ptr, 64, 1, 1},
		{"too wide", plane(65001, 1, 1), ptr, 1 << 18, 1, 1},
		{"too high", plane(1, 65001, 1), ptr, 32, 1, 1},
		{"beyond", plane(8, 65, 1), ptr, 64, 1, 1},
		{"three channels", plane(8, 8, 3), ptr, 128, 1, 1},
		{"nowhere", plane(8, 8, 1), 0, 64, 1, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			is(t, c.v2, th.TexRefSetAddress2D(ref, c.desc, c.ptr, c.pitch))
			is(t, c.v3, th.TexRefSetAddress2DV3(ref, c.desc, c.ptr, c.pitch))
		})
	}
	requireCalls(t, th, []callTest{
		{"create", func(th *driver.Thread) error { _, err := th.TexRefCreate(); return err }, 0},
		{"bind", func(th *driver.Thread) error { return th.TexRefSetAddress2D(ref, plane(8, 8, 1), ptr, 64) }, 0},
		{"query", func(th *driver.Thread) error { _, err := th.TexRefGetFlags(ref); return err }, 0},
	})
}
