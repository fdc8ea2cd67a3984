package main

// #include "abi_gen.h"
import "C"

import "jacquard/libcuda/driver"

// The four structures of copies have the same members, but for their widths and the third dimension.

func copy2DV1(p *C.CUDA_MEMCPY2D_v1) driver.Copy {
	return driver.Copy{
		Src: driver.CopySide{
			X: uint64(p.srcXInBytes), Y: uint64(p.srcY), Type: driver.MemoryType(p.srcMemoryType),
			Host: uintptr(p.srcHost), Device: driver.DevicePtr(p.srcDevice), Array: driver.Array(p.srcArray), Pitch: uint64(p.srcPitch),
		},
		Dst: driver.CopySide{
			X: uint64(p.dstXInBytes), Y: uint64(p.dstY), Type: driver.MemoryType(p.dstMemoryType),
			Host: uintptr(p.dstHost), Device: driver.DevicePtr(p.dstDevice), Array: driver.Array(p.dstArray), Pitch: uint64(p.dstPitch),
		},
		Width: uint64(p.WidthInBytes), Height: uint64(p.Height), Depth: 1,
	}
}

func copy2D(p *C.CUDA_MEMCPY2D) driver.Copy {
	return driver.Copy{
		Src: driver.CopySide{
			X: uint64(p.srcXInBytes), Y: uint64(p.srcY), Type: driver.MemoryType(p.srcMemoryType),
			Host: uintptr(p.srcHost), Device: driver.DevicePtr(p.srcDevice), Array: driver.Array(p.srcArray), Pitch: uint64(p.srcPitch),
		},
		Dst: driver.CopySide{
			X: uint64(p.dstXInBytes), Y: uint64(p.dstY), Type: driver.MemoryType(p.dstMemoryType),
			Host: uintptr(p.dstHost), Device: driver.DevicePtr(p.dstDevice), Array: driver.Array(p.dstArray), Pitch: uint64(p.dstPitch),
		},
		Width: uint64(p.WidthInBytes), Height: uint64(p.Height), Depth: 1,
	}
}

func copy3DV1(p *C.CUDA_MEMCPY3D_v1) driver.Copy {
	return driver.Copy{
		Src: driver.CopySide{
			X: uint64(p.srcXInBytes), Y: uint64(p.srcY), Type: driver.MemoryType(p.srcMemoryType),
			Host: uintptr(p.srcHost), Device: driver.DevicePtr(p.srcDevice), Array: driver.Array(p.srcArray), Pitch: uint64(p.srcPitch),
			Z: uint64(p.srcZ), LOD: uint64(p.srcLOD), Height: uint64(p.srcHeight),
		},
		Dst: driver.CopySide{
			X: uint64(p.dstXInBytes), Y: uint64(p.dstY), Type: driver.MemoryType(p.dstMemoryType),
			Host: uintptr(p.dstHost), Device: driver.DevicePtr(p.dstDevice), Array: driver.Array(p.dstArray), Pitch: uint64(p.dstPitch),
			Z: uint64(p.dstZ), LOD: uint64(p.dstLOD), Height: uint64(p.dstHeight),
		},
		Width: uint64(p.WidthInBytes), Height: uint64(p.Height), Depth: uint64(p.Depth),
	}
}

func copy3D(p *C.CUDA_MEMCPY3D) driver.Copy {
	return driver.Copy{
		Src: driver.CopySide{
			X: uint64(p.srcXInBytes), Y: uint64(p.srcY), Type: driver.MemoryType(p.srcMemoryType),
			Host: uintptr(p.srcHost), Device: driver.DevicePtr(p.srcDevice), Array: driver.Array(p.srcArray), Pitch: uint64(p.srcPitch),
			Z: uint64(p.srcZ), LOD: uint64(p.srcLOD), Height: uint64(p.srcHeight),
		},
		Dst: driver.CopySide{
			X: uint64(p.dstXInBytes), Y: uint64(p.dstY), Type: driver.MemoryType(p.dstMemoryType),
			Host: uintptr(p.dstHost), Device: driver.DevicePtr(p.dstDevice), Array: driver.Array(p.dstArray), Pitch: uint64(p.dstPitch),
			Z: uint64(p.dstZ), LOD: uint64(p.dstLOD), Height: uint64(p.dstHeight),
		},
		Width: uint64(p.WidthInBytes), Height: uint64(p.Height), Depth: uint64(p.Depth),
	}
}

// copyRows makes a copy call. Nothing happens if p is NULL.
func copyRows[P any](thread C.uint64_t, p *P, convert func(*P) driver.Copy, call func(*driver.Thread, driver.Copy) error) C.CUresult {
	if p == nil {
		return invalidValue
	}
	return do(thread, func(t *driver.Thread) error { return call(t, convert(p)) })
}

// inStream is a copy call in a stream as a copy call.
func inStream(call func(*driver.Thread, driver.Copy, driver.Stream) error, stream C.CUstream) func(*driver.Thread, driver.Copy) error {
	return func(t *driver.Thread, p driver.Copy) error { return call(t, p, driver.Stream(stream)) }
}

//export goMemcpy2D
func goMemcpy2D(thread C.uint64_t, p *C.CUDA_MEMCPY2D_v1) C.CUresult {
	return copyRows(thread, p, copy2DV1, (*driver.Thread).Memcpy2D)
}

//export goMemcpy2DV2
func goMemcpy2DV2(thread C.uint64_t, p *C.CUDA_MEMCPY2D) C.CUresult {
	return copyRows(thread, p, copy2D, (*driver.Thread).Memcpy2D)
}

//export goMemcpy2DUnaligned
func goMemcpy2DUnaligned(thread C.uint64_t, p *C.CUDA_MEMCPY2D_v1) C.CUresult {
	return copyRows(thread, p, copy2DV1, (*driver.Thread).Memcpy2DUnaligned)
}

//export goMemcpy2DUnalignedV2
func goMemcpy2DUnalignedV2(thread C.uint64_t, p *C.CUDA_MEMCPY2D) C.CUresult {
	return copyRows(thread, p, copy2D, (*driver.Thread).Memcpy2DUnaligned)
}

//export goMemcpy3D
func goMemcpy3D(thread C.uint64_t, p *C.CUDA_MEMCPY3D_v1) C.CUresult {
	return copyRows(thread, p, copy3DV1, (*driver.Thread).Memcpy3D)
}

//export goMemcpy3DV2
func goMemcpy3DV2(thread C.uint64_t, p *C.CUDA_MEMCPY3D) C.CUresult {
	return copyRows(thread, p, copy3D, (*driver.Thread).Memcpy3D)
}

//export goMemcpy2DAsync
func goMemcpy2DAsync(thread C.uint64_t, p *C.CUDA_MEMCPY2D_v1, stream C.CUstream) C.CUresult {
	return copyRows(thread, p, copy2DV1, inStream((*driver.Thread).Memcpy2DAsync, stream))
}

//export goMemcpy2DAsyncV2
func goMemcpy2DAsyncV2(thread C.uint64_t, p *C.CUDA_MEMCPY2D, stream C.CUstream) C.CUresult {
	return copyRows(thread, p, copy2D, inStream((*driver.Thread).Memcpy2DAsync, stream))
}

//export goMemcpy3DAsync
func goMemcpy3DAsync(thread C.uint64_t, p *C.CUDA_MEMCPY3D_v1, stream C.CUstream) C.CUresult {
	return copyRows(thread, p, copy3DV1, inStream((*driver.Thread).Memcpy3DAsync, stream))
}

//export goMemcpy3DAsyncV2
func goMemcpy3DAsyncV2(thread C.uint64_t, p *C.CUDA_MEMCPY3D, stream C.CUstream) C.CUresult {
	return copyRows(thread, p, copy3D, inStream((*driver.Thread).Memcpy3DAsync, stream))
}
