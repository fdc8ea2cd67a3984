package driver_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/libcuda/driver"
	"jacquard/libcuda/driver/knobs"
)

func TestBeforeInit(t *testing.T) {
	_, th, _ := fresh(knobs.Settings{})
	version, err := th.DriverGetVersion()
	require.NoError(t, err)
	require.Equal(t, 6050, version)

	for name, call := range everyCall(th) {
		is(t, driver.ErrNotInitialized, call(), name)
	}
}

func TestWithoutContext(t *testing.T) {
	_, th, _ := start(t, knobs.Settings{})
	for name, call := range everyCall(th) {
		switch {
		case strings.HasPrefix(name, "Device"), name == "CtxGetCurrent", name == "NotSupported":
			continue
		}
		is(t, driver.ErrInvalidContext, call(), name)
	}
	ctx, err := th.CtxGetCurrent()
	require.NoError(t, err)
	require.Zero(t, ctx)
}

func TestNullAndStaleHandles(t *testing.T) {
	th, ctx := current(t)
	stream, err := th.StreamCreate(0)
	require.NoError(t, err)
	require.NoError(t, th.StreamDestroy(stream))
	for what, h := range map[string]uintptr{"NULL": 0, "stale": uintptr(stream), "of another kind": uintptr(ctx), "small": 1, "large": ^uintptr(0)} {
		for name, call := range handleCalls(th, h) {
			is(t, driver.ErrInvalidHandle, call(), "%s handle, %s", what, name)
		}
	}
	for _, h := range []driver.Context{0, 1, driver.Context(stream), ^driver.Context(0)} {
		is(t, driver.ErrInvalidContext, th.CtxDestroy(h))
		is(t, driver.ErrInvalidContext, th.CtxDestroyV1(h))
		is(t, driver.ErrInvalidContext, th.CtxDetach(h))
		is(t, driver.ErrInvalidContext, th.CtxPushCurrent(h))
		is(t, driver.ErrInvalidContext, th.CtxPushCurrentV1(h))
	}
}

func TestInitFlags(t *testing.T) {
	_, th, _ := fresh(knobs.Settings{})
	is(t, driver.ErrInvalidValue, th.Init(1))
	_, err := th.DeviceGetCount()
	is(t, driver.ErrNotInitialized, err)
	require.NoError(t, th.Init(0))
	require.NoError(t, th.Init(0), "a second time")
}

func TestNotSupportedIsLoggedOnce(t *testing.T) {
	_, th, log := start(t, knobs.Settings{})
	for range 3 {
		is(t, driver.ErrNotSupported, th.NotSupported("cuArrayCreate"))
	}
	require.Equal(t, "jacquard: cuArrayCreate is not supported\n", log.String())
}

// everyCall has each method once, with arguments as good as possible.
func everyCall(th *driver.Thread) map[string]func() error {
	calls := handleCalls(th, 1)
	for name, call := range map[string]func() error{
		"DeviceGetCount":          func() error { _, err := th.DeviceGetCount(); return err },
		"DeviceGet":               func() error { _, err := th.DeviceGet(0); return err },
		"DeviceGetName":           func() error { _, err := th.DeviceGetName(0); return err },
		"DeviceComputeCapability": func() error { _, _, err := th.DeviceComputeCapability(0); return err },
		"DeviceTotalMem":          func() error { _, err := th.DeviceTotalMem(0); return err },
		"DeviceGetAttribute":      func() error { _, err := th.DeviceGetAttribute(1, 0); return err },
		"DeviceGetProperties":     func() error { _, err := th.DeviceGetProperties(0); return err },
		"CtxDestroy":              func() error { return th.CtxDestroy(1) },
		"CtxDestroyV1":            func() error { return th.CtxDestroyV1(1) },
		"CtxDetach":               func() error { return th.CtxDetach(1) },
		"CtxPushCurrent":          func() error { return th.CtxPushCurrent(1) },
		"CtxPushCurrentV1":        func() error { return th.CtxPushCurrentV1(1) },
		"CtxPopCurrent":           func() error { _, err := th.CtxPopCurrent(); return err },
		"CtxPopCurrentV1":         func() error { _, err := th.CtxPopCurrentV1(); return err },
		"CtxSetCurrent":           func() error { return th.CtxSetCurrent(1) },
		"CtxGetCurrent":           func() error { _, err := th.CtxGetCurrent(); return err },
		"CtxGetDevice":            func() error { _, err := th.CtxGetDevice(); return err },
		"CtxGetApiVersion":        func() error { _, err := th.CtxGetApiVersion(0); return err },
		"CtxSynchronize":          func() error { return th.CtxSynchronize() },
		"ModuleLoad":              func() error { _, err := th.ModuleLoad("x"); return err },
		"ModuleLoadData":          func() error { _, err := th.ModuleLoadData(nil); return err },
		"MemAlloc":                func() error { _, err := th.MemAlloc(4); return err },
		"MemAllocPitch":           func() error { _, _, err := th.MemAllocPitch(4, 4, 4); return err },
		"MemAllocHost":            func() error { _, err := th.MemAllocHost(4); return err },
		"MemHostAlloc":            func() error { _, err := th.MemHostAlloc(4, 0); return err },
		"MemFreeHost":             func() error { return th.MemFreeHost(1) },
		"MemFree":                 func() error { return th.MemFree(4096) },
		"MemGetAddressRange":      func() error { _, _, err := th.MemGetAddressRange(4096); return err },
		"MemGetInfo":              func() error { _, _, err := th.MemGetInfo(); return err },
		"MemcpyHtoD":              func() error { return th.MemcpyHtoD(4096, make([]byte, 4)) },
		"MemcpyDtoH":              func() error { return th.MemcpyDtoH(make([]byte, 4), 4096) },
		"MemcpyDtoD":              func() error { return th.MemcpyDtoD(4096, 4096, 4) },
		"MemsetD8":                func() error { return th.MemsetD8(4096, 1, 4) },
		"MemsetD16":               func() error { return th.MemsetD16(4096, 1, 4) },
		"MemsetD32":               func() error { return th.MemsetD32(4096, 1, 4) },
		"StreamCreate":            func() error { _, err := th.StreamCreate(0); return err },
		"EventCreate":             func() error { _, err := th.EventCreate(0); return err },
		"StreamQuery 0":           func() error { return th.StreamQuery(0) },
		"StreamSynchronize 0":     func() error { return th.StreamSynchronize(0) },
		"NotSupported":            func() error { return th.NotSupported("cuGLInit") },
	} {
		calls[name] = call
	}
	return calls
}

// handleCalls has each method with a handle that is no context, called with h.
func handleCalls(th *driver.Thread, h uintptr) map[string]func() error {
	m, f, r := driver.Module(h), driver.Function(h), driver.TexRef(h)
	e, s := driver.Event(h), driver.Stream(h)
	calls := map[string]func() error{
		"ModuleUnload":      func() error { return th.ModuleUnload(m) },
		"ModuleGetFunction": func() error { _, err := th.ModuleGetFunction(m, "k"); return err },
		"ModuleGetGlobal":   func() error { _, _, err := th.ModuleGetGlobal(m, "k"); return err },
		"ModuleGetTexRef":   func() error { _, err := th.ModuleGetTexRef(m, "k"); return err },

		"FuncGetAttribute":  func() error { _, err := th.FuncGetAttribute(driver.FuncNumRegs, f); return err },
		"FuncSetBlockShape": func() error { return th.FuncSetBlockShape(f, 1, 1, 1) },
		"FuncSetSharedSize": func() error { return th.FuncSetSharedSize(f, 0) },
		"ParamSetSize":      func() error { return th.ParamSetSize(f, 4) },
		"ParamSeti":         func() error { return th.ParamSeti(f, 0, 1) },
		"ParamSetv":         func() error { return th.ParamSetv(f, 0, make([]byte, 4)) },
		"ParamSetTexRef":    func() error { return th.ParamSetTexRef(f, driver.ParamTRDefault, 1) },
		"Launch":            func() error { return th.Launch(f) },
		"LaunchGrid":        func() error { return th.LaunchGrid(f, 1, 1) },
		"LaunchGridAsync":   func() error { return th.LaunchGridAsync(f, 1, 1, 0) },
		"LaunchKernel": func() error {
			one := [3]uint32{1, 1, 1}
			return th.LaunchKernel(f, one, one, 0, 0, driver.Arguments{})
		},

		"TexRefSetAddress":     func() error { return th.TexRefSetAddress(r, 4096, 4, nil) },
		"TexRefSetFormat":      func() error { return th.TexRefSetFormat(r, driver.FormatFloat, 1) },
		"TexRefSetFlags":       func() error { return th.TexRefSetFlags(r, 0) },
		"TexRefSetAddressMode": func() error { return th.TexRefSetAddressMode(r, 0, 0) },
		"TexRefSetFilterMode":  func() error { return th.TexRefSetFilterMode(r, 0) },

		"EventDestroy":     func() error { return th.EventDestroy(e) },
		"EventRecord":      func() error { return th.EventRecord(e, 0) },
		"EventQuery":       func() error { return th.EventQuery(e) },
		"EventSynchronize": func() error { return th.EventSynchronize(e) },
		"EventElapsedTime": func() error { _, err := th.EventElapsedTime(e, e); return err },
		"StreamDestroy":    func() error { return th.StreamDestroy(s) },
	}
	if h != 0 { // the default stream
		calls["StreamQuery"] = func() error { return th.StreamQuery(s) }
		calls["StreamSynchronize"] = func() error { return th.StreamSynchronize(s) }
		calls["MemcpyHtoDAsync"] = func() error { return th.MemcpyHtoDAsync(4096, make([]byte, 4), s) }
		calls["MemcpyDtoHAsync"] = func() error { return th.MemcpyDtoHAsync(make([]byte, 4), 4096, s) }
		calls["MemcpyDtoDAsync"] = func() error { return th.MemcpyDtoDAsync(4096, 4096, 4, s) }
	}
	return calls
}

func TestInitHints(t *testing.T) {
	var log strings.Builder
	d := driver.New(driver.Config{Output: &log, Hints: []string{"first", "second"}})
	for range 2 {
		require.NoError(t, d.Thread(1).Init(0))
	}
	require.Equal(t, "jacquard: first\njacquard: second\n", log.String())

	log.Reset()
	d = driver.New(driver.Config{Settings: knobs.Settings{Log: "off"}, Output: &log, Hints: []string{"first"}})
	require.NoError(t, d.Thread(1).Init(0))
	require.Empty(t, log.String())
}
