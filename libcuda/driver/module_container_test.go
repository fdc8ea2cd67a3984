package driver_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/cubin"
	"jacquard/internal/test/cubintest"
	"jacquard/libcuda/driver"
	"jacquard/libcuda/driver/knobs"
	"jacquard/tesla"
)

// image returns the image in a file of testdata.
func image(t *testing.T, name string) *cubin.Image {
	t.Helper()
	img, err := cubin.Parse(read(t, name))
	require.NoError(t, err)
	return img
}

// gatherELF is variables.cubin in the form of a compiler of CUDA 3 and later, with two more texture
// references. Its kernel reads unit 1.
func gatherELF(t *testing.T) *cubin.Image {
	t.Helper()
	img := image(t, "variables.cubin")
	img.Samplers = []cubin.Sampler{{Name: "other", Unit: -1}, {Name: "image", Unit: -1}, {Name: "unused", Unit: -1}}
	k := img.Kernel("gather")
	k.Textures = []cubin.Texture{{Sampler: 0, Unit: 0}, {Sampler: 1, Unit: 1}}
	k.Params = []cubin.Param{{Offset: 0, Size: 4}}
	return img
}

// TestELFModule reads each kind of a module's data from a kernel, in both classes.
func TestELFModule(t *testing.T) {
	for _, class := range []cubintest.ELF{{}, {Wide: true}, {Old: true}} {
		th, _ := current(t)
		m, err := th.ModuleLoadData(class.Write(gatherELF(t)))
		require.NoError(t, err)
		for name, want := range map[string][]byte{
			"zeros": make([]byte, 8), "weight": words(0x11111111), "counter": words(0x22222222, 0), "unused": make([]byte, 64),
		} {
			ptr, size, err := th.ModuleGetGlobal(m, name)
			require.NoError(t, err, name)
			require.Equal(t, uint64(len(want)), size, name)
			require.Equal(t, want, fetch(t, th, ptr, len(want)), name)
		}
		texels := alloc(t, th, 12)
		require.NoError(t, th.MemcpyHtoD(texels, words(1, 2, 0xcccccccc)))
		ref, err := th.ModuleGetTexRef(m, "image")
		require.NoError(t, err)
		require.NoError(t, th.TexRefSetFormat(ref, driver.FormatUnsignedInt32, 1))
		require.NoError(t, th.TexRefSetFlags(ref, driver.TRSFReadAsInteger))
		require.NoError(t, th.TexRefSetAddress(ref, texels, 12, nil))

		f, err := th.ModuleGetFunction(m, "gather")
		require.NoError(t, err)
		out := alloc(t, th, 16)
		one := [3]uint32{1, 1, 1}
		require.NoError(t, th.LaunchKernel(f, one, one, 0, 0, driver.Arguments{Value: func(int, int) []byte { return words(uint32(out)) }}))
		require.Equal(t, words(0x11111111, 0x22222222, 0x33333333, 0xcccccccc), fetch(t, th, out, 16))
	}
}

// TestTextureUnitsAreAKernelsOwn has two kernels that read different references through the same
// unit.
func TestTextureUnitsAreAKernelsOwn(t *testing.T) {
	img := gatherELF(t)
	second := *img.Kernel("gather")
	second.Name = "second"
	second.Textures = []cubin.Texture{{Sampler: 0, Unit: 1}}
	img.Kernels = append(img.Kernels, second)
	th, _ := current(t)
	m, err := th.ModuleLoadData(cubintest.ELF{Wide: true}.Write(img))
	require.NoError(t, err)
	for name, texel := range map[string]uint32{"image": 0x11, "other": 0x22} {
		texels := alloc(t, th, 12)
		require.NoError(t, th.MemcpyHtoD(texels, words(0, 0, texel)))
		ref, err := th.ModuleGetTexRef(m, name)
		require.NoError(t, err)
		require.NoError(t, th.TexRefSetFormat(ref, driver.FormatUnsignedInt32, 1))
		require.NoError(t, th.TexRefSetFlags(ref, driver.TRSFReadAsInteger))
		require.NoError(t, th.TexRefSetAddress(ref, texels, 12, nil))
	}
	out := alloc(t, th, 16)
	for kernel, texel := range map[string]uint32{"gather": 0x11, "second": 0x22} {
		f, err := th.ModuleGetFunction(m, kernel)
		require.NoError(t, err)
		require.NoError(t, th.LaunchKernel(f, [3]uint32{1, 1, 1}, [3]uint32{1, 1, 1}, 0, 0, driver.Arguments{Packed: words(uint32(out))}))
		require.Equal(t, words(texel), fetch(t, th, out+12, 4), kernel)
	}
}

// TestLaunchBounds checks that a block larger than the kernel's bound is refused.
func TestLaunchBounds(t *testing.T) {
	img := gatherELF(t)
	img.Kernels[0].MaxThreads = [3]int{64, 2, 1}
	th, _ := current(t)
	m, err := th.ModuleLoadData(cubintest.ELF{}.Write(img))
	require.NoError(t, err)
	f, err := th.ModuleGetFunction(m, "gather")
	require.NoError(t, err)
	threads, err := th.FuncGetAttribute(driver.FuncMaxThreadsPerBlock, f)
	require.NoError(t, err)
	require.Equal(t, 128, threads)
	args := driver.Arguments{Packed: words(uint32(alloc(t, th, 16)))}
	require.NoError(t, th.LaunchKernel(f, [3]uint32{1, 1, 1}, [3]uint32{128, 1, 1}, 0, 0, args))
	is(t, driver.ErrLaunchOutOfResources, th.LaunchKernel(f, [3]uint32{1, 1, 1}, [3]uint32{129, 1, 1}, 0, 0, args))
}

// reportOf returns the log's report of the kernel virtual.
func reportOf(arch string) string {
	return "ptxas info    : Compiling entry function 'virtual' for '" + arch + "'\nptxas info    : Used 1 registers, 0+16 bytes smem"
}

// TestWhatTheDriverTakes loads fat binaries on devices. The log gives the reason where one does not
// load.
func TestWhatTheDriverTakes(t *testing.T) {
	elf := func(arch tesla.Arch, kernel string) cubintest.Entry {
		img := image(t, "vecadd_sm10.cubin")
		img.Arch, img.Kernels[0].Name = arch, kernel
		return cubintest.Entry{Container: cubin.ELF, Arch: 10 + int(arch), Data: cubintest.ELF{Wide: true}.Write(img)}
	}
	ptx := cubintest.Entry{Container: cubin.PTX, Arch: 10, Data: []byte(".version 1.4\n.target sm_10\n.entry virtual { exit; }\n")}
	fermi := cubintest.Entry{Container: cubin.ELF, Arch: 20, Data: []byte("\x7fELF")}
	liar := elf(tesla.SM13, "liar")
	liar.Arch = 10
	for _, c := range []struct {
		name, device string
		entries      []cubintest.Entry
		kernel       string // in the module, if it loads
		want         driver.Result
		says         string
	}{
		{"the best", "gtx280", []cubintest.Entry{ptx, elf(tesla.SM10, "ten"), elf(tesla.SM13, "thirteen"), fermi}, "thirteen", driver.Success, "module for sm_13: 1 kernels, 0 variables"},
		{"not above the device", "9800gx2", []cubintest.Entry{ptx, elf(tesla.SM10, "ten"), elf(tesla.SM13, "thirteen"), fermi}, "ten", driver.Success, "module for sm_10: 1 kernels, 0 variables"},
		{"PTX, and code above the device", "9800gx2", []cubintest.Entry{ptx, elf(tesla.SM13, "thirteen")}, "virtual", driver.Success, reportOf("sm_11") + "\nmodule for sm_11: 1 kernels, 0 variables"},
		{"only PTX", "gtx280", []cubintest.Entry{ptx}, "virtual", driver.Success, reportOf("sm_13") + "\nmodule for sm_13: 1 kernels, 0 variables"},
		{"only above the device", "9800gx2", []cubintest.Entry{elf(tesla.SM13, "thirteen")}, "", driver.ErrNoBinaryForGPU, "module: no machine code for sm_11 or an earlier architecture: found only ELF cubin for sm_13; choose another device with JACQUARD_DEVICE"},
		{"only later code", "gtx280", []cubintest.Entry{fermi}, "", driver.ErrNoBinaryForGPU, "module: no machine code for sm_13 or an earlier architecture: found only ELF cubin for sm_20"},
		{"code that is not what it was called", "8800gtx", []cubintest.Entry{liar}, "", driver.ErrNoBinaryForGPU, "module: no machine code for sm_10 or an earlier architecture: found only ELF cubin for sm_13; choose another device with JACQUARD_DEVICE"},
		{"broken code", "gtx280", []cubintest.Entry{{Container: cubin.ELF, Arch: 13, Data: []byte("\x7fELF")}}, "", driver.ErrInvalidImage, "module: ELF cubin: the header is cut off"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, th, log := start(t, knobs.Settings{Device: c.device})
			create(t, th)
			memory := &cubintest.Memory{Word: 8}
			at := memory.Wrapper(cubintest.Flat(cubintest.CUDA4, c.entries...))
			said := newLogs()
			m, err := th.ModuleLoadDataEx(memory, at, said.options())
			is(t, c.want, err)
			if c.want != driver.Success {
				require.Equal(t, [2]string{"", c.says}, said.texts(t))
				require.Equal(t, "jacquard: "+c.says+"\n", log.String())
				return
			}
			require.Equal(t, [2]string{c.says, ""}, said.texts(t))
			_, err = th.ModuleGetFunction(m, c.kernel)
			require.NoError(t, err)
			_, err = th.ModuleLoadFatBinary(memory, at)
			require.NoError(t, err)
		})
	}
	_, th, _ := start(t, knobs.Settings{})
	create(t, th)
	_, err := th.ModuleLoadFatBinary(&cubintest.Memory{Word: 8}, 16)
	is(t, driver.ErrInvalidImage, err, "a pointer to nothing")
}
