package driver_test

import (
	"encoding/binary"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/libcuda/driver"
	"jacquard/libcuda/driver/events"
	"jacquard/libcuda/driver/knobs"
)

var le = binary.LittleEndian

// words encodes 32-bit words.
func words(v ...uint32) []byte {
	var b []byte
	for _, w := range v {
		b = le.AppendUint32(b, w)
	}
	return b
}

func function(t *testing.T, th *driver.Thread, file, name string) driver.Function {
	t.Helper()
	f, err := th.ModuleGetFunction(load(t, th, file), name)
	require.NoError(t, err)
	return f
}

// vecadd adds n numbers by launch, and checks the sums.
func vecadd(t *testing.T, th *driver.Thread, file string, launch func(f driver.Function, params []byte)) {
	t.Helper()
	const n = 100
	f := function(t, th, file, "vecadd")
	a, b, c := alloc(t, th, 4*n), alloc(t, th, 4*n), alloc(t, th, 4*n)
	var x, y, want []byte
	for i := range n {
		x = le.AppendUint32(x, math.Float32bits(float32(i)))
		y = le.AppendUint32(y, math.Float32bits(0.5))
		want = le.AppendUint32(want, math.Float32bits(float32(i)+0.5))
	}
	require.NoError(t, th.MemcpyHtoD(a, x))
	require.NoError(t, th.MemcpyHtoD(b, y))
	launch(f, words(uint32(a), uint32(b), uint32(c), n))
	require.NoError(t, th.CtxSynchronize())
	require.Equal(t, want, fetch(t, th, c, 4*n))
}

// oldLaunch launches like programs of CUDA 1.x.
func oldLaunch(t *testing.T, th *driver.Thread) func(driver.Function, []byte) {
	return func(f driver.Function, params []byte) {
		require.NoError(t, th.FuncSetBlockShape(f, 64, 1, 1))
		require.NoError(t, th.FuncSetSharedSize(f, 64))
		require.NoError(t, th.ParamSetv(f, 0, params[:8]))
		require.NoError(t, th.ParamSeti(f, 8, le.Uint32(params[8:])))
		require.NoError(t, th.ParamSetv(f, 12, params[12:]))
		require.NoError(t, th.ParamSetSize(f, uint32(len(params))))
		require.NoError(t, th.LaunchGrid(f, 2, 1))
	}
}

func TestVecadd(t *testing.T) {
	for device, file := range map[string]string{"gtx280": "vecadd_sm13.cubin", "8800gtx": "vecadd_sm10.cubin", "gt240": "vecadd_sm10.cubin"} {
		t.Run(device, func(t *testing.T) {
			_, th, log := start(t, knobs.Settings{Device: device})
			create(t, th)
			vecadd(t, th, file, oldLaunch(t, th))
			vecadd(t, th, file, func(f driver.Function, params []byte) {
				require.NoError(t, th.LaunchKernel(f, [3]uint32{2, 1, 1}, [3]uint32{64, 1, 1}, 0, 0, driver.Arguments{Packed: params}))
			})
			require.Empty(t, log.String())
		})
	}
}

func TestGather(t *testing.T) {
	th, _ := current(t)
	m := load(t, th, "variables.cubin")
	f, err := th.ModuleGetFunction(m, "gather")
	require.NoError(t, err)
	out := alloc(t, th, 16)
	require.NoError(t, th.FuncSetBlockShape(f, 1, 1, 1))
	require.NoError(t, th.ParamSeti(f, 0, uint32(out)))
	require.NoError(t, th.ParamSetSize(f, 4))
	require.NoError(t, th.Launch(f))
	require.Equal(t, words(0x11111111, 0x22222222, 0x33333333, 0), fetch(t, th, out, 16), "an unbound texture reads 0")

	// The next launch sees variables that the program writes and textures that it binds.
	weight, _, err := th.ModuleGetGlobal(m, "weight")
	require.NoError(t, err)
	require.NoError(t, th.MemcpyHtoD(weight, words(0xaaaaaaaa)))
	counter, _, err := th.ModuleGetGlobal(m, "counter")
	require.NoError(t, err)
	require.NoError(t, th.MemcpyHtoD(counter, words(0xbbbbbbbb)))
	texels := alloc(t, th, 12)
	require.NoError(t, th.MemcpyHtoD(texels, words(1, 2, 0xcccccccc)))
	ref, err := th.ModuleGetTexRef(m, "image")
	require.NoError(t, err)
	require.NoError(t, th.TexRefSetFormat(ref, driver.FormatUnsignedInt32, 1))
	require.NoError(t, th.TexRefSetFlags(ref, driver.TRSFReadAsInteger))
	require.NoError(t, th.TexRefSetAddress(ref, texels, 12, nil))
	require.NoError(t, th.Launch(f))
	require.Equal(t, words(0xaaaaaaaa, 0xbbbbbbbb, 0x33333333, 0xcccccccc), fetch(t, th, out, 16))
}

func TestFaultsStickToTheContext(t *testing.T) {
	for kernel, want := range map[string]driver.Result{
		"wild": driver.ErrIllegalAddress, "misaligned": driver.ErrMisalignedAddress, "illegal": driver.ErrIllegalInstruction,
		"trap": driver.ErrLaunchFailed, "beyond": driver.ErrInvalidPC, "unbalanced": driver.ErrHardwareStackError,
		"overflow": driver.ErrHardwareStackError, "forever": driver.ErrLaunchTimeout, "stuck": driver.ErrLaunchTimeout,
	} {
		t.Run(kernel, func(t *testing.T) {
			_, th, log := start(t, knobs.Settings{Watchdog: "5000"})
			healthy := create(t, th)
			ctx := create(t, th)
			f := function(t, th, "faults.cubin", kernel)
			ptr := alloc(t, th, 64)
			e := event(t, th, 0)
			require.NoError(t, th.FuncSetBlockShape(f, 64, 1, 1))
			require.NoError(t, th.ParamSeti(f, 0, uint32(ptr)))
			require.NoError(t, th.ParamSetSize(f, 4))
			require.NoError(t, th.LaunchGrid(f, 1, 1), "a launch that was accepted succeeds")
			require.Equal(t, 1, strings.Count(log.String(), "\n"), log)
			require.Contains(t, log.String(), "in kernel "+kernel+", block (0,0), warp 0")

			for range 2 {
				is(t, want, th.CtxSynchronize())
			}
			_, err := th.MemAlloc(4)
			is(t, want, err)
			is(t, want, th.MemcpyDtoH(make([]byte, 4), ptr))
			is(t, want, th.EventRecord(e, 0))
			is(t, want, th.EventSynchronize(e))
			is(t, want, th.StreamQuery(0))
			is(t, want, th.Launch(f))

			require.NoError(t, th.CtxPushCurrent(healthy), "others are sound")
			require.NoError(t, th.CtxSynchronize())
			require.NoError(t, th.CtxDestroy(ctx))
			create(t, th)
			require.NoError(t, th.CtxSynchronize())
			vecadd(t, th, "vecadd_sm10.cubin", oldLaunch(t, th))
		})
	}
}

func TestRefusedLaunches(t *testing.T) {
	_, th, log := start(t, knobs.Settings{})
	create(t, th)
	good, greedy := function(t, th, "faults.cubin", "good"), function(t, th, "faults.cubin", "greedy")
	for name, c := range map[string]struct {
		f           driver.Function
		grid, block [3]uint32
		shared      uint32
		want        driver.Result
	}{
		"fine":               {good, [3]uint32{1, 1, 1}, [3]uint32{1, 1, 1}, 0, driver.Success},
		"largest block":      {good, [3]uint32{1, 1, 1}, [3]uint32{8, 1, 64}, 0, driver.Success},
		"no grid":            {good, [3]uint32{0, 1, 1}, [3]uint32{1, 1, 1}, 0, driver.ErrInvalidValue},
		"grid x":             {good, [3]uint32{65536, 1, 1}, [3]uint32{1, 1, 1}, 0, driver.ErrInvalidValue},
		"grid x, huge":       {good, [3]uint32{1 << 31, 1, 1}, [3]uint32{1, 1, 1}, 0, driver.ErrInvalidValue},
		"grid y":             {good, [3]uint32{1, 65536, 1}, [3]uint32{1, 1, 1}, 0, driver.ErrInvalidValue},
		"grid z":             {good, [3]uint32{1, 1, 2}, [3]uint32{1, 1, 1}, 0, driver.ErrInvalidValue},
		"no block":           {good, [3]uint32{1, 1, 1}, [3]uint32{1, 0, 1}, 0, driver.ErrInvalidValue},
		"block too large":    {good, [3]uint32{1, 1, 1}, [3]uint32{16, 33, 1}, 0, driver.ErrInvalidValue},
		"block z":            {good, [3]uint32{1, 1, 1}, [3]uint32{1, 1, 65}, 0, driver.ErrInvalidValue},
		"all shared memory":  {good, [3]uint32{1, 1, 1}, [3]uint32{1, 1, 1}, 16384 - 20, driver.Success},
		"more shared memory": {good, [3]uint32{1, 1, 1}, [3]uint32{1, 1, 1}, 16384 - 19, driver.ErrInvalidValue},
		"far more":           {good, [3]uint32{1, 1, 1}, [3]uint32{1, 1, 1}, 1<<32 - 1, driver.ErrInvalidValue},
		"too many registers": {greedy, [3]uint32{1, 1, 1}, [3]uint32{512, 1, 1}, 0, driver.ErrLaunchOutOfResources},
		"enough registers":   {greedy, [3]uint32{1, 1, 1}, [3]uint32{256, 1, 1}, 0, driver.Success},
	} {
		t.Run(name, func(t *testing.T) {
			said := log.String()
			is(t, c.want, th.LaunchKernel(c.f, c.grid, c.block, c.shared, 0, driver.Arguments{}))
			require.NoError(t, th.CtxSynchronize(), "a refusal is not a fault")
			line := strings.TrimPrefix(log.String(), said)
			require.Equal(t, c.want != driver.Success, strings.HasPrefix(line, "jacquard: launch of kernel ") && strings.Count(line, "\n") == 1, line)
		})
	}

	fresh := function(t, th, "faults.cubin", "good")
	is(t, driver.ErrInvalidValue, th.Launch(fresh), "no block shape")
	require.NoError(t, th.FuncSetBlockShape(fresh, 1, 1, 1))
	for _, size := range [][2]int{{0, 1}, {1, -1}, {65536, 1}, {1, math.MaxInt}} {
		is(t, driver.ErrInvalidValue, th.LaunchGrid(fresh, size[0], size[1]), size)
	}
	is(t, driver.ErrInvalidHandle, th.LaunchGridAsync(fresh, 1, 1, driver.Stream(fresh)))
	require.NoError(t, th.FuncSetSharedSize(fresh, 20000), "checked at the launch")
	is(t, driver.ErrInvalidValue, th.Launch(fresh))
	for _, shape := range [][3]int{{0, 1, 1}, {513, 1, 1}, {1, 1, 65}, {32, 32, 1}, {-1, -1, 1}} {
		is(t, driver.ErrInvalidValue, th.FuncSetBlockShape(fresh, shape[0], shape[1], shape[2]), shape)
	}
}

func TestParameters(t *testing.T) {
	th, _ := current(t)
	f := function(t, th, "faults.cubin", "good")
	require.NoError(t, th.ParamSeti(f, 252, 1))
	require.NoError(t, th.ParamSetv(f, 0, make([]byte, 256)))
	require.NoError(t, th.ParamSetv(f, 256, nil))
	for _, offset := range []int{-1, 253, 256, math.MaxInt} {
		is(t, driver.ErrInvalidValue, th.ParamSeti(f, offset, 1), offset)
	}
	is(t, driver.ErrInvalidValue, th.ParamSetv(f, 1, make([]byte, 256)))
	require.NoError(t, th.ParamSetSize(f, 256))
	is(t, driver.ErrInvalidValue, th.ParamSetSize(f, 257))

	one := [3]uint32{1, 1, 1}
	value := func(int, int) []byte { return make([]byte, 4) }
	is(t, driver.ErrInvalidImage, th.LaunchKernel(f, one, one, 0, 0, driver.Arguments{Value: value}), "a text cubin has no sizes")
	is(t, driver.ErrInvalidValue, th.LaunchKernel(f, one, one, 0, 0, driver.Arguments{Value: value, Packed: make([]byte, 4)}))
	is(t, driver.ErrInvalidValue, th.LaunchKernel(f, one, one, 0, 0, driver.Arguments{Packed: make([]byte, 257)}))
	require.NoError(t, th.LaunchKernel(f, one, one, 0, 0, driver.Arguments{Packed: make([]byte, 256)}))
}

func TestFuncGetAttribute(t *testing.T) {
	th, _ := current(t)
	greedy, gather := function(t, th, "faults.cubin", "greedy"), function(t, th, "variables.cubin", "gather")
	for _, c := range []struct {
		f    driver.Function
		a    driver.FuncAttribute
		want int
	}{
		{gather, driver.FuncMaxThreadsPerBlock, 512}, {greedy, driver.FuncMaxThreadsPerBlock, 256},
		{gather, driver.FuncSharedSizeBytes, 20}, {gather, driver.FuncConstSizeBytes, 16},
		{gather, driver.FuncLocalSizeBytes, 0}, {greedy, driver.FuncNumRegs, 60}, {gather, driver.FuncBinaryVersion, 10},
	} {
		got, err := th.FuncGetAttribute(c.a, c.f)
		require.NoError(t, err)
		require.Equal(t, c.want, got, "attribute %d", c.a)
	}
	_, err := th.FuncGetAttribute(7, gather)
	is(t, driver.ErrInvalidValue, err)
}

func TestSummary(t *testing.T) {
	for stats, counts := range map[string]bool{"on": true, "off": false} {
		t.Run(stats, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "summary")
			_, th, _ := start(t, knobs.Settings{Summary: path, Stats: stats, Device: "8800gtx"})
			create(t, th)
			vecadd(t, th, "vecadd_sm10.cubin", oldLaunch(t, th))
			f := function(t, th, "faults.cubin", "wild")
			one := [3]uint32{1, 1, 1}
			is(t, driver.ErrInvalidValue, th.LaunchKernel(f, one, [3]uint32{1, 1, 65}, 0, 0, driver.Arguments{}))
			require.NoError(t, th.LaunchKernel(f, one, one, 0, 0, driver.Arguments{}))

			text, err := os.ReadFile(path)
			require.NoError(t, err)
			lines := strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")
			require.Len(t, lines, 4)
			var init events.Init
			require.NoError(t, json.Unmarshal([]byte(lines[0]), &init))
			require.Equal(t, events.Init{Event: "init", PID: os.Getpid(), Version: 6050, Devices: []string{"8800gtx"}, Policy: "nvidia"}, init)
			events := make([]events.Launch, 3)
			for i := range events {
				require.NoError(t, json.Unmarshal([]byte(lines[i+1]), &events[i]))
				require.Equal(t, "launch", events[i].Event)
			}
			require.Equal(t, "vecadd", events[0].Kernel)
			require.Equal(t, [2]int{2, 1}, events[0].Grid)
			require.Equal(t, [3]int{64, 1, 1}, events[0].Block)
			require.Equal(t, "CUDA_SUCCESS", events[0].Result)
			require.Equal(t, counts, events[0].WarpInstructions > 0)
			require.Equal(t, counts, events[0].ThreadInstructions > events[0].WarpInstructions)
			require.Equal(t, counts, events[0].AverageActiveLanes > 1)
			require.Equal(t, counts, events[0].Divergence.ActiveLanes[32] > 0)
			require.Equal(t, counts, events[0].Divergence.MostPaths > 0)
			require.Nil(t, events[0].Memory)
			require.Equal(t, "CUDA_ERROR_INVALID_VALUE", events[1].Result)
			require.Equal(t, "CUDA_ERROR_ILLEGAL_ADDRESS", events[2].Result)
			require.Contains(t, events[2].Message, "illegal address")
		})
	}
}

// A digest changes exactly if the memory changes.
func TestDigest(t *testing.T) {
	path := filepath.Join(t.TempDir(), "summary")
	_, th, _ := start(t, knobs.Settings{Summary: path, Digest: "on", Device: "8800gtx"})
	create(t, th)
	for range 2 {
		vecadd(t, th, "vecadd_sm10.cubin", oldLaunch(t, th))
	}
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	var events [2]events.Launch
	for i, line := range strings.Split(string(text), "\n")[1:3] {
		require.NoError(t, json.Unmarshal([]byte(line), &events[i]))
	}
	first, second := events[0].Memory, events[1].Memory
	require.NotEmpty(t, first)
	require.NotEqual(t, first[0].SHA256, first[len(first)-1].SHA256)
	for i, d := range first { // the same contents at other addresses
		require.Len(t, d.SHA256, 16)
		require.Equal(t, d.Bytes, second[len(second)-len(first)+i].Bytes)
		require.Equal(t, d.SHA256, second[len(second)-len(first)+i].SHA256)
	}
}
