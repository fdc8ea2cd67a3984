package driver_test

import (
	"fmt"
	"io"
	"math"
	"path/filepath"
	"reflect"
	"runtime"
	"runtime/debug"
	"slices"
	"sync"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/cubin"
	"jacquard/internal/test/cubintest"
	"jacquard/libcuda/driver"
)

// calls are all calls that a thread can make on the driver.
var calls = func() (all []reflect.Method) {
	thread := reflect.TypeFor[*driver.Thread]()
	for i := range thread.NumMethod() {
		all = append(all, thread.Method(i))
	}
	return all
}()

// caller makes calls of any kind. It picks arguments by type, so a new call needs no change here if
// the types of its arguments are known.
type caller struct {
	d       *driver.Driver
	thread  *driver.Thread
	answers *answers
	choices []byte // select the next arguments; 0, or no choice, is the ordinary argument
	program *program
}

// answers are results of calls that can be arguments of later calls. Several callers may share
// them.
type answers struct {
	mu     sync.Mutex
	byType map[reflect.Type][]reflect.Value // the newest last
}

func (a *answers) add(v reflect.Value) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.byType == nil {
		a.byType = map[reflect.Type][]reflect.Value{}
	}
	a.byType[v.Type()] = append(a.byType[v.Type()], v)
}

// of returns the answers of a type. The slice is never changed.
func (a *answers) of(typ reflect.Type) []reflect.Value {
	a.mu.Lock()
	defer a.mu.Unlock()
	return slices.Clip(a.byType[typ])
}

// program is the memory of a made-up program.
type program struct {
	// Calls use the first bytes of host; the rest protects from large sizes.
	host   []byte
	usable int
	images cubintest.Memory
	places []uint64 // of images in it; most calls load the first
	first  uint64   // bytes of the first
	blobs  [][]byte // images as files
}

func newProgram(t testing.TB) *program {
	const usable, reserved = 1 << 20, 4 << 20
	host, err := syscall.Mmap(-1, 0, reserved, syscall.PROT_NONE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, syscall.Munmap(host)) })
	require.NoError(t, syscall.Mprotect(host[:usable], syscall.PROT_READ|syscall.PROT_WRITE))
	p := &program{host: host, usable: usable, images: cubintest.Memory{Word: 32 << (^uint(0) >> 63) / 8}}
	entry := func(c cubin.Container, arch int, data []byte) cubintest.Entry {
		return cubintest.Entry{Container: c, Arch: arch, Data: data}
	}
	for _, name := range []string{"variables.cubin", "vecadd_sm10.cubin", "faults.cubin", "textures.cubin", "vecadd_sm13.cubin"} {
		text := readFile(t, name)
		img, err := cubin.Parse(text)
		require.NoError(t, err)
		elf := cubintest.ELF{Wide: true}.Write(img)
		flat := cubintest.Flat(cubintest.CUDA5, entry(cubin.PTX, 10, []byte(".version 1.4")),
			cubintest.Entry{Container: cubin.ELF, Arch: 10 + int(img.Arch), Data: elf, Compression: cubin.Zlib})
		p.blobs = append(p.blobs, text, elf, cubintest.ELF{}.Write(img), flat)
		p.places = append(p.places, p.images.Add(append(text, 0)), p.images.Add(elf), p.images.Wrapper(flat),
			p.images.Struct(4, "a.cu", entry(cubin.ELF, 10+int(img.Arch), elf)), p.images.Struct(2, "b.cu", entry(cubin.Text, 10+int(img.Arch), text)))
	}
	for _, name := range []string{"vecadd.ptx", "variables.ptx", "broken.ptx"} {
		text := readFile(t, filepath.Join("ptx", name))
		p.blobs, p.places = append(p.blobs, text), append(p.places, p.images.Add(append(text, 0)))
	}
	p.first = uint64(len(p.blobs[0]))
	return p
}

// call makes one call and keeps its answer. Memory that the program does not have answers
// ErrInvalidValue, as behind the C interface.
func (c *caller) call(m reflect.Method, arguments []reflect.Value) (result driver.Result) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		if cause := recover(); cause != nil {
			if _, ok := cause.(interface {
				runtime.Error
				Addr() uintptr
			}); !ok {
				panic(cause)
			}
			result = driver.ErrInvalidValue
		}
	}()
	all := m.Func.Call(append([]reflect.Value{reflect.ValueOf(c.thread)}, arguments...))
	err, _ := all[len(all)-1].Interface().(error)
	if err == nil {
		for _, v := range all[:len(all)-1] {
			if kept[v.Type()] && !v.IsZero() {
				c.answers.add(v)
			}
		}
	}
	return driver.ResultOf(err)
}

// kept are the types of answers that can be arguments of later calls.
var kept = map[reflect.Type]bool{
	reflect.TypeFor[driver.Context](): true, reflect.TypeFor[driver.Module](): true, reflect.TypeFor[driver.Function](): true,
	reflect.TypeFor[driver.Stream](): true, reflect.TypeFor[driver.Event](): true, reflect.TypeFor[driver.TexRef](): true,
	reflect.TypeFor[driver.Array](): true, reflect.TypeFor[driver.DevicePtr](): true, reflect.TypeFor[uintptr](): true,
	reflect.TypeFor[driver.Link](): true, reflect.TypeFor[driver.GraphicsResource](): true,
}

// arguments returns arguments for a call.
func (c *caller) arguments(m reflect.Method) []reflect.Value {
	var values []reflect.Value
	for i := 1; i < m.Type.NumIn(); i++ {
		values = append(values, c.argument(fmt.Sprintf("%s %d", m.Name, i-1), m.Type.In(i)))
	}
	return values
}

// usual are the ordinary arguments that do not follow from their types, by call and place.
var usual = map[string]any{
	"DeviceGetByPCIBusId 0": "0000:01:00.0", "ModuleLoad 0": "testdata/variables.cubin",
	"LinkAddFile 2":       "testdata/variables.cubin",
	"ModuleGetFunction 1": "gather", "ModuleGetTexRef 1": "image", "ModuleGetGlobal 1": "counter", "GetProcAddress 0": "cuMemAlloc",
	"FuncSetBlockShape 1": 1, "FuncSetBlockShape 2": 1, "FuncSetBlockShape 3": 1, "GetProcAddress 1": 4000,
	"LaunchGrid 1": 1, "LaunchGrid 2": 1, "LaunchGridAsync 1": 1, "LaunchGridAsync 2": 1,
	"OccupancyMaxActiveBlocksPerMultiprocessor 1": 64, "ParamSetTexRef 1": driver.ParamTRDefault, "TexRefSetFormat 2": 1,
	"DeviceGetAttribute 0": driver.AttributeMaxThreadsPerBlock, "PointerGetAttribute 0": driver.PointerContext, "DeviceCanAccessPeer 1": driver.Device(1),
	"MemAllocPitch 2": uint32(4), "ParamSetSize 1": uint32(4),
	"MemcpyHtoA 1": uint64(0), "MemcpyHtoAAsync 1": uint64(0), "MemcpyAtoH 2": uint64(0), "MemcpyAtoHAsync 2": uint64(0),
	"MemcpyDtoA 1": uint64(0), "MemcpyAtoD 2": uint64(0), "MemcpyAtoA 1": uint64(0), "MemcpyAtoA 3": uint64(0),
	"MemsetD16 2": uint64(4), "MemsetD16Async 2": uint64(4), "MemsetD32 2": uint64(4), "MemsetD32Async 2": uint64(4),
	"MemsetD2D8 3": uint64(4), "MemsetD2D16 3": uint64(4), "MemsetD2D32 3": uint64(4),
	"MemsetD2D8 4": uint64(1), "MemsetD2D16 4": uint64(1), "MemsetD2D32 4": uint64(1),
	"GLRegisterBufferObject 0": someBuffer, "GLSetBufferObjectMapFlags 0": someBuffer, "GLUnregisterBufferObject 0": someBuffer,
	"GLMapBufferObject 0": someBuffer, "GLMapBufferObjectAsync 0": someBuffer, "GLUnmapBufferObject 0": someBuffer, "GLUnmapBufferObjectAsync 0": someBuffer,
	"GraphicsGLRegisterBuffer 0": otherBuffer, "GraphicsGLRegisterImage 0": someTexture, "GraphicsGLRegisterImage 1": driver.GLTexture2D, "GLGetDevices 0": driver.GLDeviceListAll,
	"GetProcAddress 2": uint64(0), "OccupancyMaxActiveBlocksPerMultiprocessor 2": uint64(0),
}

// Other values, from harmless to absurd.
var (
	ints    = []int{0, 1, -1, 2, 3, 4, 8, 16, 31, 32, 33, 64, 65, 252, 256, 257, 512, 513, 4000, 65535, 65536, math.MaxInt32, math.MinInt32, math.MaxInt, math.MinInt}
	uints   = []uint32{0, 1, 2, 3, 4, 5, 8, 16, 20, 32, 64, 100, 256, 257, 512, 1000, 16384, 65535, 65536, 1 << 31, math.MaxUint32}
	sizes   = []uint64{64, 0, 1, 2, 3, 4, 8, 16, 63, 65, 100, 256, 300, 4095, 4096, 4097, 65536, 1 << 20, math.MaxUint32, 1 << 32, 1<<32 + 64, 1 << 48, 1 << 63, math.MaxUint64}
	small   = []uint64{4, 0, 1, 2, 3, 5, 8, 16}
	lengths = []uint64{16, 0, 1, 2, 3, 7, 64, 100, 2048, 8193, 1 << 20, 1 << 31, 1 << 40, math.MaxUint64}
	shapes  = [][3]uint32{{1, 1, 1}, {2, 1, 1}, {1, 2, 1}, {64, 1, 1}, {8, 4, 2}, {33, 1, 1}, {512, 1, 1}, {513, 1, 1}, {0, 1, 1}, {1, 1, 2}, {65535, 1, 0}, {65536, 1, 1}, {1, 1, math.MaxUint32}}
	texts   = []string{"vecadd", "gather", "sample", "increment", "good", "wild", "misaligned", "illegal", "trap", "beyond", "unbalanced", "overflow",
		"forever", "stuck", "greedy", "testdata/ptx/vecadd.ptx", "testdata/ptx/broken.ptx", "image", "other", "counter", "weight", "zeros", "unused", "", "\xff\x00", "testdata/faults.cubin", "testdata",
		"0000:02:00.0", "1:2:3.4", "cuCtxCreate", "cuNothing"}
)

// argument returns a value of type typ for the argument called where.
func (c *caller) argument(where string, typ reflect.Type) reflect.Value {
	if v, ok := usual[where]; ok && c.peek() == 0 {
		c.choose()
		return reflect.ValueOf(v)
	}
	switch typ {
	case reflect.TypeFor[driver.DevicePtr]():
		return reflect.ValueOf(c.devicePtr())
	case reflect.TypeFor[uintptr]():
		return reflect.ValueOf(c.hostAddress(where))
	case reflect.TypeFor[driver.Device]():
		return reflect.ValueOf(driver.Device(of(c, []int{0, 1, -1, 2, math.MaxInt32})))
	case reflect.TypeFor[driver.Copy]():
		return reflect.ValueOf(c.copy())
	case reflect.TypeFor[driver.ArrayDescriptor]():
		return reflect.ValueOf(c.descriptor())
	case reflect.TypeFor[driver.Arguments]():
		return reflect.ValueOf(c.launchArguments())
	case reflect.TypeFor[driver.UUID]():
		return reflect.ValueOf(of(c, uuids))
	case reflect.TypeFor[io.ReaderAt]():
		return reflect.ValueOf(&c.program.images)
	case reflect.TypeFor[driver.JITOptions]():
		return reflect.ValueOf(c.jitOptions())
	case reflect.TypeFor[*uint64]():
		return reflect.ValueOf(of(c, []*uint64{new(uint64), nil}))
	case reflect.TypeFor[driver.Destructor]():
		return reflect.ValueOf(of(c, []driver.Destructor{nil, func(driver.Context, uintptr, uintptr) {}}))
	case reflect.TypeFor[func()]():
		return reflect.ValueOf(c.callback)
	case reflect.TypeFor[func(int) uint64]():
		shared := of(c, append([]uint64{0}, sizes...))
		return reflect.ValueOf(func(int) uint64 { return shared })
	case reflect.TypeFor[[]driver.PointerAttribute]():
		list := make([]driver.PointerAttribute, c.choose()%8)
		for i := range list {
			list[i] = driver.PointerAttribute(c.choose() % 8)
		}
		return reflect.ValueOf(list)
	case reflect.TypeFor[[]byte]():
		return reflect.ValueOf(c.bytes(where))
	case reflect.TypeFor[[]driver.GraphicsResource]():
		list := make([]driver.GraphicsResource, of(c, []int{1, 0, 2, 3}))
		for i := range list {
			list[i] = driver.GraphicsResource(c.handle(reflect.TypeFor[driver.GraphicsResource]()).Uint())
		}
		return reflect.ValueOf(list)
	case reflect.TypeFor[[3]uint32]():
		return reflect.ValueOf(of(c, shapes))
	}
	if kept[typ] {
		return c.handle(typ)
	}
	v := reflect.New(typ).Elem()
	switch typ.Kind() {
	case reflect.Int:
		v.SetInt(int64(of(c, ints)))
		if typ.Name() != "int" {
			v.SetInt(int64(int8(c.choose()))) // an enumeration
		}
	case reflect.Uint8, reflect.Uint16:
		v.SetUint(uint64(c.choose()))
	case reflect.Uint32:
		v.SetUint(uint64(of(c, uints)))
		if typ.Name() == "ArrayFormat" {
			v.SetUint(uint64(c.format()))
		}
	case reflect.Uint64:
		switch where {
		case "ModuleLoadFatBinary 1", "ModuleLoadDataEx 1", "LinkAddData 3":
			v.SetUint(c.image())
		case "LinkAddData 4":
			v.SetUint(of(c, append([]uint64{c.program.first}, sizes...)))
		case "PointerGetAttribute 1", "PointerGetAttributes 1":
			v.SetUint(uint64(c.devicePtr()))
		default:
			v.SetUint(of(c, sizes))
		}
	case reflect.String:
		v.SetString(of(c, texts))
	default:
		panic(fmt.Sprintf("no values of type %v for %s", typ, where))
	}
	return v
}

// choose returns the next choice.
func (c *caller) choose() byte {
	b := c.peek()
	if len(c.choices) > 0 {
		c.choices = c.choices[1:]
	}
	return b
}

func (c *caller) peek() byte {
	if len(c.choices) == 0 {
		return 0
	}
	return c.choices[0]
}

// of chooses one of values; the first is the ordinary one.
func of[T any](c *caller, values []T) T { return values[int(c.choose())%len(values)] }

// handle returns a handle: one from an earlier call, an invalid one, or one of another kind.
func (c *caller) handle(typ reflect.Type) reflect.Value {
	v := reflect.New(typ).Elem()
	from := c.answers.of(typ)
	switch b := c.choose(); {
	case b >= 250:
		v.SetUint(math.MaxUint32 - uint64(b))
		return v
	case b >= 240:
		return v // NULL
	case b >= 220:
		from = nil
		for _, other := range []reflect.Type{reflect.TypeFor[driver.Context](), reflect.TypeFor[driver.Function](), reflect.TypeFor[driver.Stream](), reflect.TypeFor[driver.TexRef]()} {
			if other != typ {
				from = append(from, c.answers.of(other)...)
			}
		}
		fallthrough
	default:
		if len(from) > 0 {
			v.SetUint(from[len(from)-1-int(b)%len(from)].Uint())
		}
		return v
	}
}

var uuids = []driver.UUID{
	{0x6b, 0xd5, 0xfb, 0x6c, 0x5b, 0xf4, 0xe7, 0x4a, 0x89, 0x87, 0xd9, 0x39, 0x12, 0xfd, 0x9d, 0xf9},
	{0xc6, 0x93, 0x33, 0x6e, 0x11, 0x21, 0xdf, 0x11, 0xa8, 0xc3, 0x68, 0xf3, 0x55, 0xd8, 0x95, 0x93},
	{},
}
