package driver_test

import (
	"math"
	"os"
	"path/filepath"
	"reflect"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"

	"jacquard/libcuda/driver"
)

// Arguments of a caller that take more than one choice.

// devicePtr returns a place in device memory: at a known address, beside one, or nowhere.
func (c *caller) devicePtr() driver.DevicePtr {
	known := c.answers.of(reflect.TypeFor[driver.DevicePtr]())
	b := c.choose()
	if b >= 230 || len(known) == 0 {
		return of(c, []driver.DevicePtr{0, 1, 4096, 1<<32 - 4096, 1<<32 - 1, 1 << 32, 1 << 63, math.MaxUint64})
	}
	at := driver.DevicePtr(known[len(known)-1-int(b)%len(known)].Uint())
	return at + of(c, []driver.DevicePtr{0, 1, 2, 4, 16, 64, 256, 4096, 1 << 20, 1 << 32})
}

// hostAddress returns an address: of host memory of the driver, of the program's own memory, or of
// none. Pass it only to calls that do not touch unregistered memory.
func (c *caller) hostAddress(where string) uintptr {
	own := uintptr(unsafe.Pointer(&c.program.host[0]))
	b := c.choose()
	if where == "MemHostUnregister 0" && b == 0 {
		return own
	}
	if known := c.answers.of(reflect.TypeFor[uintptr]()); len(known) > 0 && b < 120 && where != "MemHostRegister 0" {
		return uintptr(known[len(known)-1-int(b)%len(known)].Uint())
	}
	return of(c, []uintptr{own, own + 64, own + 4096, own + 4095, own + 65536, own + uintptr(c.program.usable), 0, 1, math.MaxUint - 4095})
}

// ownMemory returns an address that the driver may read and write through, for small copies.
func (c *caller) ownMemory() uintptr {
	own := uintptr(unsafe.Pointer(&c.program.host[0]))
	return of(c, []uintptr{own, own + 1, own + 4096, 0})
}

// bytes returns memory of the program's, or an image where one is wanted.
func (c *caller) bytes(where string) []byte {
	if where != "ModuleLoadData 0" {
		if where == "ParamSetv 2" {
			return c.program.host[:of(c, []int{4, 0, 1, 8, 12, 64, 256, 257})]
		}
		from := of(c, []int{0, 1, 4096})
		return c.program.host[from:][:of(c, []int{64, 0, 1, 4, 63, 256, 4096, 65536})]
	}
	image := of(c, c.program.blobs)
	if b := c.choose(); b != 0 { // truncated, or one byte changed
		at := (int(b)<<8 + int(c.choose())) % len(image)
		if b&1 == 0 {
			return image[:at]
		}
		image = append([]byte{}, image...)
		image[at] ^= c.choose()
	}
	return image
}

// image returns the address of an image.
func (c *caller) image() uint64 {
	if b := c.choose(); b < 230 {
		return c.program.places[int(b)%len(c.program.places)]
	}
	return of(c, []uint64{0, 1, c.program.places[0] + 1, c.program.places[2] + 4, math.MaxUint64})
}

// jitOptions returns any options with values that mostly make sense.
func (c *caller) jitOptions() (o driver.JITOptions) {
	for range int(c.choose()) % 8 {
		v := of(c, []uintptr{0, 1, 2, 3, 4, 10, 13, 16, 20, 32, 64, 256, 512, 513, math.MaxUint32, math.MaxUint})
		o.Given = append(o.Given, driver.JITValue{Option: driver.JITOption(c.choose()%20) - 2, Value: v})
	}
	o.InfoLog, o.ErrorLog = c.program.host[:of(c, []int{0, 1, 7, 4096})], c.program.host[8192:][:of(c, []int{0, 1, 7, 4096})]
	if c.choose()&1 == 0 {
		o.Answer = func(driver.JITOption, uintptr) {}
	}
	return o
}

func (c *caller) format() driver.ArrayFormat {
	return of(c, []driver.ArrayFormat{driver.FormatUnsignedInt32, driver.FormatUnsignedInt8, driver.FormatSignedInt16, driver.FormatHalf, driver.FormatFloat, 0, 4, math.MaxUint32})
}

func (c *caller) descriptor() driver.ArrayDescriptor {
	d := driver.ArrayDescriptor{Format: c.format(), Width: of(c, lengths), Channels: of(c, []uint32{1, 2, 4, 3, 0, math.MaxUint32})}
	more := append([]uint64{1}, lengths...)
	d.Height, d.Depth = of(c, more), of(c, append([]uint64{0}, more...))
	d.Flags = of(c, []uint32{0, 1, 2, math.MaxUint32})
	return d
}

// launchArguments are pointers and small numbers, in either form.
func (c *caller) launchArguments() driver.Arguments {
	var packed []byte
	for range of(c, []int{4, 0, 1, 2, 5, 63, 64, 65}) {
		word := uint32(c.devicePtr())
		if b := c.choose(); b != 0 {
			word = uint32(b)
		}
		packed = le.AppendUint32(packed, word)
	}
	value := func(index, size int) []byte {
		return packed[min(4*index, len(packed)):][:min(size, max(len(packed)-4*index, 0))]
	}
	switch of(c, []int{0, 1, 2, 3}) {
	case 1:
		return driver.Arguments{Value: value}
	case 2:
		return driver.Arguments{}
	case 3:
		return driver.Arguments{Packed: packed, Value: value}
	}
	return driver.Arguments{Packed: packed}
}

// copy returns a copy between any two sides. All sizes are small if the program's memory takes
// part.
func (c *caller) copy() driver.Copy {
	kinds := []driver.MemoryType{driver.MemoryDevice, driver.MemoryArray, driver.MemoryHost, driver.MemoryUnified, 0, math.MaxUint32}
	p := driver.Copy{Src: driver.CopySide{Type: of(c, kinds)}, Dst: driver.CopySide{Type: of(c, kinds)}}
	sizes, pitches := lengths, sizes
	if p.Src.Type == driver.MemoryHost || p.Dst.Type == driver.MemoryHost {
		sizes, pitches = small, []uint64{64, 0, 1, 4, 16, 100, 256}
	}
	p.Width, p.Height, p.Depth = of(c, sizes), of(c, append([]uint64{1}, sizes...)), of(c, append([]uint64{1}, sizes...))
	for _, s := range []*driver.CopySide{&p.Src, &p.Dst} {
		offsets := append([]uint64{0}, sizes...)
		s.Pitch, s.Height = of(c, pitches), of(c, append([]uint64{1}, sizes...))
		s.X, s.Y, s.Z = of(c, offsets), of(c, offsets), of(c, offsets)
		s.LOD = of(c, []uint64{0, 0, 0, 1})
		switch s.Type {
		case driver.MemoryHost:
			s.Host = c.ownMemory()
		case driver.MemoryDevice:
			s.Device = c.devicePtr()
		default:
			s.Array = driver.Array(c.handle(reflect.TypeFor[driver.Array]()).Uint())
		}
	}
	return p
}

// callback is a stream callback. No CUDA call works in it.
func (c *caller) callback() {
	for _, err := range []error{c.thread.CtxSynchronize(), c.thread.Init(0)} {
		if r := driver.ResultOf(err); r != driver.ErrNotPermitted && r != driver.Success {
			panic("a call in a stream's callback answers " + r.Error())
		}
	}
}

// readFile returns a file of testdata.
func readFile(t testing.TB, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", name))
	require.NoError(t, err)
	return data
}
