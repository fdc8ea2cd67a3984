package driver_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/libcuda/driver"
	"jacquard/libcuda/driver/knobs"
	"jacquard/simt/mem/texture"
)

// shadow is a Listener that follows memory by its changes alone. At each launch it compares with
// the driver's memory.
type shadow struct {
	mu       sync.Mutex
	contexts map[driver.Context]*shadowed
	wrong    []string
	launches int
}

// shadowed is the memory of a context.
type shadowed struct {
	memory  map[uint32][]byte
	host    map[uint32]bool // mapped host memory, which the program writes at any time
	modules map[driver.Module][]uint32
	arrays  map[driver.Array][]byte
}

func newShadow() *shadow { return &shadow{contexts: map[driver.Context]*shadowed{}} }

func newShadowed() *shadowed {
	return &shadowed{map[uint32][]byte{}, map[uint32]bool{}, map[driver.Module][]uint32{}, map[driver.Array][]byte{}}
}

func (s *shadow) Note(c driver.Change) {
	s.mu.Lock()
	defer s.mu.Unlock()
	defer func() {
		if cause := recover(); cause != nil {
			s.wrong = append(s.wrong, fmt.Sprintf("%T: %v", c, cause))
		}
	}()
	switch c := c.(type) {
	case driver.ContextCreated:
		s.contexts[c.Context] = newShadowed()
	case driver.ContextEnds:
		delete(s.contexts, c.Context)
	case driver.ContextEmpties:
		s.contexts[c.Context] = newShadowed()
	case driver.ModuleLoaded:
		s.contexts[c.Context].modules[c.Module] = nil
	case driver.ModuleUnloads:
		delete(s.contexts[c.Context].modules, c.Module)
	case driver.MemoryAllocated:
		s.contexts[c.Context].memory[c.Address] = make([]byte, len(c.Memory))
	case driver.HostMapped:
		s.contexts[c.Context].host[c.Address] = true
	case driver.MemoryFrees:
		delete(s.contexts[c.Context].memory, c.Address)
		delete(s.contexts[c.Context].host, c.Address)
	case driver.MemoryWritten:
		for at, b := range s.contexts[c.Context].memory {
			if offset := uint64(c.Address - at); offset < uint64(len(b)) {
				for y := range c.Height {
					copy(b[offset+y*c.Pitch:][:c.Width], c.Data[y*c.Pitch:])
				}
			}
		}
	case driver.ArrayCreated:
		s.contexts[c.Context].arrays[c.Array] = nil
	case driver.ArrayWritten:
		s.contexts[c.Context].arrays[c.Array] = bytes.Clone(c.Texels)
	case driver.ArrayDestroys:
		delete(s.contexts[c.Context].arrays, c.Array)
	case driver.LaunchBegins:
		s.launches++
		s.compare(c)
		c.Request.Global.ForgetWritten()
	case driver.LaunchEnds:
		memory := s.contexts[c.Of()].memory
		for at, b := range c.Request.Global.All() {
			if before, known := memory[at]; known {
				if !bytes.Equal(before, b) && !c.Request.Global.Written(at) {
					s.wrong = append(s.wrong, fmt.Sprintf("launch %d: memory at %#x has changed, and was not written", s.launches, at))
				}
				memory[at] = bytes.Clone(b)
			}
		}
	}
}

// compare checks all memory of a launch.
func (s *shadow) compare(l driver.LaunchBegins) {
	c := s.contexts[l.Of()]
	found := 0
	for at, b := range l.Request.Global.All() {
		want, known := c.memory[at]
		switch {
		case known && !bytes.Equal(want, b):
			s.wrong = append(s.wrong, fmt.Sprintf("launch %d: memory at %#x", s.launches, at))
		case known || c.host[at]:
			found++
		}
	}
	if found != len(c.memory)+len(c.host) {
		s.wrong = append(s.wrong, "memory that the launch does not have")
	}
	if _, known := c.modules[driver.Module(l.Module)]; !known {
		s.wrong = append(s.wrong, "a kernel of no module")
	}
	for _, b := range l.Textures {
		if b.Name != "" && b.Texture.Kind == texture.Array && b.Texture.Texels != nil {
			want, known := c.arrays[driver.Array(b.Array)]
			if !known || want != nil && !bytes.Equal(want, b.Texture.Texels) {
				s.wrong = append(s.wrong, fmt.Sprintf("launch %d: array %#x", s.launches, b.Array))
			}
		}
	}
}

// diary is a Listener that keeps a text of all changes.
type diary struct{ strings.Builder }

func (d *diary) Note(c driver.Change) {
	switch c := c.(type) {
	case driver.ModuleLoaded:
		fmt.Fprintf(d, "ModuleLoaded %d kernels %s %d variables\n", len(c.Image.Kernels), c.Entry.Target(), len(c.Variables))
	case driver.MemoryWritten:
		fmt.Fprintf(d, "MemoryWritten %#x %d*%d/%d %d bytes\n", c.Address, c.Height, c.Width, c.Pitch, len(c.Data))
	case driver.ArrayWritten:
		fmt.Fprintf(d, "ArrayWritten %d texels\n", len(c.Texels))
	case driver.LaunchBegins:
		fmt.Fprintf(d, "LaunchBegins %s %v %v\n", c.Kernel.Name, c.Request.Grid, c.Request.Params)
	case driver.LaunchEnds:
		fmt.Fprintf(d, "LaunchEnds %s %v refused %t\n", c.Kernel.Name, c.Result, c.Refused)
	case driver.HostMapped:
		fmt.Fprintf(d, "HostMapped %#x %d bytes\n", c.Address, len(c.Memory))
	case driver.MemoryAllocated:
		fmt.Fprintf(d, "MemoryAllocated %#x %d bytes\n", c.Address, len(c.Memory))
	default:
		fmt.Fprintf(d, "%s\n", strings.TrimPrefix(fmt.Sprintf("%T", c), "driver."))
	}
}

func TestListener(t *testing.T) {
	diary := new(diary)
	seen := knobs.Settings{}
	d := driver.New(driver.Config{Settings: knobs.Settings{Device: "8800gtx"}, Output: io.Discard, Listener: func(s knobs.Settings) (driver.Listener, error) {
		seen = s
		return diary, nil
	}})
	th := d.Thread(1)
	require.NoError(t, th.Init(0))
	require.Equal(t, "8800gtx", seen.Device)
	ctx := create(t, th)
	m := load(t, th, "vecadd_sm10.cubin")
	f, err := th.ModuleGetFunction(m, "vecadd")
	require.NoError(t, err)
	p := alloc(t, th, 4096)
	require.NoError(t, th.MemcpyHtoD(p+16, make([]byte, 64)))
	require.NoError(t, th.MemsetD2D32(p, 64, 7, 8, 4, 0))
	require.NoError(t, th.MemcpyDtoD(p, p+8, 4))
	require.Error(t, th.MemcpyHtoD(p, make([]byte, 8192)))
	one := [3]uint32{1, 1, 1}
	require.NoError(t, th.LaunchKernel(f, one, one, 0, 0, driver.Arguments{Packed: words(uint32(p), uint32(p), uint32(p), 1)}))
	is(t, driver.ErrInvalidValue, th.LaunchKernel(f, one, [3]uint32{1, 1, 65}, 0, 0, driver.Arguments{}))
	require.Error(t, th.MemFree(p+4))
	require.NoError(t, th.MemFree(p))
	require.NoError(t, th.LaunchKernel(f, one, one, 0, 0, driver.Arguments{Packed: words(uint32(p), uint32(p), uint32(p), 1)}))
	require.Error(t, th.ModuleUnload(m), "the context is lost")
	require.NoError(t, th.CtxDestroy(ctx))
	require.Equal(t, `ContextCreated
ModuleLoaded 1 kernels sm_10 0 variables
MemoryAllocated 0x1000 4096 bytes
MemoryWritten 0x1010 1*64/64 64 bytes
MemoryWritten 0x1000 4*32/64 224 bytes
MemoryWritten 0x1000 1*4/4 4 bytes
LaunchBegins vecadd [1 1] [0 16 0 0 0 16 0 0 0 16 0 0 1 0 0 0]
LaunchEnds vecadd CUDA_SUCCESS refused false
LaunchBegins vecadd [1 1] []
LaunchEnds vecadd CUDA_ERROR_INVALID_VALUE refused true
MemoryFrees
LaunchBegins vecadd [1 1] [0 16 0 0 0 16 0 0 0 16 0 0 1 0 0 0]
LaunchEnds vecadd CUDA_ERROR_ILLEGAL_ADDRESS refused false
ContextEnds
`, diary.String())
}

func TestListenerRefuses(t *testing.T) {
	log := new(output)
	d := driver.New(driver.Config{Output: log, Listener: func(knobs.Settings) (driver.Listener, error) { return nil, errors.New("no eyes") }})
	is(t, driver.ErrInvalidValue, d.Thread(1).Init(0))
	require.Equal(t, "jacquard: cuInit: no eyes\n", log.String())
}

func TestListenerOfCopies(t *testing.T) {
	diary := new(diary)
	d := driver.New(driver.Config{Output: io.Discard, Listener: func(knobs.Settings) (driver.Listener, error) { return diary, nil }})
	th := d.Thread(1)
	require.NoError(t, th.Init(0))
	create(t, th)
	a := array(t, th, driver.ArrayDescriptor{Width: 8, Height: 4, Depth: 2, Format: driver.FormatFloat, Channels: 1})
	p := alloc(t, th, 1024)
	inArray := driver.CopySide{Type: driver.MemoryArray, Array: a}
	require.NoError(t, th.Memcpy3D(driver.Copy{Src: inArray, Dst: driver.CopySide{Type: driver.MemoryDevice, Device: p, X: 4, Y: 1, Pitch: 48, Height: 8}, Width: 16, Height: 2, Depth: 2}))
	require.NoError(t, th.Memcpy2D(driver.Copy{Src: driver.CopySide{Type: driver.MemoryDevice, Device: p, Pitch: 32}, Dst: inArray, Width: 32, Height: 4}))
	require.NoError(t, th.MemcpyAtoD(p+512, a, 0, 16))
	require.NoError(t, th.MemcpyHtoA(a, 0, make([]byte, 8)))
	at, err := th.MemHostAlloc(4096, driver.MemHostAllocDeviceMap)
	require.NoError(t, err)
	_, err = th.MemHostGetDevicePointer(at, 0)
	require.NoError(t, err)
	require.NoError(t, th.MemFreeHost(at))
	require.NoError(t, th.ArrayDestroy(a))
	require.Equal(t, `ContextCreated
ArrayCreated
MemoryAllocated 0x1000 1024 bytes
MemoryWritten 0x1034 2*16/48 64 bytes
MemoryWritten 0x11b4 2*16/48 64 bytes
ArrayWritten 256 texels
MemoryWritten 0x1200 1*16/16 16 bytes
ArrayWritten 256 texels
HostMapped 0x11000 4096 bytes
MemoryFrees
ArrayDestroys
`, diary.String())
}

// placing is a Listener that chooses the first address, and notes End.
type placing struct{ ended bool }

func (p *placing) Note(driver.Change)                 {}
func (p *placing) FirstAddress(driver.Context) uint32 { return 0x20000000 }
func (p *placing) End()                               { p.ended = true }

func TestListenerPlaces(t *testing.T) {
	p := new(placing)
	d := driver.New(driver.Config{Output: io.Discard, Listener: func(knobs.Settings) (driver.Listener, error) { return p, nil }})
	d.End()
	require.False(t, p.ended, "it has not begun")
	th := d.Thread(1)
	require.NoError(t, th.Init(0))
	ctx := create(t, th)
	require.Equal(t, driver.DevicePtr(0x20000000), alloc(t, th, 4096))
	require.Equal(t, driver.DevicePtr(0x20002000), alloc(t, th, 4096))
	require.NoError(t, th.EndRuntimeContext(ctx))
	require.Equal(t, driver.DevicePtr(0x20000000), alloc(t, th, 4096))
	d.End()
	require.True(t, p.ended)
}
