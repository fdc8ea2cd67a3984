package driver_test

import (
	"math/rand/v2"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"

	"jacquard/libcuda/driver"
)

// place is a kind of memory with the shape that the test's copies have in it.
type place struct {
	name string
	side driver.CopySide
	// bytes reads all of it, as slices of rows of pitch bytes.
	bytes         func() []byte
	pitch, height int
}

const (
	testWidth, testHeight, testDepth = 24, 6, 4 // of arrays, in bytes, rows and slices
)

// places makes one place of each kind, filled at random.
func places(t *testing.T, th *driver.Thread, r *rand.Rand) []place {
	t.Helper()
	fill := func(n int) []byte {
		b := make([]byte, n)
		for i := range b {
			b[i] = byte(r.Uint32())
		}
		return b
	}
	const hostPitch, hostHeight, devicePitch, deviceHeight = 29, 7, 40, 6
	memory := fill(hostPitch * hostHeight * testDepth)
	ptr := alloc(t, th, devicePitch*deviceHeight*testDepth)
	require.NoError(t, th.MemcpyHtoD(ptr, fill(devicePitch*deviceHeight*testDepth)))
	a := array(t, th, driver.ArrayDescriptor{Width: testWidth / 8, Height: testHeight, Depth: testDepth, Format: driver.FormatHalf, Channels: 4})
	require.NoError(t, th.MemcpyHtoA(a, 0, fill(testWidth*testHeight*testDepth)))
	return []place{
		{
			"host", driver.CopySide{Type: driver.MemoryHost, Host: uintptr(unsafe.Pointer(&memory[0])), Pitch: hostPitch, Height: hostHeight},
			func() []byte { return append([]byte(nil), memory...) }, hostPitch, hostHeight,
		},
		{
			"device", driver.CopySide{Type: driver.MemoryDevice, Device: ptr, Pitch: devicePitch, Height: deviceHeight},
			func() []byte { return fetch(t, th, ptr, devicePitch*deviceHeight*testDepth) }, devicePitch, deviceHeight,
		},
		{
			"array", driver.CopySide{Type: driver.MemoryArray, Array: a},
			func() []byte {
				b := make([]byte, testWidth*testHeight*testDepth)
				require.NoError(t, th.MemcpyAtoH(b, a, 0))
				return b
			}, testWidth, testHeight,
		},
	}
}

// TestCopyAllDirections compares copies of random boxes between all kinds of memory with byte by
// byte copies.
func TestCopyAllDirections(t *testing.T) {
	th, _ := current(t)
	r := rand.New(rand.NewPCG(3, 2))
	stream, err := th.StreamCreate(0)
	require.NoError(t, err)
	sources, destinations := places(t, th, r), places(t, th, r)
	for _, from := range sources {
		for _, to := range destinations {
			t.Run(from.name+" to "+to.name, func(t *testing.T) {
				for i := range 40 {
					p := driver.Copy{Src: from.side, Dst: to.side}
					p.Width, p.Height, p.Depth = uint64(r.IntN(3)*8), uint64(r.IntN(4)), uint64(r.IntN(3))
					for _, s := range []*driver.CopySide{&p.Src, &p.Dst} {
						s.X, s.Y, s.Z = uint64(r.IntN(2)*8), uint64(r.IntN(3)), uint64(r.IntN(2))
					}
					call := th.Memcpy3D
					switch i % 5 {
					case 1:
						call = func(p driver.Copy) error { return th.Memcpy3DAsync(p, stream) }
					case 2:
						call = th.Memcpy2D
					case 3:
						call = th.Memcpy2DUnaligned
					case 4:
						call = func(p driver.Copy) error { return th.Memcpy2DAsync(p, stream) }
					}
					source, want := from.bytes(), to.bytes()
					err := call(p)
					require.NoError(t, err, "%+v", p)
					if i%5 >= 2 { // the third dimension must not matter
						p.Src.Z, p.Dst.Z, p.Depth = 0, 0, 1
					}
					for z := range int(p.Depth) {
						for y := range int(p.Height) {
							for x := range int(p.Width) {
								at := ((int(p.Dst.Z)+z)*to.height+int(p.Dst.Y)+y)*to.pitch + int(p.Dst.X) + x
								want[at] = source[((int(p.Src.Z)+z)*from.height+int(p.Src.Y)+y)*from.pitch+int(p.Src.X)+x]
							}
						}
					}
					require.Equal(t, want, to.bytes(), "%+v", p)
				}
			})
		}
	}
}

func TestCopyErrors(t *testing.T) {
	th, _ := current(t)
	memory := make([]byte, 4096)
	ptr := alloc(t, th, 4096)
	a := array(t, th, driver.ArrayDescriptor{Width: 8, Height: 8, Depth: 2, Format: driver.FormatFloat, Channels: 1})
	for _, c := range []struct {
		name string
		edit func(*driver.Copy)
		want driver.Result
	}{
		{"good", func(*driver.Copy) {}, 0},
		{"no bytes", func(p *driver.Copy) { p.Width = 0 }, 0},
		{"no rows", func(p *driver.Copy) { p.Height = 0 }, 0},
		{"to an array", func(p *driver.Copy) { p.Dst = driver.CopySide{Type: driver.MemoryArray, Array: a} }, 0},
		{"pitch", func(p *driver.Copy) { p.Src.Pitch = 15 }, driver.ErrInvalidValue},
		{"pitch with x", func(p *driver.Copy) { p.Dst.X = 49 }, driver.ErrInvalidValue},
		{"no pitch for one row", func(p *driver.Copy) { p.Src.Pitch, p.Height, p.Depth = 0, 1, 1 }, 0},
		{"huge pitch", func(p *driver.Copy) { p.Src.Pitch = 1 << 33 }, driver.ErrInvalidValue},
		{"height", func(p *driver.Copy) { p.Src.Height = 3 }, driver.ErrInvalidValue},
		{"no height for one slice", func(p *driver.Copy) { p.Src.Height, p.Depth = 0, 1 }, 0},
		{"level", func(p *driver.Copy) { p.Dst.LOD = 1 }, driver.ErrInvalidValue},
		{"beyond the device", func(p *driver.Copy) { p.Dst.Y = 60 }, driver.ErrInvalidValue},
		{"far beyond", func(p *driver.Copy) { p.Dst.Z = 1 << 31 }, driver.ErrInvalidValue},
		{"farther", func(p *driver.Copy) { p.Dst.Y = ^uint64(0) }, driver.ErrInvalidValue},
		{"wide address", func(p *driver.Copy) { p.Dst.Device = ptr | 1<<40 }, driver.ErrInvalidValue},
		{"wrapped address", func(p *driver.Copy) { p.Dst.Device, p.Dst.X = ^driver.DevicePtr(7), uint64(ptr)+8 }, driver.ErrInvalidValue},
		{"NULL", func(p *driver.Copy) { p.Src.Host = 0 }, driver.ErrInvalidValue},
		{"no such type", func(p *driver.Copy) { p.Src.Type = 0 }, driver.ErrInvalidValue},
		{"unified", func(p *driver.Copy) { p.Src.Type = driver.MemoryUnified }, driver.ErrInvalidValue},
		{"no array", func(p *driver.Copy) { p.Dst = driver.CopySide{Type: driver.MemoryArray} }, driver.ErrInvalidHandle},
		{"part of an element", func(p *driver.Copy) { p.Dst = driver.CopySide{Type: driver.MemoryArray, Array: a, X: 2} }, driver.ErrInvalidValue},
		{"beyond the row", func(p *driver.Copy) { p.Dst = driver.CopySide{Type: driver.MemoryArray, Array: a, X: 20} }, driver.ErrInvalidValue},
		{"beyond the plane", func(p *driver.Copy) { p.Dst = driver.CopySide{Type: driver.MemoryArray, Array: a, Y: 5} }, driver.ErrInvalidValue},
		{"beyond the volume", func(p *driver.Copy) { p.Dst = driver.CopySide{Type: driver.MemoryArray, Array: a, Z: 1} }, driver.ErrInvalidValue},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := driver.Copy{
				Src:   driver.CopySide{Type: driver.MemoryHost, Host: uintptr(unsafe.Pointer(&memory[0])), Pitch: 64, Height: 4},
				Dst:   driver.CopySide{Type: driver.MemoryDevice, Device: ptr, Pitch: 64, Height: 8},
				Width: 16, Height: 4, Depth: 2,
			}
			c.edit(&p)
			is(t, c.want, th.Memcpy3D(p))
		})
	}
	p := driver.Copy{
		Src:   driver.CopySide{Type: driver.MemoryHost, Host: uintptr(unsafe.Pointer(&memory[0])), Pitch: 1<<31 + 8},
		Dst:   driver.CopySide{Type: driver.MemoryDevice, Device: ptr, Pitch: 64},
		Width: 16, Height: 1,
	}
	is(t, driver.ErrInvalidValue, th.Memcpy2D(p), "more than the device's greatest pitch")
	require.NoError(t, th.Memcpy2DUnaligned(p))
	requireCalls(t, th, []callTest{
		{"2D", func(th *driver.Thread) error { return th.Memcpy2DUnaligned(p) }, 0},
		{"3D", func(th *driver.Thread) error { return th.Memcpy3D(p) }, 0},
		{"stream", func(th *driver.Thread) error { return th.Memcpy3DAsync(p, 12345) }, driver.ErrInvalidHandle},
	})
}

func TestMemset2D(t *testing.T) {
	th, _ := current(t)
	ptr := alloc(t, th, 64)
	require.NoError(t, th.MemsetD2D8(ptr, 16, 0xab, 3, 4, 0))
	require.NoError(t, th.MemsetD2D16(ptr+4, 16, 0x1234, 2, 2, 0))
	require.NoError(t, th.MemsetD2D32(ptr+8, 32, 0xdeadbeef, 2, 2, 0))
	row := func(s string) string { return s + string(make([]byte, 16-len(s))) }
	const words = "\xef\xbe\xad\xde\xef\xbe\xad\xde"
	require.Equal(t, row("\xab\xab\xab\x00\x34\x12\x34\x12"+words)+row("\xab\xab\xab\x00\x34\x12\x34\x12")+
		row("\xab\xab\xab\x00\x00\x00\x00\x00"+words)+row("\xab\xab\xab"), string(fetch(t, th, ptr, 64)))
	calls := []callTest{
		{"nothing", func(th *driver.Thread) error { return th.MemsetD2D32(0, 0, 1, 0, 7, 0) }, 0},
		{"no rows", func(th *driver.Thread) error { return th.MemsetD2D32(0, 0, 1, 7, 0, 0) }, 0},
		{"one row needs no pitch", func(th *driver.Thread) error { return th.MemsetD2D8(ptr, 0, 1, 64, 1, 0) }, 0},
		{"one", func(th *driver.Thread) error { return th.MemsetD8Async(ptr, 1, 64, 0) }, 0},
		{"pitch", func(th *driver.Thread) error { return th.MemsetD2D8(ptr, 15, 1, 16, 2, 0) }, driver.ErrInvalidValue},
		{"crooked pitch", func(th *driver.Thread) error { return th.MemsetD2D16(ptr, 15, 1, 2, 2, 0) }, driver.ErrInvalidValue},
		{"crooked address", func(th *driver.Thread) error { return th.MemsetD2D32(ptr+2, 16, 1, 1, 1, 0) }, driver.ErrInvalidValue},
		{"beyond", func(th *driver.Thread) error { return th.MemsetD2D8(ptr, 16, 1, 16, 5, 0) }, driver.ErrInvalidValue},
		{"far beyond", func(th *driver.Thread) error { return th.MemsetD2D32(ptr, 1<<32, 1, 1<<29, 1<<32, 0) }, driver.ErrInvalidValue},
		{"farther", func(th *driver.Thread) error { return th.MemsetD2D32(ptr, 4, 1, 1<<62, 1<<62, 0) }, driver.ErrInvalidValue},
		{"stream", func(th *driver.Thread) error { return th.MemsetD32Async(ptr, 1, 1, 12345) }, driver.ErrInvalidHandle},
		{"stream of a rectangle", func(th *driver.Thread) error { return th.MemsetD2D8(ptr, 16, 1, 1, 1, 12345) }, driver.ErrInvalidHandle},
	}
	requireCalls(t, th, calls)
}
