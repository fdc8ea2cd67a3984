package driver_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/libcuda/driver"
	"jacquard/libcuda/driver/knobs"
	"jacquard/tesla"
)

func TestDevices(t *testing.T) {
	for _, c := range []struct {
		knob, name   string
		major, minor int
		memory       uint64
		registers    int
		processors   int
	}{
		{"", "GeForce GTX 280", 1, 3, 1073414144, 16384, 30},
		{"gtx280", "GeForce GTX 280", 1, 3, 1073414144, 16384, 30},
		{"8800gtx", "GeForce 8800 GTX", 1, 0, 804978688, 8192, 16},
		{"9800gx2", "GeForce 9800 GX2", 1, 1, 536150016, 8192, 16},
		{"gt240", "GeForce GT 240", 1, 2, 1073414144, 16384, 12},
		{"c1060", "Tesla C1060", 1, 3, 4294770688, 16384, 30},
	} {
		t.Run(c.knob, func(t *testing.T) {
			_, th, _ := start(t, knobs.Settings{Device: c.knob})
			count, err := th.DeviceGetCount()
			require.NoError(t, err)
			require.Equal(t, 1, count)
			dev, err := th.DeviceGet(0)
			require.NoError(t, err)
			name, err := th.DeviceGetName(dev)
			require.NoError(t, err)
			require.Equal(t, c.name, name)
			major, minor, err := th.DeviceComputeCapability(dev)
			require.NoError(t, err)
			require.Equal(t, [2]int{c.major, c.minor}, [2]int{major, minor})
			memory, err := th.DeviceTotalMem(dev)
			require.NoError(t, err)
			require.Equal(t, c.memory, memory)
			require.Equal(t, c.registers, attribute(t, th, driver.AttributeMaxRegistersPerBlock, dev))
			require.Equal(t, c.processors, attribute(t, th, driver.AttributeMultiprocessorCount, dev))
			require.Equal(t, c.major, attribute(t, th, driver.AttributeComputeCapabilityMajor, dev))
			require.Equal(t, c.minor, attribute(t, th, driver.AttributeComputeCapabilityMinor, dev))
			l := tesla.Arch(c.minor).Limits()
			require.Equal(t, l.Registers, attribute(t, th, driver.AttributeMaxRegistersPerBlock, dev))
			require.Equal(t, l.ThreadsPerBlock, attribute(t, th, driver.AttributeMaxThreadsPerBlock, dev))
			require.Equal(t, l.BlockDim[2], attribute(t, th, driver.AttributeMaxBlockDimZ, dev))
			require.Equal(t, l.GridDim[0], attribute(t, th, driver.AttributeMaxGridDimX, dev))
			require.Equal(t, l.Shared, attribute(t, th, driver.AttributeMaxSharedMemoryPerBlock, dev))
			require.Equal(t, l.Threads, attribute(t, th, driver.AttributeMaxThreadsPerMultiprocessor, dev))
		})
	}
}

func attribute(t *testing.T, th *driver.Thread, a driver.DeviceAttribute, dev driver.Device) int {
	t.Helper()
	v, err := th.DeviceGetAttribute(a, dev)
	require.NoError(t, err)
	return v
}

// The model for an architecture has that architecture.
func TestModelFor(t *testing.T) {
	for _, a := range tesla.Archs {
		_, th, _ := start(t, knobs.Settings{Device: driver.ModelFor(a)})
		major, minor, err := th.DeviceComputeCapability(0)
		require.NoError(t, err)
		require.Equal(t, [2]int{1, int(a)}, [2]int{major, minor})
	}
	require.Empty(t, driver.ModelFor(tesla.Archs[len(tesla.Archs)-1]+1))
}

func TestSeveralDevices(t *testing.T) {
	_, th, _ := start(t, knobs.Settings{Device: "gtx280,8800gtx,gtx280"})
	count, err := th.DeviceGetCount()
	require.NoError(t, err)
	require.Equal(t, 3, count)
	bus := map[int]bool{}
	for i := range count {
		dev, err := th.DeviceGet(i)
		require.NoError(t, err)
		bus[attribute(t, th, driver.AttributePCIBusID, dev)] = true
	}
	require.Len(t, bus, 3, "each device has its own place on the bus")
	name, err := th.DeviceGetName(1)
	require.NoError(t, err)
	require.Equal(t, "GeForce 8800 GTX", name)
	for _, bad := range []int{-1, 3} {
		_, err := th.DeviceGet(bad)
		is(t, driver.ErrInvalidDevice, err)
		_, err = th.CtxCreate(0, driver.Device(bad))
		is(t, driver.ErrInvalidDevice, err)
	}
}

func TestAttributes(t *testing.T) {
	_, th, _ := start(t, knobs.Settings{})
	require.Equal(t, 512, attribute(t, th, driver.AttributeMaxThreadsPerBlock, 0))
	require.Equal(t, 1, attribute(t, th, driver.AttributeMaxGridDimZ, 0))
	require.Equal(t, 0, attribute(t, th, driver.AttributeKernelExecTimeout, 0))
	require.Equal(t, 0, attribute(t, th, driver.AttributeMaximumSurface2dWidth, 0), "known, but this hardware has none")
	require.GreaterOrEqual(t, attribute(t, th, 0x20080403, 0), 2010, "what the runtime library 2.1 asks")
	const last = driver.AttributeSingleToDoublePrecisionPerfRatio
	for a := driver.DeviceAttribute(1); a <= last; a++ {
		attribute(t, th, a, 0)
	}
	for _, bad := range []driver.DeviceAttribute{-1, 0, last + 1, 0x20080404} {
		_, err := th.DeviceGetAttribute(bad, 0)
		is(t, driver.ErrInvalidValue, err, bad)
	}
}

// The policy gives the width of a warp.
func TestWarpSize(t *testing.T) {
	for policy, want := range map[string]int{"": 32, "stackless": 32, "stackless:key=pc,warp=8": 8, "nvidia:warp=4": 4} {
		_, th, _ := start(t, knobs.Settings{Policy: policy})
		require.Equal(t, want, attribute(t, th, driver.AttributeWarpSize, 0))
		p, err := th.DeviceGetProperties(0)
		require.NoError(t, err)
		require.Equal(t, want, p.SIMDWidth)
	}
}

func TestProperties(t *testing.T) {
	_, th, _ := start(t, knobs.Settings{Device: "8800gtx"})
	p, err := th.DeviceGetProperties(0)
	require.NoError(t, err)
	require.Equal(t, driver.Properties{
		MaxThreadsPerBlock: 512, MaxThreadsDim: [3]int{512, 512, 64}, MaxGridSize: [3]int{65535, 65535, 1},
		SharedMemPerBlock: 16384, TotalConstantMemory: 65536, SIMDWidth: 32, MemPitch: 2147483647,
		RegsPerBlock: 8192, ClockRate: 1350000, TextureAlign: 256,
	}, p)
}
