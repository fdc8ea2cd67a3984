package main

// #include "abi_gen.h"
import "C"

import "jacquard/libcuda/driver"

// The four structures of copies differ in the widths of members and in the third dimension.

// side converts the members of one side of a copy.
func side[S, P, D number](x, y, pitch S, kind C.CUmemorytype, host P, device D, array C.CUarray) driver.CopySide {
	return driver.CopySide{
		X: uint64(x), Y: uint64(y), Pitch: uint64(pitch), Type: driver.MemoryType(kind),
		Host: uintptr(host), Device: driver.DevicePtr(device), Array: driver.Array(array),
	}
}

// deep adds the members that only copies of three dimensions have.
func deep[S number](s driver.CopySide, z, lod, height S) driver.CopySide {
	s.Z, s.LOD, s.Height = uint64(z), uint64(lod), uint64(height)
	return s
}

func copy2DV1(p *C.CUDA_MEMCPY2D_v1) driver.Copy {
	return driver.Copy{
		Src:   side(p.srcXInBytes, p.srcY, p.srcPitch, p.srcMemoryType, p.srcHost, p.srcDevice, p.srcArray),
		Dst:   side(p.dstXInBytes, p.dstY, p.dstPitch, p.dstMemoryType, p.dstHost, p.dstDevice, p.dstArray),
		Width: uint64(p.WidthInBytes), Height: uint64(p.Height), Depth: 1,
	}
}

func copy2D(p *C.CUDA_MEMCPY2D) driver.Copy {
	return driver.Copy{
		Src:   side(p.srcXInBytes, p.srcY, p.srcPitch, p.srcMemoryType, p.srcHost, p.srcDevice, p.srcArray),
		Dst:   side(p.dstXInBytes, p.dstY, p.dstPitch, p.dstMemoryType, p.dstHost, p.dstDevice, p.dstArray),
		Width: uint64(p.WidthInBytes), Height: uint64(p.Height), Depth: 1,
	}
}

func copy3DV1(p *C.CUDA_MEMCPY3D_v1) driver.Copy {
	return driver.Copy{
		Src:   deep(side(p.srcXInBytes, p.srcY, p.srcPitch, p.srcMemoryType, p.srcHost, p.srcDevice, p.srcArray), p.srcZ, p.srcLOD, p.srcHeight),
		Dst:   deep(side(p.dstXInBytes, p.dstY, p.dstPitch, p.dstMemoryType, p.dstHost, p.dstDevice, p.dstArray), p.dstZ, p.dstLOD, p.dstHeight),
		Width: uint64(p.WidthInBytes), Height: uint64(p.Height), Depth: uint64(p.Depth),
	}
}

func copy3D(p *C.CUDA_MEMCPY3D) driver.Copy {
	return driver.Copy{
		Src:   deep(side(p.srcXInBytes, p.srcY, p.srcPitch, p.srcMemoryType, p.srcHost, p.srcDevice, p.srcArray), p.srcZ, p.srcLOD, p.srcHeight),
		Dst:   deep(side(p.dstXInBytes, p.dstY, p.dstPitch, p.dstMemoryType, p.dstHost, p.dstDevice, p.dstArray), p.dstZ, p.dstLOD, p.dstHeight),
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

// inStream binds a copy call to a stream.
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
