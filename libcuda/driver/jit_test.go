package driver_test

import (
	"bytes"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/cubin"
	"jacquard/internal/test/cubintest"
	"jacquard/libcuda/driver"
	"jacquard/libcuda/driver/knobs"
	"jacquard/ptx/jit"
	"jacquard/ptx/jit/cache"
	"jacquard/tesla"
)

// compiler returns a thread with a context on a device, of a driver with settings for PTX.
func compiler(t *testing.T, device string, s jit.Settings) (*driver.Thread, *output) {
	t.Helper()
	log := new(output)
	d := driver.New(driver.Config{Settings: knobs.Settings{Device: device}, JIT: s, Output: log})
	th := d.Thread(1)
	require.NoError(t, th.Init(0))
	create(t, th)
	return th, log
}

// ptx returns a file of testdata/ptx.
func ptx(t testing.TB, name string) []byte { return readFile(t, filepath.Join("ptx", name+".ptx")) }

// given makes options of pairs.
func given(pairs ...uintptr) (all []driver.JITValue) {
	for i := 0; i < len(pairs); i += 2 {
		all = append(all, driver.JITValue{Option: driver.JITOption(pairs[i]), Value: pairs[i+1]})
	}
	return all
}

// loadEx loads a file with options.
func loadEx(th *driver.Thread, file []byte, o driver.JITOptions) (driver.Module, error) {
	memory := &cubintest.Memory{Word: 8}
	return th.ModuleLoadDataEx(memory, memory.Add(append(bytes.Clone(file), 0)), o)
}

// runVecadd checks that a module has the kernel vecadd, which adds.
func runVecadd(t *testing.T, th *driver.Thread, m driver.Module) {
	t.Helper()
	f, err := th.ModuleGetFunction(m, "vecadd")
	require.NoError(t, err)
	a, c := alloc(t, th, 8), alloc(t, th, 8)
	require.NoError(t, th.MemcpyHtoD(a, words(math.Float32bits(1.5), math.Float32bits(-4))))
	args := driver.Arguments{Packed: words(uint32(a), uint32(a), uint32(c), 2)}
	require.NoError(t, th.LaunchKernel(f, [3]uint32{1, 1, 1}, [3]uint32{2, 1, 1}, 0, 0, args))
	require.Equal(t, words(math.Float32bits(3), math.Float32bits(-8)), fetch(t, th, c, 8))
}

// TestEveryWayToLoadPTX loads PTX by every call, on every device.
func TestEveryWayToLoadPTX(t *testing.T) {
	for _, device := range []string{"8800gtx", "9800gx2", "gt240", "gtx280"} {
		t.Run(device, func(t *testing.T) {
			th, log := compiler(t, device, jit.Settings{})
			m, err := th.ModuleLoad("testdata/ptx/vecadd.ptx")
			require.NoError(t, err)
			runVecadd(t, th, m)
			m, err = th.ModuleLoadData(append(ptx(t, "vecadd"), 0, 0))
			require.NoError(t, err)
			runVecadd(t, th, m)
			m, err = loadEx(th, ptx(t, "vecadd"), driver.JITOptions{})
			require.NoError(t, err)
			runVecadd(t, th, m)

			entry := cubintest.Entry{Container: cubin.PTX, Arch: 10, Source: "vecadd.cu", Data: ptx(t, "vecadd")}
			memory := &cubintest.Memory{Word: 8}
			for _, at := range []uint64{memory.Wrapper(cubintest.Flat(cubintest.CUDA5, entry)), memory.Struct(4, "a.cu", entry), memory.Struct(1, "a.cu", entry)} {
				m, err = th.ModuleLoadFatBinary(memory, at)
				require.NoError(t, err)
				runVecadd(t, th, m)
			}
			require.Empty(t, log.String())
		})
	}
}

func TestVariablesOfPTX(t *testing.T) {
	th, _ := compiler(t, "gtx280", jit.Settings{})
	m, err := th.ModuleLoadData(ptx(t, "variables"))
	require.NoError(t, err)
	for name, want := range map[string][]byte{"weight": words(0x11111111), "counters": words(1, 2, 0x22222222, 0), "zeros": make([]byte, 8)} {
		at, size, err := th.ModuleGetGlobal(m, name)
		require.NoError(t, err, name)
		require.Equal(t, uint64(len(want)), size, name)
		require.Equal(t, want, fetch(t, th, at, len(want)), name)
	}
	at, _, err := th.ModuleGetGlobal(m, "zeros")
	require.NoError(t, err)
	require.NoError(t, th.MemcpyHtoD(at, words(0x44444444)))
	f, err := th.ModuleGetFunction(m, "gather")
	require.NoError(t, err)
	out := alloc(t, th, 16)
	one := [3]uint32{1, 1, 1}
	value := func(int, int) []byte { return words(uint32(out), 0) }
	require.NoError(t, th.LaunchKernel(f, one, one, 64, 0, driver.Arguments{Value: value}))
	require.Equal(t, words(0x11111111, 0x22222222, 0x44444444, 0x33333333), fetch(t, th, out, 16))
	for attribute, want := range map[driver.FuncAttribute]int{driver.FuncPTXVersion: 20, driver.FuncBinaryVersion: 13} {
		got, err := th.FuncGetAttribute(attribute, f)
		require.NoError(t, err)
		require.Equal(t, want, got)
	}
}

func TestTextureOfPTX(t *testing.T) {
	th, _ := compiler(t, "gtx280", jit.Settings{})
	m, err := th.ModuleLoadData(ptx(t, "texture"))
	require.NoError(t, err)
	texels := alloc(t, th, 8)
	require.NoError(t, th.MemcpyHtoD(texels, words(7, 9)))
	ref, err := th.ModuleGetTexRef(m, "image")
	require.NoError(t, err)
	require.NoError(t, th.TexRefSetFormat(ref, driver.FormatUnsignedInt32, 1))
	require.NoError(t, th.TexRefSetFlags(ref, driver.TRSFReadAsInteger))
	require.NoError(t, th.TexRefSetAddress(ref, texels, 8, nil))
	f, err := th.ModuleGetFunction(m, "sample")
	require.NoError(t, err)
	out := alloc(t, th, 8)
	require.NoError(t, th.LaunchKernel(f, [3]uint32{1, 1, 1}, [3]uint32{2, 1, 1}, 0, 0, driver.Arguments{Packed: words(uint32(out))}))
	require.Equal(t, words(7, 9), fetch(t, th, out, 8))
}

// TestWhichCode loads a module of machine code and of PTX for several architectures, with every
// setting.
func TestWhichCode(t *testing.T) {
	code := func(arch int) cubintest.Entry {
		img := image(t, "vecadd_sm10.cubin")
		img.Kernels[0].Name = "code"
		return cubintest.Entry{Container: cubin.ELF, Arch: arch, Data: cubintest.ELF{}.Write(img)}
	}
	text := func(arch string, number int) cubintest.Entry {
		return cubintest.Entry{Container: cubin.PTX, Arch: number, Data: []byte(".version 3.0\n.target sm_" + arch + "\n.entry ptx" + arch + " { exit; }\n")}
	}
	p10, p11, p20, p30 := text("10", 10), text("11", 11), text("20", 20), text("30", 30)
	force, disable := jit.Settings{Force: true}, jit.Settings{Disable: true}
	both := jit.Settings{Force: true, Disable: true}
	prefer := given(uintptr(driver.JITFallbackStrategy), 0)
	for _, c := range []struct {
		name    string
		knob    string
		set     jit.Settings
		options []driver.JITValue
		entries []cubintest.Entry
		want    string // the kernel that is loaded, or the advice
	}{
		{"code before PTX", "any", jit.Settings{}, nil, []cubintest.Entry{p11, code(10)}, "code"},
		{"PTX rather than older code", "any", jit.Settings{}, prefer, []cubintest.Entry{p11, code(10)}, "ptx11"},
		{"its own code in any case", "any", jit.Settings{}, prefer, []cubintest.Entry{p11, code(11)}, "code"},
		{"older code rather than nothing", "any", jit.Settings{}, prefer, []cubintest.Entry{code(10)}, "code"},
		{"older code as asked for", "any", jit.Settings{}, given(uintptr(driver.JITFallbackStrategy), 1), []cubintest.Entry{p11, code(10)}, "code"},
		{"forced", "any", force, nil, []cubintest.Entry{code(10), p10}, "ptx10"},
		{"forced, without PTX", "any", force, nil, []cubintest.Entry{code(10)}, "CUDA_FORCE_PTX_JIT=1 wants PTX"},
		{"off", "any", disable, nil, []cubintest.Entry{p10, code(10)}, "code"},
		{"off, without code", "any", disable, nil, []cubintest.Entry{p10}, "CUDA_DISABLE_PTX_JIT=1 keeps PTX from being compiled"},
		{"off and forced", "any", both, nil, []cubintest.Entry{p10, code(10)}, "; CUDA_"},
		{"the latest not above", "any", jit.Settings{}, nil, []cubintest.Entry{p10, p30, p11, p20}, "ptx11"},
		{"the earliest above", "any", jit.Settings{}, nil, []cubintest.Entry{p30, p20}, "ptx20"},
		{"none above for a board", "board", jit.Settings{}, nil, []cubintest.Entry{p30, p20}, "JACQUARD_PTX=any compiles PTX for later architectures"},
		{"a board", "board", jit.Settings{}, nil, []cubintest.Entry{p30, p10}, "ptx10"},
		{"a board, and PTX that is not what it was called", "board", jit.Settings{}, nil, []cubintest.Entry{text("20", 10)}, "JACQUARD_PTX=any"},
	} {
		t.Run(c.name, func(t *testing.T) {
			log := new(output)
			d := driver.New(driver.Config{Settings: knobs.Settings{Device: "9800gx2", PTX: c.knob}, JIT: c.set, Output: log})
			th := d.Thread(1)
			require.NoError(t, th.Init(0))
			create(t, th)
			memory := &cubintest.Memory{Word: 8}
			said := newLogs()
			m, err := th.ModuleLoadDataEx(memory, memory.Wrapper(cubintest.Flat(cubintest.CUDA5, c.entries...)), said.options(c.options...))
			if strings.HasPrefix(c.want, "ptx") || c.want == "code" {
				require.NoError(t, err, log)
				_, err = th.ModuleGetFunction(m, c.want)
				require.NoError(t, err)
				return
			}
			is(t, driver.ErrNoBinaryForGPU, err)
			require.Contains(t, said.texts(t)[1], c.want)
			require.Contains(t, log.String(), c.want)
		})
	}
}

func TestLogsOfPTX(t *testing.T) {
	th, log := compiler(t, "gtx280", jit.Settings{})
	said := newLogs()
	_, err := loadEx(th, ptx(t, "broken"), said.options())
	is(t, driver.ErrInvalidPTX, err)
	lines := strings.Split(said.texts(t)[1], "\n")
	require.Len(t, lines, 2)
	require.Regexp(t, `^PTX:6:\d+: `, lines[0])
	require.Regexp(t, `^PTX:7:2: .*frobnicate`, lines[1])
	require.Equal(t, "jacquard: module: "+lines[0]+" (and 1 more error)\n", log.String())
	require.Empty(t, said.texts(t)[0])

	// The code of the kernel, but not its text, has a mistake.
	_, err = loadEx(th, []byte(".version 2.0\n.target sm_20\n.entry k {\n.reg .u32 %r;\natom.shared.add.u32 %r, [0], 1;\nbrkpt;\ntrap;\nnanosleep.u32 1;\nret;\n}"), said.options())
	if err != nil {
		require.Regexp(t, `^PTX:\d+:\d+: `, said.texts(t)[1])
	}

	_, err = loadEx(th, ptx(t, "vecadd"), said.options(given(uintptr(driver.JITLogVerbose), 1)...))
	require.NoError(t, err)
	require.Regexp(t, `^PTX for compute_10, compiled in [\d.]+ ms for sm_13
ptxas info    : Compiling entry function 'vecadd' for 'sm_13'
ptxas info    : Used \d+ registers, 16\+16 bytes smem
module for sm_13: 1 kernels, 0 variables$`, said.texts(t)[0])

	// A driver from before CUDA 3.2 had another code.
	_, err = th.CtxCreateV1(0, 0)
	require.NoError(t, err)
	_, err = th.ModuleLoadData(ptx(t, "broken"))
	is(t, driver.ErrInvalidImage, err)
}

// TestLogBuffers cuts logs off at every length.
func TestLogBuffers(t *testing.T) {
	th, _ := compiler(t, "gtx280", jit.Settings{})
	whole := newLogs()
	_, err := loadEx(th, ptx(t, "vecadd"), whole.options())
	require.NoError(t, err)
	text := whole.texts(t)[0]
	for _, n := range []int{0, 1, 2, 10, len(text) - 1, len(text), len(text) + 1, len(text) + 2} {
		buffer := bytes.Repeat([]byte{'x'}, len(text)+10)
		results := map[driver.JITOption]uintptr{}
		o := driver.JITOptions{InfoLog: buffer[:n], Answer: func(o driver.JITOption, v uintptr) { results[o] = v }}
		_, err := loadEx(th, ptx(t, "vecadd"), o)
		require.NoError(t, err)
		want := text[:max(0, min(len(text), n-1))]
		require.Equal(t, uintptr(len(want)), results[driver.JITInfoLogBufferSizeBytes])
		require.Equal(t, uintptr(0), results[driver.JITErrorLogBufferSizeBytes])
		require.Positive(t, math.Float32frombits(uint32(results[driver.JITWallTime])))
		if n > 0 {
			require.Equal(t, want+"\x00", string(buffer[:len(want)+1]))
		}
		require.Equal(t, strings.Repeat("x", len(buffer)-n), string(buffer[n:]), "what is behind the buffer")
	}
}

func TestOptionValues(t *testing.T) {
	beyond := uint64(1) << 40
	th, _ := compiler(t, "gt240", jit.Settings{}) // sm_12
	for _, c := range []struct {
		name  string
		given []driver.JITValue
		want  driver.Result
	}{
		{"all kinds", given(7, 4, 8, 0, 10, 1, 11, 1, 12, 1, 13, 1, 14, 2), driver.Success},
		{"an option of later drivers", given(99, 1), driver.Success},
		{"level 5", given(7, 5), driver.ErrInvalidValue},
		{"a fallback that is none", given(10, 2), driver.ErrInvalidValue},
		{"a cache mode that is none", given(14, 3), driver.ErrInvalidValue},
		{"the device's target", given(9, 12), driver.Success},
		{"an earlier target", given(9, 10), driver.Success},
		{"an earlier target, as before CUDA 6.0", given(9, 1), driver.Success},
		{"a later target of the generation", given(9, 13), driver.ErrNoBinaryForGPU},
		{"a target of another generation", given(9, 20), driver.ErrNoBinaryForGPU},
		{"a target and threads", given(9, 12, 1, 64), driver.ErrInvalidValue},
		{"threads and registers", given(1, 512, 0, 32), driver.Success},
		{"the first counts", given(7, 1, 7, 5), driver.Success},
		{"more bits than an unsigned int", given(7, uintptr(beyond)|1), driver.Success},
	} {
		_, err := loadEx(th, ptx(t, "vecadd"), driver.JITOptions{Given: c.given})
		is(t, c.want, err, c.name)
	}
	m, err := loadEx(th, ptx(t, "vecadd"), driver.JITOptions{Given: given(9, 10)})
	require.NoError(t, err)
	f, err := th.ModuleGetFunction(m, "vecadd")
	require.NoError(t, err)
	version, err := th.FuncGetAttribute(driver.FuncBinaryVersion, f)
	require.NoError(t, err)
	require.Equal(t, 10, version)
	for threads, want := range map[uintptr]uintptr{64: 64, 512: 512, 5000: 512} {
		results := map[driver.JITOption]uintptr{}
		o := driver.JITOptions{Given: given(1, threads), Answer: func(o driver.JITOption, v uintptr) { results[o] = v }}
		_, err := loadEx(th, ptx(t, "vecadd"), o)
		require.NoError(t, err)
		require.Equal(t, want, results[driver.JITThreadsPerBlock])
	}
}

// TestCachedPTX loads a module twice; the second driver takes it from the cache. A damaged cache
// costs time alone.
func TestCachedPTX(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "cache")
	verbose := given(uintptr(driver.JITLogVerbose), 1)
	load := func(s cache.Settings, want string) {
		t.Helper()
		th, log := compiler(t, "gtx280", jit.Settings{Cache: s})
		said := newLogs()
		m, err := loadEx(th, ptx(t, "vecadd"), said.options(verbose...))
		require.NoError(t, err)
		require.Contains(t, said.texts(t)[0], want)
		runVecadd(t, th, m)
		require.Empty(t, log.String())
	}
	s := cache.Settings{Dir: dir, MaxBytes: 1 << 20}
	load(s, "compiled in")
	load(s, "taken from the cache")
	files, err := filepath.Glob(filepath.Join(dir, "*"))
	require.NoError(t, err)
	require.Len(t, files, 1)
	require.NoError(t, os.Truncate(files[0], 100))
	load(s, "compiled in")
	load(s, "taken from the cache")
	load(cache.Settings{Dir: "/dev/null/x", MaxBytes: 1 << 20}, "compiled in")
	load(cache.Settings{Dir: dir, MaxBytes: 10}, "compiled in")
}

// FuzzJITOptions loads and links with any options. A log ends with a NUL inside its buffer, and a
// size counts the text before it.
func FuzzJITOptions(f *testing.F) {
	f.Add([]byte{0, 16, 1, 64, 4, 0, 6, 0, 12, 1}, uint16(100), uint16(10), false)
	f.Add([]byte{9, 13, 1, 0, 10, 0, 7, 4, 14, 2}, uint16(0), uint16(1), true)
	_, th, _ := fresh(knobs.Settings{Log: "off"})
	require.NoError(f, th.Init(0))
	_, err := th.CtxCreate(0, 0)
	require.NoError(f, err)
	images := map[bool][]byte{false: ptx(f, "vecadd"), true: ptx(f, "broken")}
	f.Fuzz(func(t *testing.T, pairs []byte, info, errors uint16, broken bool) {
		said := newLogs()
		o := driver.JITOptions{InfoLog: said.info[:min(info, 4096)], ErrorLog: said.errors[:min(errors, 4096)]}
		for i := 0; i+1 < len(pairs); i += 2 {
			o.Given = append(o.Given, driver.JITValue{Option: driver.JITOption(int8(pairs[i])), Value: uintptr(int8(pairs[i+1]))})
		}
		sizes := map[driver.JITOption]uintptr{}
		o.Answer = func(o driver.JITOption, v uintptr) { sizes[o] = v }
		check := func() {
			for option, b := range map[driver.JITOption][]byte{driver.JITInfoLogBufferSizeBytes: o.InfoLog, driver.JITErrorLogBufferSizeBytes: o.ErrorLog} {
				if n, told := sizes[option]; told && len(b) > 0 {
					require.Equal(t, bytes.IndexByte(b, 0), int(n))
				}
			}
		}
		if m, err := loadEx(th, images[broken], o); err == nil {
			require.NoError(t, th.ModuleUnload(m))
		}
		check()
		if k, err := th.LinkCreate(o); err == nil {
			if addTo(th, k, driver.InputPTX, images[broken], "x") == nil {
				complete(t, th, k)
			}
			check()
			require.NoError(t, th.LinkDestroy(k))
		}
	})
}

// Addresses in initial contents point to the variables in this context.
func TestPointersOfPTX(t *testing.T) {
	const text = ".version 3.0\n.target sm_10\n.address_size 64\n.global .u32 x[2];\n" +
		".global .u64 p[2] = {7, x+4};\n.const .u64 q = p;\n.entry k() { ret; }\n"
	th, _ := compiler(t, "8800gtx", jit.Settings{})
	for range 2 { // the second module has other addresses
		m, err := th.ModuleLoadData(append([]byte(text), 0))
		require.NoError(t, err)
		at := map[string]uint32{}
		for _, name := range []string{"x", "p", "q"} {
			address, _, err := th.ModuleGetGlobal(m, name)
			require.NoError(t, err)
			at[name] = uint32(address)
		}
		require.Equal(t, words(7, 0, at["x"]+4, 0), fetch(t, th, driver.DevicePtr(at["p"]), 16))
		require.Equal(t, words(at["p"], 0), fetch(t, th, driver.DevicePtr(at["q"]), 8))
	}
}

// Machine code says what PTX it was made of: host code follows the device's __CUDA_ARCH__ by that.
func TestPTXVersionOfMachineCode(t *testing.T) {
	th, _ := compiler(t, "gtx280", jit.Settings{})
	for _, c := range []struct {
		arch          tesla.Arch
		virtual, want int
	}{{tesla.SM13, 0, 13}, {tesla.SM10, 0, 10}, {tesla.SM13, 20, 20}, {tesla.SM13, 75, 75}, {tesla.SM12, 10, 10}, {tesla.SM13, 120, 120}} {
		file, err := cubin.FormatELF(&cubin.Image{Arch: c.arch, Pointer: 8, Virtual: c.virtual,
			Kernels: []cubin.Kernel{{Name: "k", Registers: 1, Shared: 16, Code: []uint32{0xf0000001, 0xe0000001}, Params: []cubin.Param{}}}})
		require.NoError(t, err)
		m, err := th.ModuleLoadData(file)
		require.NoError(t, err)
		f, err := th.ModuleGetFunction(m, "k")
		require.NoError(t, err)
		for attribute, want := range map[driver.FuncAttribute]int{driver.FuncPTXVersion: c.want, driver.FuncBinaryVersion: 10 + int(c.arch)} {
			got, err := th.FuncGetAttribute(attribute, f)
			require.NoError(t, err)
			require.Equal(t, want, got, "%s from PTX for sm_%d", c.arch, c.virtual)
		}
	}
}
