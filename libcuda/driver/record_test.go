package driver_test

import (
	"io"
	"os"
	"path/filepath"
	"strconv"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/cubin"
	"jacquard/libcuda/driver"
	"jacquard/libcuda/driver/knobs"
	"jacquard/observe/bundle"
)

// recorded calls do on a driver that records, and passes the bundle's launches to check.
func recorded(t *testing.T, s knobs.Settings, do func(*driver.Thread), check ...func(*bundle.Launch)) {
	t.Helper()
	folder := t.TempDir()
	s.Record = filepath.Join(folder, "%p.jqb") + s.Record
	_, th, _ := start(t, s)
	do(th)
	r, err := bundle.Open(filepath.Join(folder, strconv.Itoa(os.Getpid())+".jqb"))
	require.NoError(t, err)
	defer r.Close()
	for _, c := range check {
		l, err := r.Next()
		require.NoError(t, err)
		c(l)
	}
	_, err = r.Next()
	require.Equal(t, io.EOF, err)
}

// The record knob writes the memory before and after launches.
func TestRecord(t *testing.T) {
	image, err := os.ReadFile(filepath.Join("testdata", "vecadd_sm13.cubin"))
	require.NoError(t, err)
	check := func(l *bundle.Launch) {
		require.Equal(t, "vecadd", l.Kernel.Name)
		require.Equal(t, [2]int{2, 1}, l.Grid)
		require.Equal(t, "nvidia gtx280 sm_13", l.Policy+" "+l.Device+" "+l.Arch)
		require.Equal(t, bundle.Outcome{Result: bundle.Success}, l.Outcome)
		require.Equal(t, image, l.Kernel.Module.Image)
		require.Equal(t, "sm_13", l.Kernel.Module.Arch)
		require.NotEmpty(t, l.Params)
		require.Len(t, l.Outputs, 1)
		require.Equal(t, bundle.Allocation, l.Outputs[0].Object.Kind)
		require.NotEqual(t, l.Outputs[0].Object.Bytes[:4], l.Outputs[0].Bytes[:4])
	}
	recorded(t, knobs.Settings{}, func(th *driver.Thread) {
		create(t, th)
		vecadd(t, th, "vecadd_sm13.cubin", oldLaunch(t, th))
		vecadd(t, th, "vecadd_sm13.cubin", oldLaunch(t, th))
	}, check, check)
	recorded(t, knobs.Settings{Record: ":launches=1,kernel=vecadd"}, func(th *driver.Thread) {
		create(t, th)
		vecadd(t, th, "vecadd_sm13.cubin", oldLaunch(t, th))
		vecadd(t, th, "vecadd_sm13.cubin", oldLaunch(t, th))
	}, check)
}

// TestRecordPTX checks that a bundle has the machine code of a module that was compiled.
func TestRecordPTX(t *testing.T) {
	recorded(t, knobs.Settings{}, func(th *driver.Thread) {
		create(t, th)
		m, err := th.ModuleLoadData(ptx(t, "vecadd"))
		require.NoError(t, err)
		runVecadd(t, th, m)
	}, func(l *bundle.Launch) {
		require.Equal(t, "sm_13", l.Kernel.Module.Arch)
		img, err := cubin.Parse(l.Kernel.Module.Image)
		require.NoError(t, err)
		require.NotEmpty(t, img.Kernel("vecadd").Code)
		require.Len(t, img.Kernel("vecadd").Params, 4)
		require.Equal(t, bundle.Outcome{Result: bundle.Success}, l.Outcome)
	})
}

// The bundle has variables, constant banks, texture references and their bindings.
func TestRecordVariables(t *testing.T) {
	recorded(t, knobs.Settings{}, func(th *driver.Thread) {
		create(t, th)
		m := load(t, th, "variables.cubin")
		ref, err := th.ModuleGetTexRef(m, "image")
		require.NoError(t, err)
		texels := alloc(t, th, 256)
		require.NoError(t, th.MemsetD8(texels, 0x77, 256))
		require.NoError(t, th.TexRefSetFormat(ref, driver.FormatUnsignedInt32, 1))
		require.NoError(t, th.TexRefSetAddress(ref, texels, 256, nil))
		f, err := th.ModuleGetFunction(m, "gather")
		require.NoError(t, err)
		require.NoError(t, th.FuncSetBlockShape(f, 1, 1, 1))
		require.NoError(t, th.ParamSeti(f, 0, uint32(alloc(t, th, 64))))
		require.NoError(t, th.ParamSetSize(f, 4))
		require.NoError(t, th.Launch(f))
	}, func(l *bundle.Launch) {
		at := map[string]uint32{}
		for _, v := range l.Kernel.Module.Variables {
			at[v.Name] = v.Address
		}
		require.Len(t, at, 4)
		require.Equal(t, []string{"", "image"}, l.Kernel.Textures)
		require.Equal(t, []bundle.Texture{{Unit: 1, Kind: "linear", Format: 3, Channels: 1, Base: l.Memory[len(l.Memory)-2].Address, Size: 256}}, l.Textures)
		kinds := map[uint32]bundle.Kind{}
		for _, o := range l.Memory {
			kinds[o.Address] = o.Kind
		}
		banks := map[int]bundle.Bank{}
		for _, b := range l.Kernel.Banks {
			banks[b.Bank] = b
			require.Equal(t, b.Address == 0, b.Data != nil)
		}
		require.Equal(t, bundle.OfModule, kinds[banks[0].Address])
		require.Equal(t, bundle.OfModule, kinds[at["counter"]])
		require.Contains(t, banks, 1)
		require.Contains(t, banks, 14)
	})
}

func TestRecordArray(t *testing.T) {
	check := func(x byte) func(l *bundle.Launch) {
		return func(l *bundle.Launch) {
			array := l.Memory[len(l.Memory)-1]
			require.Equal(t, bundle.Array, array.Kind)
			require.Equal(t, []byte{x, 2, 3, 4}, array.Bytes)
			require.Equal(t, []bundle.Texture{{
				Unit: 2, Kind: "array", Format: 1, Channels: 1, Integer: true, Linear: true, Modes: [3]int{1, 0, 0}, Width: 4, Array: array.Address,
			}}, l.Textures)
		}
	}
	recorded(t, knobs.Settings{}, func(th *driver.Thread) {
		create(t, th)
		x := newTexturing(t, th)
		a := array(t, th, driver.ArrayDescriptor{Width: 4, Format: driver.FormatUnsignedInt8, Channels: 1})
		require.NoError(t, th.MemcpyHtoA(a, 0, []byte{1, 2, 3, 4}))
		require.NoError(t, th.TexRefSetArray(x.ref, a, driver.TRSAOverrideFormat))
		require.NoError(t, th.TexRefSetFlags(x.ref, driver.TRSFReadAsInteger))
		require.NoError(t, th.TexRefSetAddressMode(x.ref, 0, driver.AddressClamp))
		require.NoError(t, th.TexRefSetFilterMode(x.ref, driver.FilterLinear))
		x.at(t, 1)
		require.NoError(t, th.MemcpyHtoA(a, 0, []byte{9}))
		x.at(t, 1)
		require.NoError(t, th.ArrayDestroy(a))
		require.NoError(t, th.Launch(x.f))
	}, check(1), check(9), func(l *bundle.Launch) {
		require.Zero(t, l.Textures[0].Array)
		require.Equal(t, driver.ErrIllegalAddress.Error(), l.Result)
		require.NotEmpty(t, l.Message)
	})
}

// The bundle has mapped host memory as it is at the launch, no matter whether the program or a
// kernel wrote it.
func TestRecordMapped(t *testing.T) {
	recorded(t, knobs.Settings{}, func(th *driver.Thread) {
		_, err := th.CtxCreate(driver.CtxMapHost, 0)
		require.NoError(t, err)
		m := load(t, th, "textures.cubin")
		f, err := th.ModuleGetFunction(m, "increment")
		require.NoError(t, err)
		host, err := th.MemHostAlloc(4096, driver.MemHostAllocDeviceMap)
		require.NoError(t, err)
		ptr, err := th.MemHostGetDevicePointer(host, 0)
		require.NoError(t, err)
		require.NoError(t, th.FuncSetBlockShape(f, 1, 1, 1))
		require.NoError(t, th.ParamSeti(f, 0, uint32(ptr)))
		require.NoError(t, th.ParamSetSize(f, 4))
		require.NoError(t, th.Launch(f))
	}, func(l *bundle.Launch) {
		require.Len(t, l.Memory, 1)
		require.Equal(t, bundle.Mapped, l.Memory[0].Kind)
		require.Equal(t, byte(1), l.Outputs[0].Bytes[0])
	})
}

// A reset primary context has new memory at the old addresses.
func TestRecordReset(t *testing.T) {
	recorded(t, knobs.Settings{}, func(th *driver.Thread) {
		for range 2 {
			ctx, err := th.DevicePrimaryCtxRetain(0)
			require.NoError(t, err)
			require.NoError(t, th.CtxSetCurrent(ctx))
			vecadd(t, th, "vecadd_sm13.cubin", oldLaunch(t, th))
			require.NoError(t, th.DevicePrimaryCtxReset(0))
		}
	}, func(l *bundle.Launch) {}, func(l *bundle.Launch) { require.Len(t, l.Outputs, 1) })
}

// Arrays that are gone are gone from the bundle: only one of these is there at a time.
func TestRecordArrays(t *testing.T) {
	const launches = 8
	path := filepath.Join(t.TempDir(), "x.jqb")
	_, th, _ := start(t, knobs.Settings{Record: path})
	create(t, th)
	x := newTexturing(t, th)
	for range launches {
		a := array(t, th, driver.ArrayDescriptor{Width: 2048, Height: 2048, Format: driver.FormatUnsignedInt8, Channels: 4})
		require.NoError(t, th.TexRefSetArray(x.ref, a, driver.TRSAOverrideFormat))
		x.at(t, 1, 1, 1)
		require.NoError(t, th.ArrayDestroy(a))
	}
	requireLaunches(t, path, launches)
}

// requireLaunches reads a bundle, which has so many launches.
func requireLaunches(t *testing.T, path string, n int) {
	t.Helper()
	r, err := bundle.Open(path)
	require.NoError(t, err)
	defer r.Close()
	for range n {
		_, err := r.Next()
		require.NoError(t, err)
	}
	_, err = r.Next()
	require.Equal(t, io.EOF, err)
}

func TestRecordNowhere(t *testing.T) {
	_, th, log := fresh(knobs.Settings{Record: filepath.Join(t.TempDir(), "none", "x.jqb")})
	is(t, driver.ErrInvalidValue, th.Init(0))
	require.Contains(t, log.String(), "bundle: open ")
}

// Contexts that launch at once leave one bundle, each with its own memory.
func TestRecordThreads(t *testing.T) {
	const threads, launches = 4, 5
	path := filepath.Join(t.TempDir(), "x.jqb")
	d, _, _ := start(t, knobs.Settings{Record: path, Workers: "1"})
	var all sync.WaitGroup
	for n := range threads {
		th := d.Thread(uint64(100 + n))
		create(t, th)
		all.Go(func() {
			for range launches {
				vecadd(t, th, "vecadd_sm13.cubin", oldLaunch(t, th))
			}
		})
	}
	all.Wait()
	r, err := bundle.Open(path)
	require.NoError(t, err)
	defer r.Close()
	seen := map[int]bool{}
	contexts := map[uint64]int{}
	for range threads * launches {
		l, err := r.Next()
		require.NoError(t, err)
		require.False(t, seen[l.Number])
		seen[l.Number] = true
		contexts[l.Context]++
		require.Len(t, l.Outputs, 1)
	}
	_, err = r.Next()
	require.Equal(t, io.EOF, err)
	require.Len(t, contexts, threads)
}
