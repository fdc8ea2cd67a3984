package replay_test

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/board/replay"
	"jacquard/libcuda/driver"
	"jacquard/libcuda/driver/knobs"
	"jacquard/observe/bundle"
	"jacquard/study/kerneltest"
	"jacquard/tesla"
)

const mesa = "../../testdata/mesa-kernels"

// boards returns the device knob for a device of each architecture, by ordinal.
func boards() string {
	var models []string
	for _, a := range tesla.Archs {
		models = append(models, driver.ModelFor(a))
	}
	return strings.Join(models, ",")
}

// recordMesa runs every build of every kernel on a driver that records. It returns the bundle's
// path and its number of launches. All devices are in one program, one context each.
func recordMesa(t *testing.T) (path string, launches int) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "mesa.jqb")
	d := driver.New(driver.Config{Settings: knobs.Settings{Record: path, Device: boards()}, Output: io.Discard})
	th := d.Thread(1)
	require.NoError(t, th.Init(0))
	contexts := map[tesla.Arch]driver.Context{}
	for i, a := range tesla.Archs {
		var err error
		contexts[a], err = th.CtxCreate(0, driver.Device(i))
		require.NoError(t, err)
	}
	files, err := filepath.Glob(mesa + "/*/test.json")
	require.NoError(t, err)
	for _, file := range files {
		test, err := kerneltest.Load(file)
		require.NoError(t, err)
		for i := range test.Builds {
			require.NoError(t, th.CtxSetCurrent(contexts[test.Builds[i].Arch]))
			runTest(t, th, test, &test.Builds[i])
			launches++
		}
	}
	return path, launches
}

// runTest launches a build and does not free its buffers and module.
func runTest(t *testing.T, th *driver.Thread, test *kerneltest.Test, b *kerneltest.Build) {
	t.Helper()
	image, err := os.ReadFile(filepath.Join(test.Dir, b.File))
	require.NoError(t, err)
	m, err := th.ModuleLoadData(image)
	require.NoError(t, err)
	f, err := th.ModuleGetFunction(m, test.Name)
	require.NoError(t, err)
	at := make([]driver.DevicePtr, len(test.Params))
	for i := range test.Params {
		if p := &test.Params[i]; p.Buffer {
			at[i], err = th.MemAlloc(uint64(len(p.Init)))
			require.NoError(t, err)
			require.NoError(t, th.MemcpyHtoD(at[i], p.Init))
		}
	}
	params := test.ParamBlock(func(i int) uint32 { return uint32(at[i]) })
	err = th.LaunchKernel(f, [3]uint32{uint32(test.Grid[0]), uint32(test.Grid[1]), 1},
		[3]uint32{uint32(test.Block[0]), uint32(test.Block[1]), uint32(test.Block[2])}, 0, 0, driver.Arguments{Packed: params})
	require.NoError(t, err)
	require.NoError(t, th.CtxSynchronize())
	for i := range at {
		if at[i] != 0 {
			require.NoError(t, th.MemFree(at[i]))
		}
	}
}

// replayed replays the bundle at path with a runner and returns the differences as text.
func replayed(t *testing.T, path string, with replay.Runner, o replay.Options) (replay.Total, []string) {
	t.Helper()
	in, err := bundle.Open(path)
	require.NoError(t, err)
	defer in.Close()
	var said []string
	o.Each = func(r *replay.Result) error {
		if r.Skipped != nil {
			said = append(said, r.Launch.String()+": "+r.Skipped.Error())
		}
		for i := range r.Differences {
			said = append(said, r.Launch.String()+": "+r.Differences[i].String())
		}
		return nil
	}
	total, err := replay.Run(in, with, o)
	require.NoError(t, err)
	return total, said
}

// All kernels are recorded, moved to an empty folder, and replayed without a difference. A changed
// bit is found.
func TestMesaKernels(t *testing.T) {
	recorded, launches := recordMesa(t)
	path := filepath.Join(t.TempDir(), "moved.jqb")
	require.NoError(t, os.Rename(recorded, path))
	t.Chdir(filepath.Dir(path))
	total, said := replayed(t, "moved.jqb", new(replay.Engine), replay.Options{})
	require.Empty(t, said)
	require.Equal(t, replay.Total{Same: launches}, total)

	total, said = replayed(t, path, &planted{t: t, kernel: "saxpy"}, replay.Options{Kernels: []string{"saxpy", "vecadd"}})
	require.Positive(t, total.Different)
	require.Equal(t, launches, total.Same+total.Different+total.Passed)
	require.Len(t, said, total.Different)
	for _, s := range said {
		require.Regexp(t, `^launch \d+, kernel saxpy, grid \d+x\d+, block \d+x\d+x\d+: the buffer of \d+ bytes at 0x[0-9a-f]+ \(parameter 0x[0-9a-f]+\), offset 0x10: .* 1 ulp\); 1 of \d+ words differ$`, s)
	}
}

// Launches are chosen by number; together the parts are the whole, and nothing behind a part is read.
func TestParts(t *testing.T) {
	path, launches := recordMesa(t)
	var sum replay.Total
	for first := 0; first < launches; first += 10 {
		total, said := replayed(t, path, new(replay.Engine), replay.Options{First: first, End: first + 10})
		require.Empty(t, said)
		require.Equal(t, first, total.Passed)
		require.Equal(t, min(10, launches-first), total.Same)
		sum.Same += total.Same
	}
	require.Equal(t, launches, sum.Same)
}

// planted is an engine that computes one kernel wrong: a float of the first buffer written is off
// by one in the last place.
type planted struct {
	t      *testing.T
	kernel string
	replay.Engine
}

func (p *planted) Run(l *bundle.Launch) (*replay.After, error) {
	after, err := p.Engine.Run(l)
	if err == nil && l.Kernel.Name == p.kernel {
		for i, o := range l.Memory {
			if o == l.Outputs[0].Object {
				after.Memory[i][16] ^= 1
			}
		}
	}
	return after, err
}

// A faulting launch is compared by its end.
func TestOutcome(t *testing.T) {
	memory := []*bundle.Object{{Kind: bundle.Allocation, Address: 0x1000, Bytes: make([]byte, 4)}}
	image, err := os.ReadFile(mesa + "/vecadd/sm_10.cubin")
	require.NoError(t, err)
	for _, c := range []struct {
		params string // the address written
		result string
		want   []string
	}{
		{"\x00\x10\x00\x00", "CUDA_ERROR_ILLEGAL_ADDRESS", nil},
		{"\x00\x10\x00\x00", "CUDA_SUCCESS", []string{"launch 0, kernel vecadd, grid 1x1, block 64x1x1: ended with CUDA_ERROR_ILLEGAL_ADDRESS (illegal address in kernel vecadd"}},
	} {
		var file bytes.Buffer
		r, err := bundle.NewRecorder(&file, bundle.Options{}, nil)
		require.NoError(t, err)
		l := &bundle.Launch{
			Kernel: &bundle.Kernel{Module: &bundle.Module{Image: image, Arch: "sm_10"}, Name: "vecadd"}, Arch: "sm_13",
			Grid: [2]int{1, 1}, Block: [3]int{64, 1, 1}, Params: []byte(c.params + "\x00\x00\x00\x00\x00\x00\x00\x00\xff\x00\x00\x00"), Memory: memory,
		}
		r.Begin(l).End(memory, bundle.Outcome{Result: c.result})
		path := filepath.Join(t.TempDir(), "x.jqb")
		require.NoError(t, os.WriteFile(path, file.Bytes(), 0o666))
		_, said := replayed(t, path, new(replay.Engine), replay.Options{})
		require.Len(t, said, len(c.want))
		for i := range said {
			require.Contains(t, said[i], c.want[i])
		}
	}
}

// Variables, constants, textures over memory and arrays, and mapped host memory are restored.
func TestEverythingThatKernelsRead(t *testing.T) {
	path := recordEverything(t)
	total, said := replayed(t, path, new(replay.Engine), replay.Options{})
	require.Empty(t, said)
	require.Equal(t, replay.Total{Same: 5}, total)

	// Without this memory, launches differ.
	total, _ = replayed(t, path, forgetful{}, replay.Options{})
	require.Equal(t, replay.Total{Different: 5}, total)
}

// recordEverything records five launches that read memory of every kind.
func recordEverything(t *testing.T) (path string) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "x.jqb")
	d := driver.New(driver.Config{Settings: knobs.Settings{Record: path}, Output: io.Discard})
	th := d.Thread(1)
	require.NoError(t, th.Init(0))
	_, err := th.CtxCreate(driver.CtxMapHost, 0)
	require.NoError(t, err)
	const cubins = "../../libcuda/driver/testdata/"
	run := func(m driver.Module, kernel string, params ...uint32) {
		f, err := th.ModuleGetFunction(m, kernel)
		require.NoError(t, err)
		require.NoError(t, th.FuncSetBlockShape(f, 1, 1, 1))
		for i, p := range params {
			require.NoError(t, th.ParamSeti(f, 4*i, p))
		}
		require.NoError(t, th.ParamSetSize(f, uint32(4*len(params))))
		require.NoError(t, th.Launch(f))
	}
	out, err := th.MemAlloc(64)
	require.NoError(t, err)

	variables, err := th.ModuleLoad(cubins + "variables.cubin")
	require.NoError(t, err)
	ref, err := th.ModuleGetTexRef(variables, "image")
	require.NoError(t, err)
	texels, err := th.MemAlloc(64)
	require.NoError(t, err)
	require.NoError(t, th.MemsetD32(texels, 0xcccccccc, 16))
	require.NoError(t, th.TexRefSetFormat(ref, driver.FormatUnsignedInt32, 1))
	require.NoError(t, th.TexRefSetFlags(ref, driver.TRSFReadAsInteger))
	require.NoError(t, th.TexRefSetAddress(ref, texels, 64, nil))
	run(variables, "gather", uint32(out))
	weight, _, err := th.ModuleGetGlobal(variables, "weight")
	require.NoError(t, err)
	require.NoError(t, th.MemsetD32(weight, 0xaaaaaaaa, 1))
	run(variables, "gather", uint32(out))

	textures, err := th.ModuleLoad(cubins + "textures.cubin")
	require.NoError(t, err)
	ref, err = th.ModuleGetTexRef(textures, "image")
	require.NoError(t, err)
	array, err := th.ArrayCreate(driver.ArrayDescriptor{Width: 4, Height: 2, Format: driver.FormatUnsignedInt8, Channels: 1})
	require.NoError(t, err)
	require.NoError(t, th.MemcpyHtoA(array, 0, []byte{1, 2, 3, 4, 5, 6, 7, 8}))
	require.NoError(t, th.TexRefSetArray(ref, array, driver.TRSAOverrideFormat))
	run(textures, "sample", uint32(out), 0x3f800000, 0x3fc00000)
	host, err := th.MemHostAlloc(4096, driver.MemHostAllocDeviceMap)
	require.NoError(t, err)
	mapped, err := th.MemHostGetDevicePointer(host, 0)
	require.NoError(t, err)
	run(textures, "increment", uint32(mapped))
	run(textures, "increment", uint32(mapped))
	return path
}

// forgetful is an engine that replaces memory by zeros.
type forgetful struct{}

func (forgetful) Run(l *bundle.Launch) (*replay.After, error) {
	empty := *l
	empty.Memory = nil
	for _, o := range l.Memory {
		empty.Memory = append(empty.Memory, &bundle.Object{Kind: o.Kind, Address: o.Address, Bytes: make([]byte, len(o.Bytes))})
	}
	return new(replay.Engine).Run(&empty)
}

// A livelock at the recording is a livelock at the replay.
func TestEndless(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.jqb")
	d := driver.New(driver.Config{Settings: knobs.Settings{Record: path}, Output: io.Discard})
	th := d.Thread(1)
	require.NoError(t, th.Init(0))
	_, err := th.CtxCreate(0, 0)
	require.NoError(t, err)
	const spin = "architecture {sm_10}\nabiversion {1}\ncode {\nname = spin\nlmem = 0\nsmem = 16\nreg = 1\nbar = 0\nbincode { 0x10000003 0x00000780 }\n}\n" // bra 0
	m, err := th.ModuleLoadData([]byte(spin))
	require.NoError(t, err)
	f, err := th.ModuleGetFunction(m, "spin")
	require.NoError(t, err)
	require.NoError(t, th.FuncSetBlockShape(f, 1, 1, 1))
	require.NoError(t, th.Launch(f))
	require.Equal(t, driver.ErrLaunchTimeout, driver.ResultOf(th.CtxSynchronize()))
	total, said := replayed(t, path, new(replay.Engine), replay.Options{})
	require.Empty(t, said)
	require.Equal(t, replay.Total{Same: 1}, total)
}
