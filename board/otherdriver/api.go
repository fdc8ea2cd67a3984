package otherdriver

import "unsafe"

// api are the functions of the library, with C's types. The first name in a tag that exists is taken.
type api struct {
	Init                    func(flags uint32) int32                                                                                                                `cuda:"cuInit"`
	GetErrorName            func(code int32, name **byte) int32                                                                                                     `cuda:"cuGetErrorName,optional"`
	DriverGetVersion        func(version *int32) int32                                                                                                              `cuda:"cuDriverGetVersion"`
	DeviceGetCount          func(count *int32) int32                                                                                                                `cuda:"cuDeviceGetCount"`
	DeviceGet               func(device *int32, ordinal int32) int32                                                                                                `cuda:"cuDeviceGet"`
	DeviceGetName           func(name *byte, size, device int32) int32                                                                                              `cuda:"cuDeviceGetName"`
	DeviceComputeCapability func(major, minor *int32, device int32) int32                                                                                           `cuda:"cuDeviceComputeCapability"`
	CtxCreate               func(ctx *Context, flags uint32, device int32) int32                                                                                    `cuda:"cuCtxCreate_v2"`
	CtxDestroy              func(ctx Context) int32                                                                                                                 `cuda:"cuCtxDestroy_v2"`
	CtxSetCurrent           func(ctx Context) int32                                                                                                                 `cuda:"cuCtxSetCurrent"`
	CtxSynchronize          func() int32                                                                                                                            `cuda:"cuCtxSynchronize"`
	ModuleLoadDataEx        func(module *Module, image *byte, count uint32, options *int32, values *uintptr) int32                                                  `cuda:"cuModuleLoadDataEx"`
	ModuleUnload            func(module Module) int32                                                                                                               `cuda:"cuModuleUnload"`
	ModuleGetFunction       func(function *Function, module Module, name string) int32                                                                              `cuda:"cuModuleGetFunction"`
	ModuleGetGlobal         func(address *Address, bytes *uintptr, module Module, name string) int32                                                                `cuda:"cuModuleGetGlobal_v2"`
	ModuleGetTexRef         func(ref *TexRef, module Module, name string) int32                                                                                     `cuda:"cuModuleGetTexRef,optional"`
	MemAlloc                func(address *Address, bytes uintptr) int32                                                                                             `cuda:"cuMemAlloc_v2"`
	MemFree                 func(address Address) int32                                                                                                             `cuda:"cuMemFree_v2"`
	MemcpyHtoD              func(to Address, from *byte, bytes uintptr) int32                                                                                       `cuda:"cuMemcpyHtoD_v2"`
	MemcpyDtoH              func(to *byte, from Address, bytes uintptr) int32                                                                                       `cuda:"cuMemcpyDtoH_v2"`
	MemsetD8                func(to Address, value byte, bytes uintptr) int32                                                                                       `cuda:"cuMemsetD8_v2"`
	Array3DCreate           func(array *Array, descriptor *arrayDescriptor) int32                                                                                   `cuda:"cuArray3DCreate_v2,optional"`
	ArrayDestroy            func(array Array) int32                                                                                                                 `cuda:"cuArrayDestroy,optional"`
	Memcpy3D                func(copy *copy3D) int32                                                                                                                `cuda:"cuMemcpy3D_v2,optional"`
	TexRefSetArray          func(ref TexRef, array Array, flags uint32) int32                                                                                       `cuda:"cuTexRefSetArray,optional"`
	TexRefSetAddress        func(offset *uintptr, ref TexRef, address Address, bytes uintptr) int32                                                                 `cuda:"cuTexRefSetAddress_v2,optional"`
	TexRefSetAddress2D      func(ref TexRef, descriptor *planeDescriptor, address Address, pitch uintptr) int32                                                     `cuda:"cuTexRefSetAddress2D_v2|cuTexRefSetAddress2D_v3,optional"`
	TexRefSetFormat         func(ref TexRef, format, channels int32) int32                                                                                          `cuda:"cuTexRefSetFormat,optional"`
	TexRefSetFlags          func(ref TexRef, flags uint32) int32                                                                                                    `cuda:"cuTexRefSetFlags,optional"`
	TexRefSetAddressMode    func(ref TexRef, dim, mode int32) int32                                                                                                 `cuda:"cuTexRefSetAddressMode,optional"`
	TexRefSetFilterMode     func(ref TexRef, mode int32) int32                                                                                                      `cuda:"cuTexRefSetFilterMode,optional"`
	LaunchKernel            func(function Function, gridX, gridY, gridZ, blockX, blockY, blockZ, shared uint32, stream uintptr, params, extra unsafe.Pointer) int32 `cuda:"cuLaunchKernel"`
}

// arrayDescriptor is CUDA_ARRAY3D_DESCRIPTOR.
type arrayDescriptor struct {
	Width, Height, Depth    uintptr
	Format, Channels, Flags uint32
}

// planeDescriptor is CUDA_ARRAY_DESCRIPTOR.
type planeDescriptor struct {
	Width, Height    uintptr
	Format, Channels uint32
}

// copy3D is CUDA_MEMCPY3D.
type copy3D struct {
	Src, Dst             copySide
	Width, Height, Depth uintptr
}

type copySide struct {
	X, Y, Z, LOD  uintptr
	Type          uint32
	Host          *byte
	Device        uintptr
	Array         Array
	_             uintptr
	Pitch, Height uintptr
}
