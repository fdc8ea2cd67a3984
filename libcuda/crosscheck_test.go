package main_test

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/board/lastwriter"
	"jacquard/board/mirror"
)

// planted is a file that the faulty copy of the library adds to package interp.
// JACQUARD_PLANTED=FAULT:N:WORD has the copy apply FAULT to the lane with WORD in a register, the
// Nth time that such a lane executes.
const planted = `package interp

import (
	"fmt"
	"os"
	"sync/atomic"

	"jacquard/simt/lane"
	"jacquard/tesla"
)

var plantedTimes atomic.Int64

func plant(u *op) {
	in := u.Ins
	var fault string
	var times int64
	var word uint32
	fmt.Sscanf(os.Getenv("JACQUARD_PLANTED"), "%d:%x:%s", &times, &word, &fault)
	target, source := tesla.OpFAdd, &in.Src[0]
	if fault == "store" || fault == "stray" {
		target, source = tesla.OpStGlobal, &in.Src[1]
	}
	if u.exec == nil || in.Op != target {
		return
	}
	exec, at := u.exec, int32(source.Index)
	u.exec = func(eng *Engine, u *op, s *lane.Sel) bool {
		for k := range s.N {
			w := int(s.Warp[k])
			for l, v := range eng.Register(at).At(w) {
				if v != word || s.Mask[k]>>l&1 == 0 || plantedTimes.Add(1) != times {
					continue
				}
				less := *s
				less.Full = false
				switch fault {
				case "ulp":
					ok := exec(eng, u, s)
					eng.Register(int32(in.Dst.Index)).At(w)[l] ^= 1
					return ok
				case "mask":
					less.Mask[k] &= 1<<l - 1
				case "store":
					less.Mask[k] &^= 1 << l
				case "stray":
					eng.Register(int32(in.Src[0].Value)).At(w)[l] += 1 << 20
				}
				return exec(eng, u, &less)
			}
		}
		return exec(eng, u, s)
	}
}
`

// faulty builds the copy of the library with the faults.
var faulty = sync.OnceValues(func() (string, error) {
	dir, err := os.MkdirTemp("", "planted-")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(dir)
	interp, err := filepath.Abs("../simt/engine/interp")
	if err != nil {
		return "", err
	}
	bind, err := os.ReadFile(filepath.Join(interp, "bind.go"))
	if err != nil {
		return "", err
	}
	const end = "\tapplyModes(p, u)\n"
	if strings.Count(string(bind), end) != 1 {
		return "", fmt.Errorf("interp/bind.go has changed: there is no place for plant")
	}
	overlay := map[string]map[string]string{"Replace": {}}
	for name, text := range map[string]string{
		"bind.go":    strings.Replace(string(bind), end, "\tplant(u)\n"+end, 1),
		"planted.go": planted,
	} {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			return "", err
		}
		overlay["Replace"][filepath.Join(interp, name)] = path
	}
	data, err := json.Marshal(overlay)
	if err != nil {
		return "", err
	}
	path := filepath.Join(dir, "overlay.json")
	if err := os.WriteFile(path, data, 0o666); err != nil {
		return "", err
	}
	return buildLibrary("GOFLAGS=-overlay=" + path)
})

// honest returns an unchanged copy of the library, which a process can load beside it.
func honest(t *testing.T) string {
	t.Helper()
	return copyLibrary(t, library(t), t.TempDir())
}

// crosscheck runs a program against another library and returns the report.
func crosscheck(t *testing.T, library, options string, environment []string, exe string, args ...string) (mirror.Report, string) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "report")
	knob := "JACQUARD_CROSSCHECK=" + library + ":report=" + file + options
	stdout, stderr, err := run(t, append(environment, knob), exe, args...)
	require.NoError(t, err, "%s%s", stdout, stderr)
	require.Contains(t, stdout, "PASSED\n")
	data, err := os.ReadFile(file)
	require.NoError(t, err, "%s", stderr)
	lines := strings.Split(strings.TrimSpace(string(data)), "\n")
	var r mirror.Report
	require.NoError(t, json.Unmarshal([]byte(lines[len(lines)-1]), &r))
	return r, stderr
}

// readKernel reads the description of a kernel of mesa-kernels.
func readKernel(t *testing.T, name string) (k kernelTest) {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("../testdata/mesa-kernels", name, "test.json"))
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(data, &k))
	return k
}

// jobOf returns the job of a kernel of mesa-kernels, launched several times.
func jobOf(t *testing.T, name, arch string, launches int) string {
	t.Helper()
	k := readKernel(t, name)
	job := k.job(t, t.TempDir(), filepath.Join("../testdata/mesa-kernels", name, k.Builds[arch].File), "new")
	text, err := os.ReadFile(job)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(job, []byte(strings.Replace(string(text), "launch new\n", strings.Repeat("reload\nlaunch new\n", launches), 1)), 0o666))
	return job
}

// TestCrosscheckFinds checks that the report names the place of a fault planted in another copy.
func TestCrosscheckFinds(t *testing.T) {
	exe := compile(t, "kernelrun.c")
	dir, err := faulty()
	require.NoError(t, err)
	other := filepath.Join(dir, "libcuda.so.1")

	// Thread 39 of block 1, lane 7 of warp 1, adds a and stores sum.
	const block, thread, threads = 1, 39, 64
	const element = block*threads + thread
	k := readKernel(t, "vecadd")
	a, sum := strings.Fields(k.Params[0].Init)[element], strings.Fields(k.Params[2].Expect)[element]
	store := lastwriter.Writer{Block: [2]int{block, 0}, Thread: [3]int{thread, 0, 0}, Warp: 1, Lane: 7, PC: 0x70, Text: "st b32 g14[$r0] $r1"}
	for _, c := range []struct {
		fault, word string
		words       int
		ulp         uint64
	}{
		{"ulp", a, 1, 1},
		{"mask", a, 25, 0}, // all lanes of the warp from this one on
		{"store", sum, 1, 0},
	} {
		t.Run(c.fault, func(t *testing.T) {
			job := jobOf(t, "vecadd", "sm_10", 4)
			r, stderr := crosscheck(t, other, "", []string{"JACQUARD_ENGINE=interp", "JACQUARD_PLANTED=3:" + c.word + ":" + c.fault}, exe, job)
			require.NotNil(t, r.Difference, "%s", stderr)
			d := *r.Difference
			require.NotNil(t, d.Writer, "%s", stderr)
			d.Writer.Time = 0 // the time depends on the copy and is not compared
			require.Equal(t, store, *d.Writer)
			require.Equal(t, mirror.Difference{
				Launch: 3, First: 3, Kernel: "vecadd", Grid: [2]int{4, 1}, Block: [3]int{threads, 1, 1},
				Buffer: "memory", Address: d.Address, Bytes: 1024, Offset: 4 * element, Here: d.Here, There: d.There, Number: d.Number,
				Words: c.words, Of: 256, Searched: true, Writer: d.Writer,
			}, d)
			require.Equal(t, sum, fmt.Sprintf("%08x", d.Here), "the simulator's own result is right")
			if c.ulp > 0 {
				require.Equal(t, c.ulp, d.Number.ULP)
			}
			require.Equal(t, [2]int{4, 3}, [2]int{r.Launches, r.Compared})
			require.Equal(t, map[string]int{"a difference was found before": 1}, r.Skipped)
			require.Contains(t, stderr, "jacquard: crosscheck: DIFFERENCE at launch 3, kernel vecadd, grid 4x1, block 64x1x1\n")
			require.Contains(t, stderr, "written here by block (1,0), thread (39,0,0), pc 0x70: st b32 g14[$r0] $r1\n")
		})
	}

	// A store to a wrong address is a lost write and, here, an access outside memory.
	r, stderr := crosscheck(t, other, "", []string{"JACQUARD_ENGINE=interp", "JACQUARD_PLANTED=2:" + sum + ":stray"}, exe, jobOf(t, "vecadd", "sm_10", 4))
	require.NotNil(t, r.Difference, "%s", stderr)
	require.Equal(t, 2, r.Difference.Launch)
	require.Contains(t, stderr, "DIFFERENCE at launch 2, kernel vecadd, grid 4x1, block 64x1x1: here CUDA_SUCCESS, there CUDA_ERROR_ILLEGAL_ADDRESS\n")

	// With fewer comparisons the difference is reported later.
	r, stderr = crosscheck(t, other, ",every=3", []string{"JACQUARD_ENGINE=interp", "JACQUARD_PLANTED=5:" + a + ":ulp"}, exe, jobOf(t, "vecadd", "sm_10", 7))
	require.Nil(t, r.Difference, "the 6th launch wrote the right values again: %s", stderr)
	for _, every := range []string{"4", "end"} {
		r, stderr = crosscheck(t, other, ",every="+every, []string{"JACQUARD_ENGINE=interp", "JACQUARD_PLANTED=4:" + a + ":ulp"}, exe, jobOf(t, "vecadd", "sm_10", 4))
		require.NotNil(t, r.Difference, "%s", stderr)
		require.Equal(t, [2]int{1, 4}, [2]int{r.Difference.First, r.Difference.Launch})
		require.Equal(t, 4*element, r.Difference.Offset)
		require.Contains(t, stderr, "DIFFERENCE at one of launches 1 to 4, kernel vecadd, grid 4x1, block 64x1x1\n")
		require.Contains(t, stderr, "compare after every launch (--every 1) to learn which thread and instruction wrote it\n")
	}
}

// TestCrosscheckAgrees runs every build of every kernel against a copy of the library and expects
// no difference.
func TestCrosscheckAgrees(t *testing.T) {
	exe := compile(t, "kernelrun.c")
	other := honest(t)
	tests, err := filepath.Glob("../testdata/mesa-kernels/*/test.json")
	require.NoError(t, err)
	for _, path := range tests {
		name := filepath.Base(filepath.Dir(path))
		for arch := range readKernel(t, name).Builds {
			t.Run(name+"/"+arch, func(t *testing.T) {
				r, stderr := crosscheck(t, other, "", []string{deviceFor(t, arch)}, exe, jobOf(t, name, arch, 2))
				require.Nil(t, r.Difference, "%s", stderr)
				require.Equal(t, [2]int{2, 2}, [2]int{r.Launches, r.Compared})
				require.Empty(t, r.Skipped)
				require.Empty(t, r.Notes)
				require.Positive(t, r.Bytes)
			})
		}
	}
}

// TestCrosscheckAddresses checks that another build hands out the same addresses, whatever the layout
// of memory without a cross-check.
func TestCrosscheckAddresses(t *testing.T) {
	exe, other := compile(t, "addresses.c"), honest(t)
	for _, memory := range []string{"packed", "board", "exact"} {
		t.Run(memory, func(t *testing.T) {
			r, stderr := crosscheck(t, other, "", []string{"JACQUARD_MEMORY=" + memory}, exe)
			require.Nil(t, r.Difference, "%s", stderr)
			require.Equal(t, [2]int{6, 6}, [2]int{r.Launches, r.Compared})
			require.Zero(t, r.Pointers, "words that differ")
		})
	}
}

// otherDriver builds a libcuda that is no simulator from testdata/c/otherdriver.c.
func otherDriver(t *testing.T, flags ...string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "libcuda.so.1")
	args := append([]string{"-shared", "-fPIC", "-O1", "-Iinclude"}, strict...)
	args = append(append(args, flags...), filepath.Join(programs, "otherdriver.c"), "-o", path)
	out, err := exec.Command(compiler(t, "CC", "cc"), args...).CombinedOutput()
	require.NoError(t, err, "%s", out)
	return path
}

// standins is a folder of PTX for kernels of mesa-kernels.
const standins = "../testdata/ptx"

// TestCrosscheckStandIn compares with a driver that refuses code for sm_1x and has different,
// 64-bit addresses.
func TestCrosscheckStandIn(t *testing.T) {
	exe := compile(t, "kernelrun.c")
	good, bad := otherDriver(t), otherDriver(t, "-DFAULT")

	r, stderr := crosscheck(t, good, "", nil, exe, jobOf(t, "vecadd", "sm_10", 2))
	require.Nil(t, r.Difference)
	require.Equal(t, [2]int{2, 0}, [2]int{r.Launches, r.Compared})
	require.Equal(t, []string{"Another GPU (compute capability 9.0)"}, r.Devices)
	require.Equal(t, map[string]int{"kernel vecadd: the other driver cannot take its code, and it has no stand-in in PTX": 2}, r.Skipped)
	require.Contains(t, stderr, "the other driver cannot take code for sm_10 (cuModuleLoadDataEx: CUDA_ERROR_NO_BINARY_FOR_GPU: "+
		"device kernel image is invalid): 0 of its 1 kernels have a stand-in in PTX; name PTX for the others with --ptx FILE|DIR\n")
	require.Contains(t, stderr, "nothing was compared; 0 of 2 launches ran on both, 0 bytes compared\n")
	require.Contains(t, stderr, "  2 not compared: kernel vecadd: the other driver cannot take its code, and it has no stand-in in PTX\n")

	files, err := filepath.Glob(filepath.Join(standins, "*.ptx"))
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".ptx")
		for _, ptx := range []string{standins, file} {
			r, stderr = crosscheck(t, good, ",ptx="+ptx, nil, exe, jobOf(t, name, "sm_11", 3))
			require.Nil(t, r.Difference, "%s", stderr)
			require.Equal(t, [2]int{3, 3}, [2]int{r.Launches, r.Compared}, "%s", stderr)
			require.Empty(t, r.Skipped)
			require.Positive(t, r.Bytes)
		}
	}
	r, stderr = crosscheck(t, bad, ",ptx="+standins, nil, exe, jobOf(t, "vecadd", "sm_10", 1))
	require.NotNil(t, r.Difference, "%s", stderr)
	require.Equal(t, 4*103, r.Difference.Offset)
	require.Equal(t, uint64(1), r.Difference.Number.ULP)
	require.Equal(t, [3]int{39, 0, 0}, r.Difference.Writer.Thread)

	// A kernel without a stand-in runs here only; the next one finds its results.
	r, stderr = crosscheck(t, good, ",ptx="+standins, nil, exe, jobOf(t, "daxpy", "sm_13", 1))
	require.Nil(t, r.Difference)
	require.Equal(t, map[string]int{"kernel daxpy: the other driver cannot take its code, and it has no stand-in in PTX": 1}, r.Skipped, "%s", stderr)

	// PTX for a later GPU.
	later := filepath.Join(t.TempDir(), "later.ptx")
	require.NoError(t, os.WriteFile(later, []byte(".version 8.0\n.target sm_99\n.entry vecadd (.param .u64 a) { ret; }\n"), 0o666))
	r, stderr = crosscheck(t, good, ",ptx="+later, nil, exe, jobOf(t, "vecadd", "sm_10", 1))
	require.Equal(t, map[string]int{"kernel vecadd: the other driver cannot take its stand-in either": 1}, r.Skipped)
	require.Contains(t, stderr, "stand-in "+later+": cuModuleLoadDataEx: CUDA_ERROR_INVALID_PTX\n")
}

var against = flag.String("against", "", "a libcuda to cross-check our kernels with, which TestCrosscheckAgainst wants")

// TestCrosscheckAgainst runs every kernel of mesa-kernels against the library that -against names:
// make crosscheck.
func TestCrosscheckAgainst(t *testing.T) {
	if *against == "" {
		t.Skip("no libcuda to compare with: name one with -against PATH, or see make crosscheck")
	}
	exe := compile(t, "kernelrun.c")
	ptx, err := filepath.Abs(standins)
	require.NoError(t, err)
	tests, err := filepath.Glob("../testdata/mesa-kernels/*/test.json")
	require.NoError(t, err)
	launches, compared := 0, 0
	for _, path := range tests {
		name := filepath.Base(filepath.Dir(path))
		t.Run(name, func(t *testing.T) {
			r, stderr := crosscheck(t, *against, ",ptx="+ptx, nil, exe, jobOf(t, name, "sm_13", 2))
			t.Log(stderr)
			require.Nil(t, r.Difference)
			launches += r.Launches
			compared += r.Compared
		})
	}
	t.Logf("%d of %d launches ran on both, without a difference", compared, launches)
	require.Positive(t, compared, "nothing was compared")
}

// TestCrosscheckGoesOn checks that the report names a driver that cannot do anything, or not
// anything more, and that the program still gets its results from the simulator.
func TestCrosscheckGoesOn(t *testing.T) {
	exe := compile(t, "kernelrun.c")
	const alone = "; the program runs on the simulator alone\n"
	for _, c := range []struct {
		// flag selects the driver's defect, said is the log line, why is the reason that a launch
		// is not compared.
		name, flag, said, why string
		compared              int  // of 3 launches
		idle                  bool // nothing can ever be compared
	}{
		{"no device", "-DINIT=100", "cuInit: CUDA_ERROR_UNLIKELY: there is no device that it could use" + alone, "", 0, true},
		{"a code of later drivers", "-DINIT=803", "cuInit: CUDA_ERROR_UNLIKELY: there is no device that it could use" + alone, "", 0, true},
		{"no devices", "-DDEVICES=0", ": there is no device that it could use" + alone, "", 0, true},
		{"no context", "-DCONTEXT=46", "a context is not compared any more: cuCtxCreate: CUresult 46\n", "cuCtxCreate: CUresult 46", 0, false},
		{"no memory at all", "-DMEMORY=0", "a context is not compared any more: cuMemAlloc: CUDA_ERROR_OUT_OF_MEMORY\n", "cuMemAlloc: CUDA_ERROR_OUT_OF_MEMORY", 0, false},
		{"memory that runs out", "-DMEMORY=5000", "a context is not compared any more: cuMemAlloc: CUDA_ERROR_OUT_OF_MEMORY\n", "cuMemAlloc: CUDA_ERROR_OUT_OF_MEMORY", 0, false},
		{"invalid image", "-DREFUSE=200", "cannot take code for sm_10 (cuModuleLoadDataEx: CUDA_ERROR_INVALID_IMAGE: device kernel image is invalid): 1 of its 1 kernels have a stand-in", "", 3, false},
		{"invalid PTX", "-DREFUSE=218", "cannot take code for sm_10 (cuModuleLoadDataEx: CUDA_ERROR_INVALID_PTX: device kernel image is invalid): 1 of its 1 kernels have a stand-in", "", 3, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			other := otherDriver(t, c.flag)
			r, stderr := crosscheck(t, other, ",ptx="+standins, nil, exe, jobOf(t, "vecadd", "sm_10", 3))
			require.Contains(t, stderr, c.said)
			require.Nil(t, r.Difference)
			require.True(t, r.Ended)
			require.Equal(t, [2]int{3, c.compared}, [2]int{r.Launches, r.Compared})
			if c.idle {
				c.why = strings.TrimSuffix(c.said, alone)
				require.Contains(t, r.Error, c.why)
				require.Contains(t, stderr, "nothing was compared; 0 of 3 launches ran on both, 0 bytes compared\n")
			}
			for why, launches := range r.Skipped {
				require.Contains(t, why, c.why)
				require.Equal(t, 3, launches)
			}
		})
	}

	// A launch that fails only on the other driver is a difference.
	r, stderr := crosscheck(t, otherDriver(t, "-DBROKEN=2"), ",ptx="+standins, nil, exe, jobOf(t, "vecadd", "sm_10", 3))
	require.NotNil(t, r.Difference, "%s", stderr)
	require.Equal(t, 2, r.Difference.Launch)
	require.Contains(t, stderr, "DIFFERENCE at launch 2, kernel vecadd, grid 4x1, block 64x1x1: here CUDA_SUCCESS, there CUDA_ERROR_LAUNCH_FAILED\n")
}

// TestCrosscheckRefuses checks the messages for libraries that cannot be compared with.
func TestCrosscheckRefuses(t *testing.T) {
	exe := compile(t, "kernelrun.c")
	own := filepath.Join(library(t), "libcuda.so.1")
	job := jobOf(t, "vecadd", "sm_10", 1)
	for _, c := range []struct{ library, options, why string }{
		{"/nowhere/libcuda.so.1", "", "/nowhere/libcuda.so.1: there is no such file"},
		{own, "", own + ": this library is in use by the process already, and would be compared with itself: name another, or a copy"},
		{otherDriver(t, "-DVERSION=3020"), "", ": a driver for CUDA 3.2 is too old: 4.0 or later is needed"},
		{job, "", job + ": this is no library: name a libcuda, as in DIR/libcuda.so.1"},
		{otherDriver(t), ",ptx=" + t.TempDir(), "stand-ins: there is no kernel in PTX in /"},
		{otherDriver(t), ",every=0", `JACQUARD_CROSSCHECK: unknown value`},
	} {
		file := filepath.Join(t.TempDir(), "report")
		stdout, stderr, err := run(t, []string{"JACQUARD_CROSSCHECK=" + c.library + ":report=" + file + c.options}, exe, job)
		require.Error(t, err)
		require.Contains(t, stdout, "cuInit(0) answered 1, not 0")
		require.Contains(t, stderr, c.why)
		require.Equal(t, 1, strings.Count(stderr, "\n"), "%s", stderr)
		if data, err := os.ReadFile(file); err == nil {
			var r mirror.Report
			require.NoError(t, json.Unmarshal(data, &r))
			require.Contains(t, r.Error, c.why)
		}
	}
}

// TestCrosscheckPrograms runs the C programs against a copy of the library. They see no change, and
// there is no difference.
func TestCrosscheckPrograms(t *testing.T) {
	other := honest(t)
	for _, c := range []struct {
		source string
		flags  []string
		args   []string
	}{
		{"oldstyle.c", []string{"-DCUDA_FORCE_API_VERSION=2030"}, []string{vecadd}},
		{"newstyle.c", nil, []string{vecadd}},
		{"threads.c", nil, []string{vecadd}},
		{"contexts.c", nil, []string{vecadd}},
		{"overrun.c", nil, []string{vecadd, "board"}},
		{"arrays.c", nil, []string{textures}},
		{"mapped.c", nil, []string{textures}},
		{"management.c", nil, []string{vecadd}},
		{"nulls.c", nil, []string{vecadd}},
		{"jit.c", nil, []string{ptx}},
		{"soak.c", []string{"-std=gnu99"}, []string{vecadd, "2"}},
		{"memorylimit.c", []string{"-std=gnu99"}, nil},
		{"lookup.c", nil, []string{"libcuda.so.1"}},
		{"random.c", []string{"-std=gnu99"}, []string{vecadd, "1", "1", "3000"}},
		{"random.c", []string{"-std=gnu99"}, []string{vecadd, "10", "8", "500"}},
	} {
		t.Run(strings.TrimSuffix(c.source, ".c"), func(t *testing.T) {
			r, stderr := crosscheck(t, other, "", []string{"JACQUARD_WATCHDOG=20000"}, compile(t, c.source, c.flags...), c.args...)
			require.Nil(t, r.Difference, "%s", stderr)
			require.NotContains(t, stderr, "internal error")
			for _, launches := range r.Skipped {
				r.Compared += launches
			}
			require.Equal(t, r.Launches, r.Compared, "each launch is compared or counted: %s", stderr)
			require.True(t, r.Ended)
		})
	}

	// The report of a program that the interrupt key ends has no end.
	r, stderr := crosscheck(t, other, "", nil, compile(t, "interrupt.c"), filepath.Join(programs, "endless.cubin"))
	require.Nil(t, r.Difference, "%s", stderr)
	require.NotContains(t, stderr, "internal error")
	require.Contains(t, stderr, "interrupted in kernel endless")
}
