// The driver's calls that the runtime library makes. The first call that needs the driver loads it.
#ifndef JACQUARD_RUNTIME_DRIVER_H
#define JACQUARD_RUNTIME_DRIVER_H

#include "../include/cuda.h"
#include "../include/cudaProfiler.h"

// OpenGL's calls, which cuda.h leaves to a header of their own.
CUresult cuGLGetDevices(unsigned int *count, CUdevice *devices, unsigned int size, int list);
CUresult cuGLMapBufferObject(CUdeviceptr *pointer, size_t *size, unsigned int buffer);
CUresult cuGLMapBufferObjectAsync(CUdeviceptr *pointer, size_t *size, unsigned int buffer, CUstream stream);
CUresult cuGLRegisterBufferObject(unsigned int buffer);
CUresult cuGLSetBufferObjectMapFlags(unsigned int buffer, unsigned int flags);
CUresult cuGLUnmapBufferObject(unsigned int buffer);
CUresult cuGLUnmapBufferObjectAsync(unsigned int buffer, CUstream stream);
CUresult cuGLUnregisterBufferObject(unsigned int buffer);
CUresult cuGraphicsGLRegisterBuffer(CUgraphicsResource *resource, unsigned int buffer, unsigned int flags);
CUresult cuGraphicsGLRegisterImage(CUgraphicsResource *resource, unsigned int image, unsigned int target,
	unsigned int flags);

// NEW_DRIVER_CALLS lists the calls of later drivers, which only the library of release 10.0 needs.
#if CUDART_VERSION >= 10000
#define NEW_DRIVER_CALLS(X) X(cuDeviceGetUuid)
#else
#define NEW_DRIVER_CALLS(X)
#endif

// DRIVER_CALLS lists the calls by the names of cuda.h, which stand for symbols with or without _v2.
#define DRIVER_CALLS(X) \
	X(cuArray3DCreate) \
	X(cuArray3DGetDescriptor) \
	X(cuArrayDestroy) \
	X(cuCtxCreate) \
	X(cuCtxDestroy) \
	X(cuCtxDisablePeerAccess) \
	X(cuCtxEnablePeerAccess) \
	X(cuCtxGetCacheConfig) \
	X(cuCtxGetCurrent) \
	X(cuCtxGetDevice) \
	X(cuCtxGetLimit) \
	X(cuCtxGetSharedMemConfig) \
	X(cuCtxGetStreamPriorityRange) \
	X(cuCtxPopCurrent) \
	X(cuCtxPushCurrent) \
	X(cuCtxSetCacheConfig) \
	X(cuCtxSetCurrent) \
	X(cuCtxSetLimit) \
	X(cuCtxSetSharedMemConfig) \
	X(cuCtxSynchronize) \
	X(cuDeviceCanAccessPeer) \
	X(cuDeviceGet) \
	X(cuDeviceGetAttribute) \
	X(cuDeviceGetByPCIBusId) \
	X(cuDeviceGetCount) \
	X(cuDeviceGetName) \
	X(cuDeviceGetPCIBusId) \
	X(cuDevicePrimaryCtxGetState) \
	X(cuDevicePrimaryCtxRelease) \
	X(cuDevicePrimaryCtxReset) \
	X(cuDevicePrimaryCtxRetain) \
	X(cuDevicePrimaryCtxSetFlags) \
	X(cuDeviceTotalMem) \
	NEW_DRIVER_CALLS(X) \
	X(cuDriverGetVersion) \
	X(cuEventCreate) \
	X(cuEventDestroy) \
	X(cuEventElapsedTime) \
	X(cuEventQuery) \
	X(cuEventRecord) \
	X(cuEventSynchronize) \
	X(cuFuncGetAttribute) \
	X(cuFuncSetCacheConfig) \
	X(cuFuncSetSharedMemConfig) \
	X(cuGetExportTable) \
	X(cuGLGetDevices) \
	X(cuGLMapBufferObject) \
	X(cuGLMapBufferObjectAsync) \
	X(cuGLRegisterBufferObject) \
	X(cuGLSetBufferObjectMapFlags) \
	X(cuGLUnmapBufferObject) \
	X(cuGLUnmapBufferObjectAsync) \
	X(cuGLUnregisterBufferObject) \
	X(cuGraphicsGLRegisterBuffer) \
	X(cuGraphicsGLRegisterImage) \
	X(cuGraphicsMapResources) \
	X(cuGraphicsResourceGetMappedPointer) \
	X(cuGraphicsResourceSetMapFlags) \
	X(cuGraphicsSubResourceGetMappedArray) \
	X(cuGraphicsUnmapResources) \
	X(cuGraphicsUnregisterResource) \
	X(cuInit) \
	X(cuIpcCloseMemHandle) \
	X(cuIpcGetEventHandle) \
	X(cuIpcGetMemHandle) \
	X(cuIpcOpenEventHandle) \
	X(cuIpcOpenMemHandle) \
	X(cuLaunchKernel) \
	X(cuMemAlloc) \
	X(cuMemAllocPitch) \
	X(cuMemFree) \
	X(cuMemFreeHost) \
	X(cuMemGetAddressRange) \
	X(cuMemGetInfo) \
	X(cuMemHostAlloc) \
	X(cuMemHostGetDevicePointer) \
	X(cuMemHostGetFlags) \
	X(cuMemHostRegister) \
	X(cuMemHostUnregister) \
	X(cuMemcpy3D) \
	X(cuMemcpy3DAsync) \
	X(cuMemcpy3DPeer) \
	X(cuMemcpy3DPeerAsync) \
	X(cuMemcpyDtoD) \
	X(cuMemcpyDtoDAsync) \
	X(cuMemcpyDtoH) \
	X(cuMemcpyDtoHAsync) \
	X(cuMemcpyHtoD) \
	X(cuMemcpyHtoDAsync) \
	X(cuMemcpyPeer) \
	X(cuMemcpyPeerAsync) \
	X(cuMemsetD2D8) \
	X(cuMemsetD2D8Async) \
	X(cuMemsetD8) \
	X(cuMemsetD8Async) \
	X(cuModuleGetFunction) \
	X(cuModuleGetGlobal) \
	X(cuModuleGetSurfRef) \
	X(cuModuleGetTexRef) \
	X(cuModuleLoadFatBinary) \
	X(cuModuleUnload) \
	X(cuOccupancyMaxActiveBlocksPerMultiprocessor) \
	X(cuPointerGetAttribute) \
	X(cuProfilerInitialize) \
	X(cuProfilerStart) \
	X(cuProfilerStop) \
	X(cuStreamAddCallback) \
	X(cuStreamCreate) \
	X(cuStreamDestroy) \
	X(cuStreamGetFlags) \
	X(cuStreamQuery) \
	X(cuStreamSynchronize) \
	X(cuStreamWaitEvent) \
	X(cuSurfRefSetArray) \
	X(cuTexRefSetAddress) \
	X(cuTexRefSetAddress2D) \
	X(cuTexRefSetAddressMode) \
	X(cuTexRefSetArray) \
	X(cuTexRefSetFilterMode) \
	X(cuTexRefSetFlags) \
	X(cuTexRefSetFormat)

// driver has the address of each call once runtime_needs_driver has answered without an error.
struct driver {
#define DRIVER_FIELD(name) __typeof__(&name) name;
	DRIVER_CALLS(DRIVER_FIELD)
#undef DRIVER_FIELD
};
extern struct driver driver;

// struct driver_checks is the table of Jacquard's driver for calls that fail and programs that ask for
// the last error. NULL: nobody wants to know.
struct driver_checks {
	size_t size;
	CUresult (*failed)(const char *call, const char *error);
	CUresult (*asked)(void);
};
extern const struct driver_checks *_Atomic driver_checks;

#endif
