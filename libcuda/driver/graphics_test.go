package driver_test

import (
	"bytes"
	"io"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/libcuda/driver"
	"jacquard/libcuda/driver/knobs"
)

// sharing returns a thread with a context, and its OpenGL.
func sharing(t *testing.T) (*driver.Thread, *fakeGL) {
	t.Helper()
	gl := newFakeGL()
	d := driver.New(driver.Config{GL: gl, Output: io.Discard})
	th := d.Thread(1)
	require.NoError(t, th.Init(0))
	create(t, th)
	return th, gl
}

// register shares someBuffer.
func register(t *testing.T, th *driver.Thread, flags driver.GraphicsRegisterFlags) driver.GraphicsResource {
	t.Helper()
	r, err := th.GraphicsGLRegisterBuffer(someBuffer, flags)
	require.NoError(t, err)
	return r
}

func TestSharedBuffer(t *testing.T) {
	th, gl := sharing(t)
	copy(gl.buffers[someBuffer], "drawn")
	r := register(t, th, 0)
	list := []driver.GraphicsResource{r}
	_, _, err := th.GraphicsResourceGetMappedPointer(r)
	is(t, driver.ErrNotMapped, err)
	is(t, driver.ErrNotMapped, th.GraphicsUnmapResources(list, 0))

	require.NoError(t, th.GraphicsMapResources(list, 0))
	is(t, driver.ErrAlreadyMapped, th.GraphicsMapResources(list, 0))
	is(t, driver.ErrAlreadyMapped, th.GraphicsUnregisterResource(r))
	is(t, driver.ErrAlreadyMapped, th.GraphicsResourceSetMapFlags(r, 0))
	_, err = th.GraphicsSubResourceGetMappedArray(r, 0, 0)
	is(t, driver.ErrNotMappedAsArray, err)
	ptr, size, err := th.GraphicsResourceGetMappedPointer(r)
	require.NoError(t, err)
	require.EqualValues(t, 256, size)
	is(t, driver.ErrInvalidValue, th.MemFree(ptr), "the memory is the resource's")
	b := make([]byte, 5)
	require.NoError(t, th.MemcpyDtoH(b, ptr))
	require.Equal(t, "drawn", string(b))
	require.NoError(t, th.MemcpyHtoD(ptr, []byte("computed")))
	require.Equal(t, "drawn", string(gl.buffers[someBuffer][:5]), "not before it is unmapped")
	require.NoError(t, th.GraphicsUnmapResources(list, 0))
	require.Equal(t, "computed", string(gl.buffers[someBuffer][:8]))

	require.NoError(t, th.GraphicsMapResources(list, 0))
	again, _, err := th.GraphicsResourceGetMappedPointer(r)
	require.NoError(t, err)
	require.Equal(t, ptr, again)
	require.NoError(t, th.GraphicsUnmapResources(list, 0))
	require.NoError(t, th.GraphicsUnregisterResource(r))
	is(t, driver.ErrInvalidHandle, th.GraphicsUnregisterResource(r))
	free, total, err := th.MemGetInfo()
	require.NoError(t, err)
	require.Equal(t, total, free)
}

// TestSharingFlags checks which way content is copied.
func TestSharingFlags(t *testing.T) {
	for _, c := range []struct {
		name          string
		register      driver.GraphicsRegisterFlags
		mapping       driver.GraphicsMapFlags
		reads, writes int
	}{
		{"none", 0, 0, 1, 1},
		{"registered to read", driver.GraphicsRegisterReadOnly, 0, 1, 0},
		{"registered to discard", driver.GraphicsRegisterWriteDiscard, 0, 0, 1},
		{"mapped to read", 0, driver.GraphicsMapReadOnly, 1, 0},
		{"mapped to discard", 0, driver.GraphicsMapWriteDiscard, 0, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			th, gl := sharing(t)
			list := []driver.GraphicsResource{register(t, th, c.register)}
			require.NoError(t, th.GraphicsResourceSetMapFlags(list[0], c.mapping))
			require.NoError(t, th.GraphicsMapResources(list, 0))
			require.NoError(t, th.GraphicsUnmapResources(list, 0))
			require.Equal(t, []int{c.reads, c.writes}, []int{gl.reads, gl.writes})
		})
	}
	th, _ := sharing(t)
	_, err := th.GraphicsGLRegisterBuffer(someBuffer, driver.GraphicsRegisterSurfaceLdst)
	is(t, driver.ErrInvalidValue, err, "surfaces are for later hardware")
	is(t, driver.ErrInvalidValue, th.GraphicsResourceSetMapFlags(register(t, th, 0), 3))
}

// TestSharingLists maps several resources at once: all of them or none.
func TestSharingLists(t *testing.T) {
	th, gl := sharing(t)
	first := register(t, th, 0)
	second, err := th.GraphicsGLRegisterBuffer(otherBuffer, 0)
	require.NoError(t, err)
	both := []driver.GraphicsResource{first, second}
	is(t, driver.ErrInvalidHandle, th.GraphicsMapResources([]driver.GraphicsResource{first, first}, 0))
	is(t, driver.ErrInvalidHandle, th.GraphicsMapResources([]driver.GraphicsResource{first, 7}, 0))
	is(t, driver.ErrInvalidHandle, th.GraphicsMapResources(both, 7), "no such stream")
	require.NoError(t, th.GraphicsMapResources(nil, 0))
	require.NoError(t, th.GraphicsMapResources(both[:1], 0))
	is(t, driver.ErrAlreadyMapped, th.GraphicsMapResources(both, 0))
	is(t, driver.ErrNotMapped, th.GraphicsUnmapResources(both, 0))
	require.NoError(t, th.GraphicsUnmapResources(both[:1], 0))

	delete(gl.buffers, otherBuffer)
	is(t, driver.ErrMapFailed, th.GraphicsMapResources(both, 0))
	_, _, err = th.GraphicsResourceGetMappedPointer(first)
	is(t, driver.ErrNotMapped, err)
}

// TestSharingFails checks what calls answer when OpenGL's side has changed.
func TestSharingFails(t *testing.T) {
	t.Run("no context", func(t *testing.T) {
		th, gl := sharing(t)
		list := []driver.GraphicsResource{register(t, th, driver.GraphicsRegisterWriteDiscard)}
		gl.absent = true
		_, err := th.GraphicsGLRegisterBuffer(someBuffer, 0)
		is(t, driver.ErrInvalidGraphicsContext, err)
		_, err = th.GraphicsGLRegisterImage(someTexture, driver.GLTexture2D, 0)
		is(t, driver.ErrInvalidGraphicsContext, err)
		_, err = th.GLGetDevices(driver.GLDeviceListAll)
		is(t, driver.ErrInvalidGraphicsContext, err)
		is(t, driver.ErrInvalidGraphicsContext, th.GraphicsMapResources(list, 0))
		gl.absent = false
		require.NoError(t, th.GraphicsMapResources(list, 0))
		gl.absent = true
		is(t, driver.ErrInvalidGraphicsContext, th.GraphicsUnmapResources(list, 0))
		gl.absent = false
		require.NoError(t, th.GraphicsUnmapResources(list, 0), "it was mapped still")
	})
	t.Run("no OpenGL", func(t *testing.T) {
		th, _ := current(t)
		_, err := th.GraphicsGLRegisterBuffer(someBuffer, 0)
		is(t, driver.ErrInvalidGraphicsContext, err)
	})
	t.Run("another size", func(t *testing.T) {
		th, gl := sharing(t)
		list := []driver.GraphicsResource{register(t, th, 0)}
		gl.buffers[someBuffer] = make([]byte, 64)
		is(t, driver.ErrMapFailed, th.GraphicsMapResources(list, 0))
		gl.buffers[someBuffer] = make([]byte, 256)
		require.NoError(t, th.GraphicsMapResources(list, 0))
		gl.buffers[someBuffer] = make([]byte, 64)
		is(t, driver.ErrUnmapFailed, th.GraphicsUnmapResources(list, 0))
	})
	t.Run("OpenGL fails", func(t *testing.T) {
		th, gl := sharing(t)
		list := []driver.GraphicsResource{register(t, th, 0)}
		gl.broken = true
		is(t, driver.ErrMapFailed, th.GraphicsMapResources(list, 0))
		gl.broken = false
		require.NoError(t, th.GraphicsMapResources(list, 0))
		gl.broken = true
		is(t, driver.ErrUnmapFailed, th.GraphicsUnmapResources(list, 0))
	})
	t.Run("no such object", func(t *testing.T) {
		th, _ := sharing(t)
		_, err := th.GraphicsGLRegisterBuffer(77, 0)
		is(t, driver.ErrInvalidHandle, err)
		_, err = th.GraphicsGLRegisterBuffer(emptyBuffer, 0)
		is(t, driver.ErrInvalidValue, err)
		_, err = th.GraphicsGLRegisterImage(77, driver.GLTexture2D, 0)
		is(t, driver.ErrInvalidHandle, err)
	})
}

// TestSharingMeanwhile has OpenGL call functions of the program, and other threads end the context,
// while content is copied: no lock is held.
func TestSharingMeanwhile(t *testing.T) {
	th, gl := sharing(t)
	list := []driver.GraphicsResource{register(t, th, 0)}
	gl.during = func() {
		_, _, err := th.MemGetInfo()
		require.NoError(t, err)
		is(t, driver.ErrAlreadyMapped, th.GraphicsUnregisterResource(list[0]))
	}
	require.NoError(t, th.GraphicsMapResources(list, 0))
	ctx, err := th.CtxGetCurrent()
	require.NoError(t, err)
	gl.during = func() { _ = th.CtxDestroy(ctx) }
	require.NoError(t, th.GraphicsUnmapResources(list, 0), "the content had left the context before")

	th, gl = sharing(t)
	list[0] = register(t, th, 0)
	ctx, err = th.CtxGetCurrent()
	require.NoError(t, err)
	gl.during = func() { require.NoError(t, th.CtxDestroy(ctx)) }
	is(t, driver.ErrContextIsDestroyed, th.GraphicsMapResources(list, 0))
}

func TestBufferObjects(t *testing.T) {
	th, gl := sharing(t)
	require.NoError(t, th.GLInit())
	devices, err := th.GLGetDevices(driver.GLDeviceListAll)
	require.NoError(t, err)
	require.Equal(t, []driver.Device{0}, devices)
	_, err = th.GLGetDevices(4)
	is(t, driver.ErrInvalidValue, err)

	copy(gl.buffers[someBuffer], "old")
	is(t, driver.ErrInvalidValue, th.GLRegisterBufferObject(77))
	is(t, driver.ErrInvalidHandle, th.GLSetBufferObjectMapFlags(someBuffer, 0))
	for _, err := range []error{second(th.GLMapBufferObject(someBuffer)), th.GLUnmapBufferObject(someBuffer), th.GLUnregisterBufferObject(someBuffer)} {
		is(t, driver.ErrInvalidValue, err, "not registered")
	}
	require.NoError(t, th.GLRegisterBufferObject(someBuffer))
	is(t, driver.ErrAlreadyMapped, th.GLRegisterBufferObject(someBuffer))
	is(t, driver.ErrNotMapped, th.GLUnmapBufferObject(someBuffer))
	is(t, driver.ErrInvalidHandle, second(th.GLMapBufferObjectAsync(someBuffer, 7)))
	require.NoError(t, th.GLSetBufferObjectMapFlags(someBuffer, driver.GraphicsMapWriteDiscard))
	ptr, size, err := th.GLMapBufferObject(someBuffer)
	require.NoError(t, err)
	require.EqualValues(t, 256, size)
	is(t, driver.ErrAlreadyMapped, second(th.GLMapBufferObject(someBuffer)))
	is(t, driver.ErrAlreadyMapped, th.GLUnregisterBufferObject(someBuffer))
	require.NoError(t, th.MemsetD8(ptr, 'n', 3))
	require.NoError(t, th.GLUnmapBufferObject(someBuffer))
	require.Equal(t, "nnn\x00", string(gl.buffers[someBuffer][:4]))
	require.NoError(t, th.GLUnregisterBufferObject(someBuffer))
	require.NoError(t, th.GLRegisterBufferObject(someBuffer))
}

func second(_ driver.DevicePtr, _ uint64, err error) error { return err }

// TestSharedTexture maps images as arrays: levels, layers and faces.
func TestSharedTexture(t *testing.T) {
	shape := driver.GLImage{Width: 8, Height: 4, Depth: 1, Format: rgba8}
	layered := shape
	layered.Depth = 3
	for _, c := range []struct {
		name   string
		image  fakeImage
		arrays map[[2]uint32]driver.ArrayDescriptor // by index and level
	}{
		{"2D", fakeImage{target: driver.GLTexture2D, shape: shape, levels: 2}, map[[2]uint32]driver.ArrayDescriptor{
			{0, 0}: {Width: 8, Height: 4}, {0, 1}: {Width: 4, Height: 2},
		}},
		{"rectangle", fakeImage{target: driver.GLTextureRectangle, shape: shape, levels: 1}, map[[2]uint32]driver.ArrayDescriptor{{0, 0}: {Width: 8, Height: 4}}},
		{"renderbuffer", fakeImage{target: driver.GLRenderbuffer, shape: shape, levels: 1}, map[[2]uint32]driver.ArrayDescriptor{{0, 0}: {Width: 8, Height: 4}}},
		{"3D", fakeImage{target: driver.GLTexture3D, shape: layered, levels: 1}, map[[2]uint32]driver.ArrayDescriptor{{0, 0}: {Width: 8, Height: 4, Depth: 3}}},
		{"layers", fakeImage{target: driver.GLTexture2DArray, shape: layered, levels: 1}, map[[2]uint32]driver.ArrayDescriptor{
			{0, 0}: {Width: 8, Height: 4}, {1, 0}: {Width: 8, Height: 4}, {2, 0}: {Width: 8, Height: 4},
		}},
		{"cube", fakeImage{target: driver.GLTextureCubeMap, shape: shape, levels: 1}, map[[2]uint32]driver.ArrayDescriptor{
			{0, 0}: {Width: 8, Height: 4}, {5, 0}: {Width: 8, Height: 4},
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			th, gl := sharing(t)
			gl.images[9] = &c.image
			r, err := th.GraphicsGLRegisterImage(9, c.image.target, 0)
			require.NoError(t, err)
			list := []driver.GraphicsResource{r}
			_, err = th.GraphicsSubResourceGetMappedArray(r, 0, 0)
			is(t, driver.ErrNotMapped, err)
			require.NoError(t, th.GraphicsMapResources(list, 0))
			_, _, err = th.GraphicsResourceGetMappedPointer(r)
			is(t, driver.ErrNotMappedAsPointer, err)
			for _, none := range [][2]uint32{{6, 0}, {0, 7}} {
				_, err := th.GraphicsSubResourceGetMappedArray(r, none[0], none[1])
				is(t, driver.ErrInvalidValue, err)
			}
			for at, want := range c.arrays {
				want.Format, want.Channels = driver.FormatUnsignedInt8, 4
				a, err := th.GraphicsSubResourceGetMappedArray(r, at[0], at[1])
				require.NoError(t, err)
				is(t, driver.ErrArrayIsMapped, th.ArrayDestroy(a))
				desc, err := th.Array3DGetDescriptor(a)
				require.NoError(t, err)
				require.Equal(t, want, desc)
				b := bytes.Repeat([]byte{byte(1 + at[0] + 16*at[1])}, int(want.Width*want.Height*max(want.Depth, 1)*4))
				require.NoError(t, th.MemcpyHtoA(a, 0, b))
			}
			require.NoError(t, th.GraphicsUnmapResources(list, 0))
			for place, b := range c.image.bytes {
				layer := len(b)
				if place.Target == driver.GLTexture2DArray {
					layer /= 3
				}
				for i := range b {
					index := uint32(i / layer)
					if place.Target >= driver.GLTextureFace {
						index = uint32(place.Target - driver.GLTextureFace)
					}
					if _, written := c.arrays[[2]uint32{index, place.Level}]; written {
						require.Equal(t, byte(1+index+16*place.Level), b[i], "%+v", place)
					}
				}
			}
			require.NoError(t, th.GraphicsUnregisterResource(r))
			free, total, err := th.MemGetInfo()
			require.NoError(t, err)
			require.Equal(t, total, free)
		})
	}
}

// TestImagesThatCannotBeShared gives each reason.
func TestImagesThatCannotBeShared(t *testing.T) {
	shape := driver.GLImage{Width: 8, Height: 4, Depth: 1, Format: rgba8}
	with := func(change func(*driver.GLImage)) driver.GLImage {
		changed := shape
		change(&changed)
		return changed
	}
	for _, c := range []struct {
		name   string
		target driver.GLEnum
		shape  driver.GLImage
	}{
		{"RGB", driver.GLTexture2D, with(func(i *driver.GLImage) { i.Format = 0x8051 })},
		{"depth", driver.GLTexture2D, with(func(i *driver.GLImage) { i.Format = 0x81a6 })},
		{"a border", driver.GLTexture2D, with(func(i *driver.GLImage) { i.Border = 1 })},
		{"samples", driver.GLRenderbuffer, with(func(i *driver.GLImage) { i.Samples = 4 })},
		{"no memory", driver.GLTexture2D, with(func(i *driver.GLImage) { i.Width = 0 })},
		{"too large", driver.GLTexture3D, with(func(i *driver.GLImage) { i.Depth = 4096 })},
		{"one dimension", 0x0de0, shape},
		{"another kind", driver.GLTexture3D + 0x10000, shape},
	} {
		t.Run(c.name, func(t *testing.T) {
			th, gl := sharing(t)
			gl.images[9] = &fakeImage{target: c.target, shape: c.shape, levels: 1}
			_, err := th.GraphicsGLRegisterImage(9, c.target, 0)
			is(t, driver.ErrInvalidValue, err)
			free, total, err := th.MemGetInfo()
			require.NoError(t, err)
			require.Equal(t, total, free)
		})
	}
}

// TestSharedFormats registers an image of every format of NVIDIA's documentation that has a name in
// OpenGL 3.0, and checks the element that an array has.
func TestSharedFormats(t *testing.T) {
	for _, c := range []struct {
		internal driver.GLEnum
		format   driver.ArrayFormat
		channels uint32
	}{
		{4, driver.FormatUnsignedInt8, 4}, {0x1908, driver.FormatUnsignedInt8, 4}, {0x8058, driver.FormatUnsignedInt8, 4},
		{0x805b, driver.FormatUnsignedInt16, 4}, {0x881a, driver.FormatHalf, 4}, {0x8814, driver.FormatFloat, 4},
		{0x8d7c, driver.FormatUnsignedInt8, 4}, {0x8d76, driver.FormatUnsignedInt16, 4}, {0x8d70, driver.FormatUnsignedInt32, 4},
		{0x8d8e, driver.FormatSignedInt8, 4}, {0x8d88, driver.FormatSignedInt16, 4}, {0x8d82, driver.FormatSignedInt32, 4},
		{0x8229, driver.FormatUnsignedInt8, 1}, {0x822e, driver.FormatFloat, 1}, {0x8235, driver.FormatSignedInt32, 1},
		{0x822b, driver.FormatUnsignedInt8, 2}, {0x822f, driver.FormatHalf, 2}, {0x823c, driver.FormatUnsignedInt32, 2},
		{0x1909, driver.FormatUnsignedInt8, 1}, {0x8818, driver.FormatFloat, 1}, {0x8048, driver.FormatUnsignedInt16, 2},
		{0x803c, driver.FormatUnsignedInt8, 1}, {0x804d, driver.FormatUnsignedInt16, 1},
	} {
		th, gl := sharing(t)
		gl.images[9] = &fakeImage{target: driver.GLTexture2D, shape: driver.GLImage{Width: 8, Height: 4, Depth: 1, Format: c.internal}, levels: 1}
		r, err := th.GraphicsGLRegisterImage(9, driver.GLTexture2D, 0)
		require.NoError(t, err)
		require.NoError(t, th.GraphicsMapResources([]driver.GraphicsResource{r}, 0))
		a, err := th.GraphicsSubResourceGetMappedArray(r, 0, 0)
		require.NoError(t, err)
		desc, err := th.ArrayGetDescriptor(a)
		require.NoError(t, err)
		require.Equal(t, driver.ArrayDescriptor{Width: 8, Height: 4, Format: c.format, Channels: c.channels}, desc, "%#x", c.internal)
	}
}

// TestSharingIsHeard checks that a listener follows the content of shared objects.
func TestSharingIsHeard(t *testing.T) {
	gl, s := newFakeGL(), newShadow()
	d := driver.New(driver.Config{GL: gl, Output: io.Discard, Listener: func(knobs.Settings) (driver.Listener, error) { return s, nil }})
	th := d.Thread(1)
	require.NoError(t, th.Init(0))
	ctx := create(t, th)
	copy(gl.buffers[someBuffer], "drawn")
	r := register(t, th, 0)
	require.NoError(t, th.GraphicsMapResources([]driver.GraphicsResource{r}, 0))
	ptr, _, err := th.GraphicsResourceGetMappedPointer(r)
	require.NoError(t, err)
	require.Equal(t, "drawn", string(s.contexts[ctx].memory[uint32(ptr)][:5]))
	require.NoError(t, th.GraphicsUnmapResources([]driver.GraphicsResource{r}, 0))
	require.NoError(t, th.GraphicsUnregisterResource(r))
	require.Empty(t, s.contexts[ctx].memory)
	require.NoError(t, th.CtxDestroy(ctx))
	require.Zero(t, d.Held().Handles)
}
