#define _GNU_SOURCE
#include "runtime.h"

#include <errno.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

// transfer copies within this process's memory by a system call, which answers an error for a
// pointer that cannot be used. If the system refuses such calls, a bad pointer faults.
static cudaError_t transfer(void *to, const void *from, size_t size, int write)
{
	struct iovec ours = {write ? (void *)from : to, size};
	struct iovec theirs = {write ? to : (void *)from, size};
	if (size == 0)
		return cudaSuccess;
	if (to == NULL || from == NULL)
		return cudaErrorInvalidValue;
	ssize_t n = write ? process_vm_writev(getpid(), &ours, 1, &theirs, 1, 0)
	                  : process_vm_readv(getpid(), &ours, 1, &theirs, 1, 0);
	if (n < 0 && (errno == ENOSYS || errno == EPERM)) {
		memcpy(to, from, size);
		return cudaSuccess;
	}
	return n == (ssize_t)size ? cudaSuccess : cudaErrorInvalidValue;
}

cudaError_t runtime_read(void *to, const void *program, size_t size)
{
	return transfer(to, program, size, 0);
}

cudaError_t runtime_write(void *program, const void *from, size_t size)
{
	return transfer(program, from, size, 1);
}

static CUresult range_of(const void *pointer)
{
	CUdeviceptr start;
	size_t size;
	return driver.cuMemGetAddressRange(&start, &size, device_pointer(pointer));
}

cudaError_t runtime_allocated(const void *pointer, size_t size)
{
	CUdeviceptr start;
	size_t all;
	CUresult result = driver.cuMemGetAddressRange(&start, &all, device_pointer(pointer));
	if (result != CUDA_SUCCESS)
		return runtime_result(result);
	return size <= all - (device_pointer(pointer) - start) ? cudaSuccess : cudaErrorInvalidValue;
}

// other_memory tells from the answer of range_of whether a pointer is not the device's.
static int other_memory(CUresult result)
{
	return result == CUDA_ERROR_INVALID_VALUE || result == CUDA_ERROR_NOT_FOUND;
}

// readable tells whether the program has memory at an address.
static int readable(const void *pointer)
{
	char byte;
	struct iovec ours = {&byte, 1}, theirs = {(void *)pointer, 1};
	return process_vm_readv(getpid(), &ours, 1, &theirs, 1, 0) == 1;
}

// In a lost context any pointer counts as the device's: the call that uses it answers why.
enum memory runtime_memory(const void *pointer)
{
	CUresult range = range_of(pointer);
	if (other_memory(range))
		return MEMORY_HOST;
	return range == CUDA_SUCCESS && readable(pointer) ? MEMORY_EITHER : MEMORY_DEVICE;
}

// give writes a device address to the program, as a pointer.
static cudaError_t give(void **program, CUdeviceptr address)
{
	void *pointer = (void *)(uintptr_t)address;
	return runtime_write(program, &pointer, sizeof pointer);
}

cudaError_t runtime_Malloc(void **devPtr, size_t size)
{
	CUdeviceptr address = 0;
	if (size > 0) {
		CUresult result = driver.cuMemAlloc(&address, size);
		if (result != CUDA_SUCCESS)
			return runtime_result(result);
	}
	cudaError_t error = give(devPtr, address);
	if (error != cudaSuccess && address != 0)
		driver.cuMemFree(address);
	return error;
}

cudaError_t runtime_MallocPitch(void **devPtr, size_t *pitch, size_t width, size_t height)
{
	CUdeviceptr address = 0;
	size_t bytes = 0;
	if (width > 0 && height > 0) {
		CUresult result = driver.cuMemAllocPitch(&address, &bytes, width, height, 4);
		if (result != CUDA_SUCCESS)
			return runtime_result(result);
	}
	cudaError_t error = give(devPtr, address);
	if (error == cudaSuccess)
		error = runtime_write(pitch, &bytes, sizeof bytes);
	if (error != cudaSuccess && address != 0)
		driver.cuMemFree(address);
	return error;
}

cudaError_t runtime_Malloc3D(struct cudaPitchedPtr *pitchedDevPtr, struct cudaExtent extent)
{
	struct cudaPitchedPtr p = {NULL, 0, extent.width, extent.height};
	if (extent.height != 0 && extent.depth > SIZE_MAX / extent.height)
		return cudaErrorMemoryAllocation;
	cudaError_t error = runtime_MallocPitch(&p.ptr, &p.pitch, extent.width, extent.height * extent.depth);
	if (error != cudaSuccess)
		return error;
	error = runtime_write(pitchedDevPtr, &p, sizeof p);
	if (error != cudaSuccess && p.ptr != NULL)
		driver.cuMemFree(device_pointer(p.ptr));
	return error;
}

cudaError_t runtime_Free(void *devPtr)
{
	if (devPtr == NULL)
		return cudaSuccess;
	CUresult result = driver.cuMemFree(device_pointer(devPtr));
	return result == CUDA_ERROR_INVALID_VALUE ? cudaErrorInvalidDevicePointer : runtime_result(result);
}

cudaError_t runtime_HostAlloc(void **pHost, size_t size, unsigned int flags)
{
	void *memory = NULL;
	if (size > 0) {
		CUresult result = driver.cuMemHostAlloc(&memory, size, flags);
		if (result != CUDA_SUCCESS)
			return runtime_result(result);
	}
	cudaError_t error = runtime_write(pHost, &memory, sizeof memory);
	if (error != cudaSuccess && memory != NULL)
		driver.cuMemFreeHost(memory);
	return error;
}

cudaError_t runtime_MallocHost(void **ptr, size_t size)
{
	return runtime_HostAlloc(ptr, size, 0);
}

cudaError_t runtime_FreeHost(void *ptr)
{
	return ptr == NULL ? cudaSuccess : runtime_result(driver.cuMemFreeHost(ptr));
}

cudaError_t runtime_HostGetDevicePointer(void **pDevice, void *pHost, unsigned int flags)
{
	CUdeviceptr address;
	CUresult result = driver.cuMemHostGetDevicePointer(&address, pHost, flags);
	return result != CUDA_SUCCESS ? runtime_result(result) : give(pDevice, address);
}

cudaError_t runtime_HostGetFlags(unsigned int *pFlags, void *pHost)
{
	return runtime_result(driver.cuMemHostGetFlags(pFlags, pHost));
}

#if CUDART_VERSION >= 3020
cudaError_t runtime_MemGetInfo(size_t *free, size_t *total)
{
	return runtime_result(driver.cuMemGetInfo(free, total));
}
#endif

#if CUDART_VERSION >= 4000
cudaError_t runtime_HostRegister(void *ptr, size_t size, unsigned int flags)
{
	return runtime_result(driver.cuMemHostRegister(ptr, size, flags));
}

cudaError_t runtime_HostUnregister(void *ptr)
{
	return runtime_result(driver.cuMemHostUnregister(ptr));
}

// runtime_PointerGetAttributes distinguishes device memory and page-locked memory from other memory
// of the program, which the runtime does not know. The driver answers for a lost context, too; the
// runtime does not.
cudaError_t runtime_PointerGetAttributes(struct cudaPointerAttributes *attributes, const void *ptr)
{
	struct cudaPointerAttributes a;
	unsigned int type;
	CUdeviceptr p = device_pointer(ptr);
	memset(&a, 0, sizeof a);
	a.device = runtime_device();
	CUresult range = range_of(ptr);
	if (range != CUDA_SUCCESS && !other_memory(range))
		return runtime_result(range);
	if (driver.cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, p) != CUDA_SUCCESS)
		return cudaErrorInvalidValue;
	a.memoryType = type == CU_MEMORYTYPE_HOST ? cudaMemoryTypeHost : cudaMemoryTypeDevice;
	driver.cuPointerGetAttribute(&a.devicePointer, CU_POINTER_ATTRIBUTE_DEVICE_POINTER, p); // else NULL
	driver.cuPointerGetAttribute(&a.hostPointer, CU_POINTER_ATTRIBUTE_HOST_POINTER, p);
#if CUDART_VERSION >= 10000
	a.type = a.memoryType;
#endif
	return runtime_write(attributes, &a, sizeof a);
}

// Memory that other processes share.
cudaError_t runtime_IpcGetEventHandle(cudaIpcEventHandle_t *handle, cudaEvent_t event)
{
	return runtime_result(driver.cuIpcGetEventHandle((CUipcEventHandle *)handle, event_of(event)));
}

cudaError_t runtime_IpcOpenEventHandle(cudaEvent_t *event, cudaIpcEventHandle_t handle)
{
	CUipcEventHandle h;
	memcpy(&h, &handle, sizeof h);
	return runtime_result(driver.cuIpcOpenEventHandle((CUevent *)event, h));
}

cudaError_t runtime_IpcGetMemHandle(cudaIpcMemHandle_t *handle, void *devPtr)
{
	return runtime_result(driver.cuIpcGetMemHandle((CUipcMemHandle *)handle, device_pointer(devPtr)));
}

cudaError_t runtime_IpcOpenMemHandle(void **devPtr, cudaIpcMemHandle_t handle, unsigned int flags)
{
	CUdeviceptr address;
	CUipcMemHandle h;
	memcpy(&h, &handle, sizeof h);
	CUresult result = driver.cuIpcOpenMemHandle(&address, h, flags);
	return result != CUDA_SUCCESS ? runtime_result(result) : give(devPtr, address);
}

cudaError_t runtime_IpcCloseMemHandle(void *devPtr)
{
	return runtime_result(driver.cuIpcCloseMemHandle(device_pointer(devPtr)));
}
#endif

// symbol answers the place of a variable in device memory.
static cudaError_t symbol(CUdeviceptr *address, size_t *size, const void *host)
{
	struct loaded *l;
	cudaError_t error = runtime_load(&l, SYMBOL_VARIABLE, host, cudaErrorInvalidSymbol);
	if (error == cudaSuccess) {
		*address = l->address;
		*size = l->size;
	}
	return error;
}

cudaError_t runtime_GetSymbolAddress(void **devPtr, const void *host)
{
	CUdeviceptr address;
	size_t size;
	cudaError_t error = symbol(&address, &size, host);
	return error != cudaSuccess ? error : give(devPtr, address);
}

cudaError_t runtime_GetSymbolSize(size_t *size, const void *host)
{
	CUdeviceptr address;
	size_t bytes;
	cudaError_t error = symbol(&address, &bytes, host);
	return error != cudaSuccess ? error : runtime_write(size, &bytes, sizeof bytes);
}

// part answers the address of a part of a variable.
static cudaError_t part(void **address, const void *host, size_t offset, size_t count)
{
	CUdeviceptr start;
	size_t size;
	cudaError_t error = symbol(&start, &size, host);
	if (error != cudaSuccess)
		return error;
	if (offset > size || count > size - offset)
		return cudaErrorInvalidValue;
	*address = (void *)(uintptr_t)(start + offset);
	return cudaSuccess;
}

// resolved makes another kind of cudaMemcpyDefault for a copy between a symbol and other memory:
// with_host if that memory is the program's.
static enum cudaMemcpyKind resolved(enum cudaMemcpyKind kind, const void *other, enum cudaMemcpyKind with_host)
{
	if (kind != cudaMemcpyDefault || CUDART_VERSION < 4000)
		return kind;
	enum memory memory = runtime_memory(other);
	return memory == MEMORY_EITHER ? kind : memory == MEMORY_HOST ? with_host : cudaMemcpyDeviceToDevice;
}

// A copy to a symbol comes from the host or the device; a copy from a symbol goes to the host or
// the device.
static cudaError_t to_symbol(void **dst, const void *host, size_t count, size_t offset, const void *src,
	enum cudaMemcpyKind *kind)
{
	*kind = resolved(*kind, src, cudaMemcpyHostToDevice);
	if (*kind != cudaMemcpyHostToDevice && *kind != cudaMemcpyDeviceToDevice)
		return cudaErrorInvalidMemcpyDirection;
	return part(dst, host, offset, count);
}

static cudaError_t from_symbol(void **src, const void *host, size_t count, size_t offset, const void *dst,
	enum cudaMemcpyKind *kind)
{
	*kind = resolved(*kind, dst, cudaMemcpyDeviceToHost);
	if (*kind != cudaMemcpyDeviceToHost && *kind != cudaMemcpyDeviceToDevice)
		return cudaErrorInvalidMemcpyDirection;
	return part(src, host, offset, count);
}

cudaError_t runtime_MemcpyToSymbol(const void *host, const void *src, size_t count, size_t offset,
	enum cudaMemcpyKind kind)
{
	void *dst;
	cudaError_t error = to_symbol(&dst, host, count, offset, src, &kind);
	return error != cudaSuccess ? error : runtime_Memcpy(dst, src, count, kind);
}

cudaError_t runtime_MemcpyFromSymbol(void *dst, const void *host, size_t count, size_t offset, enum cudaMemcpyKind kind)
{
	void *src;
	cudaError_t error = from_symbol(&src, host, count, offset, dst, &kind);
	return error != cudaSuccess ? error : runtime_Memcpy(dst, src, count, kind);
}

cudaError_t runtime_MemcpyToSymbolAsync(const void *host, const void *src, size_t count, size_t offset,
	enum cudaMemcpyKind kind, cudaStream_t stream)
{
	void *dst;
	cudaError_t error = to_symbol(&dst, host, count, offset, src, &kind);
	return error != cudaSuccess ? error : runtime_MemcpyAsync(dst, src, count, kind, stream);
}

cudaError_t runtime_MemcpyFromSymbolAsync(void *dst, const void *host, size_t count, size_t offset,
	enum cudaMemcpyKind kind, cudaStream_t stream)
{
	void *src;
	cudaError_t error = from_symbol(&src, host, count, offset, dst, &kind);
	return error != cudaSuccess ? error : runtime_MemcpyAsync(dst, src, count, kind, stream);
}
