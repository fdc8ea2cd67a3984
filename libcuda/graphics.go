package main

// #include "abi_gen.h"
import "C"

import (
	"unsafe"

	"jacquard/libcuda/driver"
)

//export goGraphicsMapResources
func goGraphicsMapResources(thread C.uint64_t, count C.uint, resources *C.CUgraphicsResource, stream C.CUstream) C.CUresult {
	return withResources(thread, count, resources, stream, (*driver.Thread).GraphicsMapResources)
}

//export goGraphicsUnmapResources
func goGraphicsUnmapResources(thread C.uint64_t, count C.uint, resources *C.CUgraphicsResource, stream C.CUstream) C.CUresult {
	return withResources(thread, count, resources, stream, (*driver.Thread).GraphicsUnmapResources)
}

// withResources is do for a call with a list of resources. The list stays in the program's memory:
// it may be as long as count says, or not.
func withResources(thread C.uint64_t, count C.uint, resources *C.CUgraphicsResource, stream C.CUstream, f func(*driver.Thread, []driver.GraphicsResource, driver.Stream) error) C.CUresult {
	if _, ok := host(uintptr(unsafe.Pointer(resources)), uint64(count)*uint64(unsafe.Sizeof(*resources))); !ok {
		return invalidValue
	}
	list := unsafe.Slice((*driver.GraphicsResource)(unsafe.Pointer(resources)), int(count))
	return do(thread, func(t *driver.Thread) error { return f(t, list, driver.Stream(stream)) })
}

//export goGraphicsResourceGetMappedPointer
func goGraphicsResourceGetMappedPointer(thread C.uint64_t, ptr *C.CUdeviceptr_v1, size *C.uint, resource C.CUgraphicsResource) C.CUresult {
	return mappedPointer(thread, ptr, size, resource)
}

//export goGraphicsResourceGetMappedPointerV2
func goGraphicsResourceGetMappedPointerV2(thread C.uint64_t, ptr *C.CUdeviceptr, size *C.size_t, resource C.CUgraphicsResource) C.CUresult {
	return mappedPointer(thread, ptr, size, resource)
}

func mappedPointer[P, S number](thread C.uint64_t, ptr *P, size *S, resource C.CUgraphicsResource) C.CUresult {
	if ptr == nil || size == nil {
		return invalidValue
	}
	return get2(thread, ptr, size, func(t *driver.Thread) (driver.DevicePtr, uint64, error) {
		return t.GraphicsResourceGetMappedPointer(driver.GraphicsResource(resource))
	})
}

//export goGraphicsSubResourceGetMappedArray
func goGraphicsSubResourceGetMappedArray(thread C.uint64_t, array *C.CUarray, resource C.CUgraphicsResource, index, level C.uint) C.CUresult {
	return get(thread, array, func(t *driver.Thread) (driver.Array, error) {
		return t.GraphicsSubResourceGetMappedArray(driver.GraphicsResource(resource), uint32(index), uint32(level))
	})
}

//export goGraphicsResourceSetMapFlagsV2
func goGraphicsResourceSetMapFlagsV2(thread C.uint64_t, resource C.CUgraphicsResource, flags C.uint) C.CUresult {
	return do(thread, func(t *driver.Thread) error {
		return t.GraphicsResourceSetMapFlags(driver.GraphicsResource(resource), driver.GraphicsMapFlags(flags))
	})
}

//export goGraphicsUnregisterResource
func goGraphicsUnregisterResource(thread C.uint64_t, resource C.CUgraphicsResource) C.CUresult {
	return do(thread, func(t *driver.Thread) error {
		return t.GraphicsUnregisterResource(driver.GraphicsResource(resource))
	})
}
