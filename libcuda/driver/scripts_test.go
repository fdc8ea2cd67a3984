package driver_test

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// script is a sequence of calls; some have choices other than the ordinary ones.
type script []step

type step struct {
	call    string
	choices []byte
}

func calling(names ...string) (s script) {
	for _, n := range names {
		s = append(s, step{call: n})
	}
	return s
}

// with adds a call with choices.
func (s script) with(call string, choices ...byte) script {
	return append(s, step{call, choices})
}

func (s script) then(names ...string) script { return append(s, calling(names...)...) }

// scripts are call sequences of real programs, the seeds of fuzzing.
var scripts = []script{
	calling("DriverGetVersion", "Init", "DeviceGetCount", "DeviceGet", "DeviceGetName", "DeviceComputeCapability", "DeviceTotalMem", "DeviceGetProperties", "DeviceGetAttribute", "DeviceGetUuid", "DeviceGetPCIBusId", "DeviceGetByPCIBusId"),
	// Launches of CUDA 2.x, and of 4.x.
	calling("Init", "CtxCreate", "ModuleLoadData", "ModuleGetFunction", "MemAlloc", "MemcpyHtoD", "FuncSetBlockShape", "FuncSetSharedSize", "ParamSetv", "ParamSetSize", "LaunchGrid", "CtxSynchronize", "MemcpyDtoH", "MemFree", "ModuleUnload", "CtxDestroy"),
	calling("Init", "CtxCreate", "ModuleLoadDataEx", "ModuleGetFunction", "ModuleGetGlobal", "MemAlloc", "StreamCreate", "EventCreate", "MemcpyHtoDAsync", "LaunchKernel", "MemcpyDtoHAsync", "EventRecord", "StreamSynchronize", "EventSynchronize", "EventQuery", "StreamDestroy", "EventDestroy", "MemFree"),
	// The runtime library.
	calling("GetExportTable", "GetProcAddress", "Init", "DevicePrimaryCtxRetain", "CtxSetCurrent", "SetRuntimeFlags", "ContextStoragePut", "ContextStorageGet", "ModuleLoadFatBinary", "ModuleGetFunction", "MemAlloc", "MemsetD8", "LaunchKernel", "EndRuntimeContext", "MemAlloc", "DevicePrimaryCtxRelease"),
	// Textures over linear memory, rows and arrays.
	calling("Init", "CtxCreate", "ModuleLoad", "ModuleGetFunction", "ModuleGetTexRef", "MemAllocPitch", "ArrayCreate", "Memcpy2D", "TexRefSetFormat", "TexRefSetFlags", "TexRefSetAddress", "LaunchKernel", "TexRefSetAddress2D", "LaunchKernel").
		with("MemcpyHtoA").then("TexRefSetArray", "LaunchKernel", "ArrayDestroy", "LaunchKernel", "CtxSynchronize", "CtxDestroy"),
	// Host memory that kernels reach, allocated and registered.
	calling("Init", "CtxCreate").with("MemHostAlloc", 0, 2).then("MemHostGetDevicePointer", "ModuleLoadData", "ModuleGetFunction", "LaunchKernel", "MemHostGetFlags", "PointerGetAttribute", "MemFreeHost", "LaunchKernel").
		then("CtxDestroy", "CtxCreate").with("MemHostRegister", 0, 0, 2).with("MemHostGetDevicePointer", 130).then("LaunchKernel").with("MemHostUnregister", 130),
	// A context with a fault: texts 4 to 9 are a kernel of faults.cubin, and its places begin at
	// text 10.
	calling("Init", "CtxCreate", "MemAlloc").with("ModuleLoadDataEx", 0, 10).with("ModuleGetFunction", 0, 5).with("LaunchKernel", 0, 0, 3).then("CtxSynchronize", "MemcpyDtoH", "MemFree", "CtxDestroy", "CtxCreate", "MemAlloc"),
	calling("Init", "CtxCreate", "MemAlloc").with("ModuleLoadDataEx", 0, 10).with("ModuleGetFunction", 0, 12).with("LaunchKernel").then("CtxSynchronize", "CtxDestroy"),
	// The linker: a cubin, then PTX, which begins at the 21st place.
	calling("Init", "CtxCreate", "LinkCreate", "LinkAddData", "LinkComplete", "ModuleLoadData", "ModuleGetFunction", "LinkDestroy").
		then("LinkCreate").with("LinkAddData", 1, 0, 20).then("LinkAddFile", "LinkComplete", "CtxDestroy"),
	// OpenGL's buffers by their names, and as resources; a texture.
	calling("Init", "GLCtxCreate", "GLInit", "GLGetDevices", "GLRegisterBufferObject", "GLSetBufferObjectMapFlags", "GLMapBufferObject", "MemsetD8", "GLUnmapBufferObject", "GLUnregisterBufferObject").
		then("GraphicsGLRegisterBuffer", "GraphicsResourceSetMapFlags", "GraphicsMapResources", "GraphicsResourceGetMappedPointer", "MemsetD32", "GraphicsUnmapResources", "GraphicsUnregisterResource").
		then("GraphicsGLRegisterImage", "GraphicsMapResources", "GraphicsSubResourceGetMappedArray", "MemcpyHtoA", "ArrayDestroy", "GraphicsUnmapResources", "CtxDestroy"),
	// Contexts in any order.
	calling("Init", "CtxCreate", "CtxCreateV1", "CtxAttach", "CtxDetach", "CtxPopCurrent", "CtxPushCurrentV1", "CtxPushCurrent", "CtxPopCurrentV1", "CtxGetApiVersion", "CtxDestroyV1", "CtxGetCurrent", "CtxGetDevice"),
	calling("Init", "CtxCreate", "ArrayCreate", "Array3DCreate", "MemAlloc", "Memcpy3D", "MemcpyAtoA", "MemcpyDtoA", "MemcpyAtoD", "MemcpyAtoH", "Memcpy2DUnaligned", "MemsetD2D32", "MemsetD2D16", "MemsetD2D8", "MemsetD16", "MemsetD32", "MemGetAddressRange", "MemGetInfo"),
	calling("Init", "CtxCreate", "StreamCreate", "EventCreate", "StreamWaitEvent", "StreamAddCallback", "EventRecord", "EventElapsedTime", "CtxSetLimit", "CtxSetCacheConfig", "ProfilerStart", "ProfilerStop", "CtxEnablePeerAccess", "DeviceCanAccessPeer", "NotSupported"),
}

// encode returns s in the form of FuzzCalls.
func (s script) encode(t testing.TB) (b []byte) {
	t.Helper()
	number := map[string]byte{}
	for i, m := range calls {
		number[m.Name] = byte(i)
	}
	for _, step := range s {
		n, ok := number[step.call]
		require.True(t, ok, step.call)
		require.Less(t, len(step.choices), maxChoices)
		b = append(append(b, n, 0, byte(len(step.choices))), step.choices...)
	}
	return b
}
