#include "runtime.h"

// direction makes one of the first four kinds of cudaMemcpyDefault, unless an address may be both
// the device's and the program's.
static enum cudaMemcpyKind direction(enum cudaMemcpyKind kind, const void *dst, const void *src)
{
	if (kind != cudaMemcpyDefault || CUDART_VERSION < 4000)
		return kind;
	enum memory to = runtime_memory(dst), from = runtime_memory(src);
	if (to == MEMORY_EITHER || from == MEMORY_EITHER)
		return kind;
	if (to == MEMORY_DEVICE)
		return from == MEMORY_DEVICE ? cudaMemcpyDeviceToDevice : cudaMemcpyHostToDevice;
	return from == MEMORY_DEVICE ? cudaMemcpyDeviceToHost : cudaMemcpyHostToHost;
}

// between_host copies memory of the program in pieces, through a buffer of this library. The copy
// begins at the end if it would otherwise overwrite the end.
static cudaError_t between_host(char *dst, const char *src, size_t count)
{
	char piece[16384];
	size_t n;
	for (size_t done = 0; done < count; done += n) {
		n = count - done < sizeof piece ? count - done : sizeof piece;
		size_t at = dst > src ? count - done - n : done;
		cudaError_t error = runtime_read(piece, src + at, n);
		if (error == cudaSuccess)
			error = runtime_write(dst + at, piece, n);
		if (error != cudaSuccess)
			return error;
	}
	return cudaSuccess;
}

cudaError_t runtime_Memcpy(void *dst, const void *src, size_t count, enum cudaMemcpyKind kind)
{
	if (count == 0)
		return cudaSuccess;
	switch (direction(kind, dst, src)) {
	case cudaMemcpyHostToHost:
		return between_host(dst, src, count);
	case cudaMemcpyHostToDevice:
		return runtime_result(driver.cuMemcpyHtoD(device_pointer(dst), src, count));
	case cudaMemcpyDeviceToHost:
		return runtime_result(driver.cuMemcpyDtoH(dst, device_pointer(src), count));
	case cudaMemcpyDeviceToDevice:
		return runtime_result(driver.cuMemcpyDtoD(device_pointer(dst), device_pointer(src), count));
	default:
		return cudaErrorInvalidMemcpyDirection;
	}
}

cudaError_t runtime_MemcpyAsync(void *dst, const void *src, size_t count, enum cudaMemcpyKind kind, cudaStream_t stream)
{
	CUstream s = stream_of(stream);
	CUresult result;
	if (count == 0)
		return cudaSuccess;
	switch (direction(kind, dst, src)) {
	case cudaMemcpyHostToHost:
		result = driver.cuStreamSynchronize(s);
		return result != CUDA_SUCCESS ? runtime_result(result) : between_host(dst, src, count);
	case cudaMemcpyHostToDevice:
		return runtime_result(driver.cuMemcpyHtoDAsync(device_pointer(dst), src, count, s));
	case cudaMemcpyDeviceToHost:
		return runtime_result(driver.cuMemcpyDtoHAsync(dst, device_pointer(src), count, s));
	case cudaMemcpyDeviceToDevice:
		return runtime_result(driver.cuMemcpyDtoDAsync(device_pointer(dst), device_pointer(src), count, s));
	default:
		return cudaErrorInvalidMemcpyDirection;
	}
}

// fill sets height rows of a width to a value. stream is NULL, and wait set, for calls without a
// stream.
static cudaError_t fill(void *to, size_t pitch, int value, size_t width, size_t height, CUstream stream, int wait)
{
	CUdeviceptr p = device_pointer(to);
	unsigned char byte = (unsigned char)value;
	if (width == 0 || height == 0)
		return cudaSuccess;
	if (height > 1 && pitch < width)
		return INVALID_PITCH;
	if (height == 1)
		return runtime_result(wait ? driver.cuMemsetD8(p, byte, width) : driver.cuMemsetD8Async(p, byte, width, stream));
	return runtime_result(wait ? driver.cuMemsetD2D8(p, pitch, byte, width, height)
	                           : driver.cuMemsetD2D8Async(p, pitch, byte, width, height, stream));
}

// reach answers the number of bytes from the first of a volume to its last, and tells whether a
// size_t holds that number.
static int reach(size_t *bytes, size_t pitch, size_t rows, struct cudaExtent e)
{
	size_t slices, row;
	return !__builtin_mul_overflow(e.depth - 1, rows, &slices) && !__builtin_add_overflow(slices, e.height - 1, &row) &&
	       !__builtin_mul_overflow(row, pitch, bytes) && !__builtin_add_overflow(*bytes, e.width, bytes);
}

// fill_volume sets the slices of a volume. All slices must lie in memory before the first is set.
// Slice by slice, a program could ask for years of work, and the slices before a bad slice would be
// set.
static cudaError_t fill_volume(struct cudaPitchedPtr p, int value, struct cudaExtent e, CUstream stream, int wait)
{
	size_t bytes, rows = p.ysize > e.height ? p.ysize : e.height; // of a slice
	if (e.width == 0 || e.height == 0 || e.depth == 0)
		return cudaSuccess;
	if (e.depth > 1 && p.pitch < e.width)
		return INVALID_PITCH;
	if (!reach(&bytes, p.pitch, rows, e))
		return cudaErrorInvalidValue;
	cudaError_t error = runtime_allocated(p.ptr, bytes);
	for (size_t z = 0; z < e.depth && error == cudaSuccess; z++)
		error = fill((char *)p.ptr + z * p.pitch * rows, p.pitch, value, e.width, e.height, stream, wait);
	return error;
}

cudaError_t runtime_Memset(void *devPtr, int value, size_t count)
{
	return fill(devPtr, 0, value, count, 1, NULL, 1);
}

cudaError_t runtime_Memset2D(void *devPtr, size_t pitch, int value, size_t width, size_t height)
{
	return fill(devPtr, pitch, value, width, height, NULL, 1);
}

cudaError_t runtime_Memset3D(struct cudaPitchedPtr pitchedDevPtr, int value, struct cudaExtent extent)
{
	return fill_volume(pitchedDevPtr, value, extent, NULL, 1);
}

#if CUDART_VERSION >= 3020
cudaError_t runtime_MemsetAsync(void *devPtr, int value, size_t count, cudaStream_t stream)
{
	return fill(devPtr, 0, value, count, 1, stream_of(stream), 0);
}

cudaError_t runtime_Memset2DAsync(void *devPtr, size_t pitch, int value, size_t width, size_t height,
	cudaStream_t stream)
{
	return fill(devPtr, pitch, value, width, height, stream_of(stream), 0);
}

cudaError_t runtime_Memset3DAsync(struct cudaPitchedPtr pitchedDevPtr, int value, struct cudaExtent extent,
	cudaStream_t stream)
{
	return fill_volume(pitchedDevPtr, value, extent, stream_of(stream), 0);
}
#endif

#if CUDART_VERSION >= 4000
cudaError_t runtime_MemcpyPeer(void *dst, int dstDevice, const void *src, int srcDevice, size_t count)
{
	CUcontext to, from;
	if (dstDevice == srcDevice && dstDevice == runtime_device())
		return runtime_Memcpy(dst, src, count, cudaMemcpyDeviceToDevice);
	CUresult result = runtime_primary(&to, dstDevice);
	if (result == CUDA_SUCCESS)
		result = runtime_primary(&from, srcDevice);
	if (result == CUDA_SUCCESS)
		result = driver.cuMemcpyPeer(device_pointer(dst), to, device_pointer(src), from, count);
	return runtime_result(result);
}

cudaError_t runtime_MemcpyPeerAsync(void *dst, int dstDevice, const void *src, int srcDevice, size_t count,
	cudaStream_t stream)
{
	CUcontext to, from;
	if (dstDevice == srcDevice && dstDevice == runtime_device())
		return runtime_MemcpyAsync(dst, src, count, cudaMemcpyDeviceToDevice, stream);
	CUresult result = runtime_primary(&to, dstDevice);
	if (result == CUDA_SUCCESS)
		result = runtime_primary(&from, srcDevice);
	if (result == CUDA_SUCCESS)
		result = driver.cuMemcpyPeerAsync(device_pointer(dst), to, device_pointer(src), from, count, stream_of(stream));
	return runtime_result(result);
}
#endif
