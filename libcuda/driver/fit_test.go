package driver_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/cubin"
	"jacquard/internal/test/cubintest"
	"jacquard/libcuda/driver"
	"jacquard/libcuda/driver/knobs"
	"jacquard/observe/bundle"
	"jacquard/ptx/compile"
	"jacquard/ptx/jit"
	ptxload "jacquard/ptx/load"
	"jacquard/tesla"
)

// held is how many values each thread of the kernel wide holds at once: too many for a block of 512.
const held = 48

// hungry returns PTX with a kernel that loads held words, stores them in the opposite order with
// the constant plus added, and counts its threads in the variable seen.
func hungry() []byte {
	var b strings.Builder
	b.WriteString(`.version 1.4
.target sm_11
.const .u32 plus = 1;
.global .u32 seen = 5;
.entry wide(.param .u32 in, .param .u32 out) {
	.reg .u32 %r<64>;
	cvt.u32.u16 %r60, %tid.x;
	mul.lo.u32 %r60, %r60, ` + fmt.Sprint(4*held) + `;
	ld.param.u32 %r61, [in];
	add.u32 %r61, %r61, %r60;
	ld.param.u32 %r62, [out];
	add.u32 %r62, %r62, %r60;
	ld.const.u32 %r63, [plus];
`)
	for i := range held {
		fmt.Fprintf(&b, "\tld.volatile.global.u32 %%r%d, [%%r61+%d];\n", i, 4*i)
	}
	for i := range held {
		fmt.Fprintf(&b, "\tadd.u32 %%r%d, %%r%d, %%r63;\n\tst.volatile.global.u32 [%%r62+%d], %%r%d;\n", i, i, 4*(held-1-i), i)
	}
	b.WriteString("\tred.global.add.u32 [seen], 1;\n\texit;\n}\n")
	return []byte(b.String())
}

// runHungry launches the kernel wide of a module for a block of threads and checks its results.
func runHungry(t *testing.T, th *driver.Thread, m driver.Module, threads int) {
	t.Helper()
	f, err := th.ModuleGetFunction(m, "wide")
	require.NoError(t, err)
	seen, _, err := th.ModuleGetGlobal(m, "seen")
	require.NoError(t, err)
	plus, _, err := th.ModuleGetGlobal(m, "plus")
	require.NoError(t, err)
	n := threads * held
	var in, want []uint32
	for i := range n {
		in = append(in, uint32(3*i))
		want = append(want, uint32(3*(i/held*held+held-1-i%held)+threads))
	}
	from, to := alloc(t, th, uint64(4*n)), alloc(t, th, uint64(4*n))
	require.NoError(t, th.MemcpyHtoD(from, words(in...)))
	require.NoError(t, th.MemcpyHtoD(plus, words(uint32(threads))), "the code made again must see what the host writes")
	before := fetch(t, th, seen, 4)
	args := driver.Arguments{Packed: words(uint32(from), uint32(to))}
	require.NoError(t, th.LaunchKernel(f, [3]uint32{1, 1, 1}, [3]uint32{uint32(threads), 1, 1}, 0, 0, args))
	require.Equal(t, words(want...), fetch(t, th, to, 4*n))
	require.Equal(t, before[0]+byte(threads), fetch(t, th, seen, 4)[0])
	require.NoError(t, th.MemFree(from))
	require.NoError(t, th.MemFree(to))
}

// A block whose registers do not fit runs code that is compiled again from PTX. The PTX stands
// alone, stands beside machine code, or is a linker's input.
func TestFit(t *testing.T) {
	image, err := ptxload.Compile("wide.ptx", hungry(), compile.Options{Arch: tesla.SM13})
	require.NoError(t, err)
	require.Greater(t, image.Kernel("wide").Registers, 32, "the kernel must not fit")
	file, err := cubin.FormatELF(image)
	require.NoError(t, err)
	code := cubintest.Entry{Container: cubin.ELF, Arch: 13, Data: file}
	text := cubintest.Entry{Container: cubin.PTX, Arch: 11, Data: hungry()}
	link := func(t *testing.T, th *driver.Thread, texts ...[]byte) []byte {
		k, err := th.LinkCreate(driver.JITOptions{})
		require.NoError(t, err)
		for _, text := range texts {
			require.NoError(t, addTo(th, k, driver.InputPTX, append(text, 0), ""))
		}
		linked := complete(t, th, k)
		require.NoError(t, th.LinkDestroy(k))
		return linked
	}
	for name, file := range map[string]func(t *testing.T, th *driver.Thread) []byte{
		"PTX": func(*testing.T, *driver.Thread) []byte { return hungry() },
		"PTX beside machine code": func(*testing.T, *driver.Thread) []byte {
			return cubintest.Flat(cubintest.CUDA4, code, text)
		},
		"one text linked": func(t *testing.T, th *driver.Thread) []byte { return link(t, th, hungry()) },
		"two texts linked": func(t *testing.T, th *driver.Thread) []byte {
			return link(t, th, []byte(".version 1.4\n.target sm_11\n.global .u32 unseen = 9;\n.entry other { exit; }\n"), hungry())
		},
	} {
		t.Run(name, func(t *testing.T) {
			th, log := compiler(t, "gtx280", jit.Settings{})
			m, err := th.ModuleLoadData(file(t, th))
			require.NoError(t, err)
			for _, threads := range []int{64, 512, 64, 512, 384} {
				runHungry(t, th, m, threads)
			}
			require.Equal(t, 1, strings.Count(log.String(), "a block of 512 threads"), "one line: %s", log)
			require.Regexp(t, `kernel wide: a block of 512 threads with \d\d registers each does not fit: its PTX was compiled again, for \d\d registers`, log.String())
			require.NoError(t, th.ModuleUnload(m))
		})
	}
}

// Without PTX the refusal says how to compile the kernel, once; the end of the process counts it.
func TestFitWithoutPTX(t *testing.T) {
	image, err := ptxload.Compile("wide.ptx", hungry(), compile.Options{Arch: tesla.SM13})
	require.NoError(t, err)
	file, err := cubin.FormatELF(image)
	require.NoError(t, err)
	d, th, log := start(t, knobs.Settings{})
	create(t, th)
	m, err := th.ModuleLoadData(file)
	require.NoError(t, err)
	f, err := th.ModuleGetFunction(m, "wide")
	require.NoError(t, err)
	for range 130 {
		err := th.LaunchKernel(f, [3]uint32{1, 1, 1}, [3]uint32{512, 1, 1}, 0, 0, driver.Arguments{Packed: words(0, 0)})
		is(t, driver.ErrLaunchOutOfResources, err)
	}
	const refusal = "does not fit the 16384 registers of an sm_13 multiprocessor; compile the kernel with nvcc -maxrregcount=32 or __launch_bounds__(512)\n"
	require.Equal(t, 1, strings.Count(log.String(), refusal))
	d.End()
	require.Contains(t, log.String(), "\njacquard: 130 times: launch of kernel wide refused: a block of 512 threads with ")
	require.Equal(t, 2, strings.Count(log.String(), refusal))
}

// A recording has the code that ran.
func TestFitRecorded(t *testing.T) {
	path := filepath.Join(t.TempDir(), "b.jqb")
	d, th, _ := start(t, knobs.Settings{Record: path})
	create(t, th)
	m, err := th.ModuleLoadData(hungry())
	require.NoError(t, err)
	for _, threads := range []int{64, 512, 64} {
		runHungry(t, th, m, threads)
	}
	require.NoError(t, th.ModuleUnload(m))
	d.End()
	r, err := bundle.Open(path)
	require.NoError(t, err)
	defer r.Close()
	var registers []int
	for range 3 {
		l, err := r.Next()
		require.NoError(t, err)
		contents, err := cubin.Read(l.Kernel.Module.Image)
		require.NoError(t, err)
		image, err := contents.Entries[0].Image()
		require.NoError(t, err)
		registers = append(registers, image.Kernel("wide").Registers)
		require.Equal(t, bundle.Success, l.Outcome.Result)
	}
	require.Greater(t, registers[0], 32)
	require.LessOrEqual(t, registers[1], 32)
	require.Equal(t, registers[0], registers[2])
}

// PTX with other variables than the machine code beside it is not used, and is compiled once.
func TestFitOfOtherVariables(t *testing.T) {
	image, err := ptxload.Compile("wide.ptx", hungry(), compile.Options{Arch: tesla.SM13})
	require.NoError(t, err)
	file, err := cubin.FormatELF(image)
	require.NoError(t, err)
	other := []byte(strings.ReplaceAll(string(hungry()), "seen", "other"))
	th, log := compiler(t, "gtx280", jit.Settings{})
	m, err := th.ModuleLoadData(cubintest.Flat(cubintest.CUDA4,
		cubintest.Entry{Container: cubin.ELF, Arch: 13, Data: file}, cubintest.Entry{Container: cubin.PTX, Arch: 11, Data: other}))
	require.NoError(t, err)
	f, err := th.ModuleGetFunction(m, "wide")
	require.NoError(t, err)
	for range 3 {
		err := th.LaunchKernel(f, [3]uint32{1, 1, 1}, [3]uint32{512, 1, 1}, 0, 0, driver.Arguments{Packed: words(0, 0)})
		is(t, driver.ErrLaunchOutOfResources, err)
	}
	require.Equal(t, 1, strings.Count(log.String(), "at most 32 registers each: the PTX has other variables than the machine code\n"))
	require.NoError(t, th.ModuleUnload(m))
}
