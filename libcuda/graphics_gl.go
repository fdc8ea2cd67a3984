package main

// #include "abi_gen.h"
import "C"

import (
	"unsafe"

	"jacquard/libcuda/driver"
)

//export goGLInit
func goGLInit(thread C.uint64_t) C.CUresult { return do(thread, (*driver.Thread).GLInit) }

//export goGLCtxCreate
func goGLCtxCreate(thread C.uint64_t, ctx *C.CUcontext, flags C.uint, dev C.CUdevice) C.CUresult {
	return get(thread, ctx, func(t *driver.Thread) (driver.Context, error) {
		return t.GLCtxCreateV1(driver.ContextFlags(flags), driver.Device(dev))
	})
}

//export goGLCtxCreateV2
func goGLCtxCreateV2(thread C.uint64_t, ctx *C.CUcontext, flags C.uint, dev C.CUdevice) C.CUresult {
	return get(thread, ctx, func(t *driver.Thread) (driver.Context, error) {
		return t.GLCtxCreate(driver.ContextFlags(flags), driver.Device(dev))
	})
}

//export goGLGetDevicesV2
func goGLGetDevicesV2(thread C.uint64_t, count *C.uint, devices *C.CUdevice, most C.uint, list C.CUGLDeviceList) C.CUresult {
	if _, ok := host(uintptr(unsafe.Pointer(devices)), uint64(most)*C.sizeof_CUdevice); !ok || count == nil {
		return invalidValue
	}
	return do(thread, func(t *driver.Thread) error {
		all, err := t.GLGetDevices(driver.GLDeviceList(list))
		if err != nil {
			return err
		}
		*count = C.uint(len(all))
		n := min(len(all), int(most))
		for i, to := 0, unsafe.Slice(devices, n); i < n; i++ {
			to[i] = C.CUdevice(all[i])
		}
		return nil
	})
}

//export goGraphicsGLRegisterBuffer
func goGraphicsGLRegisterBuffer(thread C.uint64_t, resource *C.CUgraphicsResource, buffer C.GLuint, flags C.uint) C.CUresult {
	return get(thread, resource, func(t *driver.Thread) (driver.GraphicsResource, error) {
		return t.GraphicsGLRegisterBuffer(uint32(buffer), driver.GraphicsRegisterFlags(flags))
	})
}

//export goGraphicsGLRegisterImage
func goGraphicsGLRegisterImage(thread C.uint64_t, resource *C.CUgraphicsResource, image C.GLuint, target C.GLenum, flags C.uint) C.CUresult {
	return get(thread, resource, func(t *driver.Thread) (driver.GraphicsResource, error) {
		return t.GraphicsGLRegisterImage(uint32(image), driver.GLEnum(target), driver.GraphicsRegisterFlags(flags))
	})
}

//export goGLRegisterBufferObject
func goGLRegisterBufferObject(thread C.uint64_t, buffer C.GLuint) C.CUresult {
	return do(thread, func(t *driver.Thread) error { return t.GLRegisterBufferObject(uint32(buffer)) })
}

//export goGLSetBufferObjectMapFlags
func goGLSetBufferObjectMapFlags(thread C.uint64_t, buffer C.GLuint, flags C.uint) C.CUresult {
	return do(thread, func(t *driver.Thread) error {
		return t.GLSetBufferObjectMapFlags(uint32(buffer), driver.GraphicsMapFlags(flags))
	})
}

//export goGLMapBufferObject
func goGLMapBufferObject(thread C.uint64_t, ptr *C.CUdeviceptr_v1, size *C.uint, buffer C.GLuint) C.CUresult {
	return mapBufferObject(thread, ptr, size, buffer, 0)
}

//export goGLMapBufferObjectV2
func goGLMapBufferObjectV2(thread C.uint64_t, ptr *C.CUdeviceptr, size *C.size_t, buffer C.GLuint) C.CUresult {
	return mapBufferObject(thread, ptr, size, buffer, 0)
}

//export goGLMapBufferObjectAsync
func goGLMapBufferObjectAsync(thread C.uint64_t, ptr *C.CUdeviceptr_v1, size *C.uint, buffer C.GLuint, stream C.CUstream) C.CUresult {
	return mapBufferObject(thread, ptr, size, buffer, stream)
}

//export goGLMapBufferObjectAsyncV2
func goGLMapBufferObjectAsyncV2(thread C.uint64_t, ptr *C.CUdeviceptr, size *C.size_t, buffer C.GLuint, stream C.CUstream) C.CUresult {
	return mapBufferObject(thread, ptr, size, buffer, stream)
}

func mapBufferObject[P, S number](thread C.uint64_t, ptr *P, size *S, buffer C.GLuint, stream C.CUstream) C.CUresult {
	if ptr == nil || size == nil {
		return invalidValue
	}
	return get2(thread, ptr, size, func(t *driver.Thread) (driver.DevicePtr, uint64, error) {
		return t.GLMapBufferObjectAsync(uint32(buffer), driver.Stream(stream))
	})
}

//export goGLUnmapBufferObject
func goGLUnmapBufferObject(thread C.uint64_t, buffer C.GLuint) C.CUresult {
	return goGLUnmapBufferObjectAsync(thread, buffer, 0)
}

//export goGLUnmapBufferObjectAsync
func goGLUnmapBufferObjectAsync(thread C.uint64_t, buffer C.GLuint, stream C.CUstream) C.CUresult {
	return do(thread, func(t *driver.Thread) error {
		return t.GLUnmapBufferObjectAsync(uint32(buffer), driver.Stream(stream))
	})
}

//export goGLUnregisterBufferObject
func goGLUnregisterBufferObject(thread C.uint64_t, buffer C.GLuint) C.CUresult {
	return do(thread, func(t *driver.Thread) error { return t.GLUnregisterBufferObject(uint32(buffer)) })
}
