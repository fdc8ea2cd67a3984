#include "runtime.h"

#include <stdlib.h>
#include <string.h>

// A launch's configuration, and the arguments that the program has set up so far. Arguments of a
// launch may make launches themselves, so configurations stack.
struct configuration {
	dim3 grid, block;
	size_t shared;
	CUstream stream;
	size_t size; // of the arguments
	char arguments[4096];
};

enum { MAX_DEPTH = 8 };

static _Thread_local struct configuration stack[MAX_DEPTH];
static _Thread_local int depth;

static cudaError_t push(dim3 grid, dim3 block, size_t shared, CUstream stream)
{
	// A launch that fails before it takes its configuration leaves that configuration here: the
	// oldest is dropped.
	if (depth == MAX_DEPTH)
		memmove(stack, stack + 1, --depth * sizeof stack[0]);
	struct configuration *c = &stack[depth++];
	c->grid = grid;
	c->block = block;
	c->shared = shared;
	c->stream = stream;
	c->size = 0;
	return cudaSuccess;
}

// launched turns the driver's answer to a launch into an error: the driver's error for a wrong
// configuration is an invalid value.
static cudaError_t launched(CUresult result)
{
	return result == CUDA_ERROR_INVALID_VALUE ? cudaErrorInvalidConfiguration : runtime_result(result);
}

static cudaError_t launch(const void *host, const struct configuration *c, void **arguments, void **extra)
{
	struct loaded *l;
	cudaError_t error = runtime_load(&l, SYMBOL_FUNCTION, host, cudaErrorInvalidDeviceFunction);
	if (error == cudaSuccess)
		error = runtime_textures(l);
	if (error != cudaSuccess)
		return error;
	// Grids had no third dimension before release 4.0, whatever its value.
	unsigned int layers = CUDART_VERSION < 4000 ? 1 : c->grid.z;
	if (c->shared > UINT32_MAX)
		return cudaErrorInvalidConfiguration;
	return launched(driver.cuLaunchKernel(l->function, c->grid.x, c->grid.y, layers, c->block.x, c->block.y, c->block.z,
		(unsigned int)c->shared, c->stream, arguments, extra));
}

#if CUDART_VERSION < 10010
cudaError_t runtime_ConfigureCall(dim3 gridDim, dim3 blockDim, size_t sharedMem, cudaStream_t stream)
{
	return push(gridDim, blockDim, sharedMem, stream_of(stream));
}

cudaError_t runtime_SetupArgument(const void *arg, size_t size, size_t offset)
{
	if (depth == 0)
		return cudaErrorMissingConfiguration;
	struct configuration *c = &stack[depth - 1];
	cudaError_t error = cudaErrorInvalidValue;
	if (offset <= sizeof c->arguments && size <= sizeof c->arguments - offset)
		error = runtime_read(c->arguments + offset, arg, size);
	if (error != cudaSuccess)
		depth--; // compilers' code does not launch then
	else if (offset + size > c->size)
		c->size = offset + size;
	return error;
}

cudaError_t runtime_Launch(const void *func)
{
	if (depth == 0)
		return cudaErrorMissingConfiguration;
	struct configuration *c = &stack[--depth];
	void *extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, c->arguments, CU_LAUNCH_PARAM_BUFFER_SIZE, &c->size,
		CU_LAUNCH_PARAM_END};
	return launch(func, c, NULL, extra);
}
#endif

#if CUDART_VERSION >= 9020
unsigned int __cudaPushCallConfiguration(dim3 gridDim, dim3 blockDim, size_t sharedMem, struct CUstream_st *stream)
{
	return runtime_end(push(gridDim, blockDim, sharedMem, stream_of((cudaStream_t)stream)));
}

// The compiler's own code passes the configuration to cudaLaunchKernel.
cudaError_t __cudaPopCallConfiguration(dim3 *gridDim, dim3 *blockDim, size_t *sharedMem, void *stream)
{
	if (depth == 0)
		return runtime_end(cudaErrorMissingConfiguration);
	const struct configuration *c = &stack[--depth];
	*gridDim = c->grid;
	*blockDim = c->block;
	*sharedMem = c->shared;
	*(CUstream *)stream = c->stream;
	return cudaSuccess;
}
#endif

#if CUDART_VERSION >= 7000
cudaError_t runtime_LaunchKernel(const void *func, dim3 gridDim, dim3 blockDim, void **args, size_t sharedMem,
	cudaStream_t stream)
{
	static _Thread_local struct configuration c;
	c.grid = gridDim;
	c.block = blockDim;
	c.shared = sharedMem;
	c.stream = stream_of(stream);
	return launch(func, &c, args, NULL);
}
#endif

#if CUDART_VERSION >= 10000
// A host function is a callback without parameters for the stream.
struct host_call {
	cudaHostFn_t function;
	void *data;
};

static void call_host(CUstream stream, CUresult status, void *data)
{
	struct host_call call = *(struct host_call *)data;
	(void)stream;
	free(data);
	if (status == CUDA_SUCCESS)
		call.function(call.data);
}

cudaError_t runtime_LaunchHostFunc(cudaStream_t stream, cudaHostFn_t fn, void *userData)
{
	struct host_call *call = malloc(sizeof *call);
	if (fn == NULL || call == NULL) {
		free(call);
		return fn == NULL ? cudaErrorInvalidValue : cudaErrorMemoryAllocation;
	}
	*call = (struct host_call){fn, userData};
	CUresult result = driver.cuStreamAddCallback(stream_of(stream), call_host, call, 0);
	if (result != CUDA_SUCCESS)
		free(call);
	return runtime_result(result);
}
#endif

#if CUDART_VERSION >= 3000
cudaError_t runtime_FuncSetCacheConfig(const void *func, enum cudaFuncCache cacheConfig)
{
	struct loaded *l;
	cudaError_t error = runtime_load(&l, SYMBOL_FUNCTION, func, cudaErrorInvalidDeviceFunction);
	if (error != cudaSuccess)
		return error;
	return runtime_result(driver.cuFuncSetCacheConfig(l->function, (CUfunc_cache)cacheConfig));
}
#endif

#if CUDART_VERSION >= 4020
cudaError_t runtime_FuncSetSharedMemConfig(const void *func, enum cudaSharedMemConfig config)
{
	struct loaded *l;
	cudaError_t error = runtime_load(&l, SYMBOL_FUNCTION, func, cudaErrorInvalidDeviceFunction);
	if (error != cudaSuccess)
		return error;
	return runtime_result(driver.cuFuncSetSharedMemConfig(l->function, (CUsharedconfig)config));
}
#endif

#if CUDART_VERSION >= 2020
// attribute answers 0 for an attribute that the driver does not know.
static int attribute(CUfunction function, CUfunction_attribute which)
{
	int value = 0;
	return driver.cuFuncGetAttribute(&value, which, function) == CUDA_SUCCESS ? value : 0;
}

#if CUDART_VERSION >= 9000
// shared_limit returns the shared memory that a block can have on the context's device.
static int shared_limit(void)
{
	CUdevice device;
	int limit = 0;
	if (driver.cuCtxGetDevice(&device) == CUDA_SUCCESS)
		driver.cuDeviceGetAttribute(&limit, CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK, device);
	return limit;
}
#endif

// ATTRIBUTES is the number of bytes of a kernel's attributes that a program has. Unverified: the
// field for the cache came between releases 5.5 and 7.5; a header of 6.5 would settle it. The field
// is always zero here.
#if CUDART_VERSION >= 5050 && CUDART_VERSION < 7050
#define ATTRIBUTES offsetof(struct cudaFuncAttributes, cacheModeCA)
#else
#define ATTRIBUTES sizeof(struct cudaFuncAttributes)
#endif

cudaError_t runtime_FuncGetAttributes(struct cudaFuncAttributes *attr, const void *func)
{
	struct loaded *l;
	cudaError_t error = runtime_load(&l, SYMBOL_FUNCTION, func, cudaErrorInvalidDeviceFunction);
	if (error != cudaSuccess)
		return error;
	int lost;
	CUresult result = driver.cuFuncGetAttribute(&lost, CU_FUNC_ATTRIBUTE_NUM_REGS, l->function);
	if (result != CUDA_SUCCESS) // the context is lost
		return runtime_result(result);
	struct cudaFuncAttributes a;
	memset(&a, 0, sizeof a);
	a.sharedSizeBytes = attribute(l->function, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES);
	a.constSizeBytes = attribute(l->function, CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES);
	a.localSizeBytes = attribute(l->function, CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES);
	a.maxThreadsPerBlock = attribute(l->function, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK);
	a.numRegs = attribute(l->function, CU_FUNC_ATTRIBUTE_NUM_REGS);
#if CUDART_VERSION >= 3000
	a.ptxVersion = attribute(l->function, CU_FUNC_ATTRIBUTE_PTX_VERSION);
	a.binaryVersion = attribute(l->function, CU_FUNC_ATTRIBUTE_BINARY_VERSION);
#endif
#if CUDART_VERSION >= 9000
	a.maxDynamicSharedSizeBytes = shared_limit() - (int)a.sharedSizeBytes;
	a.preferredShmemCarveout = cudaSharedmemCarveoutDefault;
#endif
	return runtime_write(attr, &a, ATTRIBUTES);
}
#endif

#if CUDART_VERSION >= 9000
// runtime_FuncSetAttribute accepts values that the device satisfies without a setting: a block's
// shared memory has one limit, and shares no memory with a cache.
cudaError_t runtime_FuncSetAttribute(const void *func, enum cudaFuncAttribute attr, int value)
{
	struct cudaFuncAttributes a;
	cudaError_t error = runtime_FuncGetAttributes(&a, func);
	if (error != cudaSuccess)
		return error;
	switch (attr) {
	case cudaFuncAttributeMaxDynamicSharedMemorySize:
		return value >= 0 && value <= a.maxDynamicSharedSizeBytes ? cudaSuccess : cudaErrorInvalidValue;
	case cudaFuncAttributePreferredSharedMemoryCarveout:
		return value >= -1 && value <= 100 ? cudaSuccess : cudaErrorInvalidValue;
	default:
		return cudaErrorInvalidValue;
	}
}
#endif

#if CUDART_VERSION >= 6050
static cudaError_t occupancy(int *blocks, const void *func, int size, size_t shared)
{
	struct loaded *l;
	cudaError_t error = runtime_load(&l, SYMBOL_FUNCTION, func, cudaErrorInvalidDeviceFunction);
	if (error != cudaSuccess)
		return error;
	return runtime_result(driver.cuOccupancyMaxActiveBlocksPerMultiprocessor(blocks, l->function, size, shared));
}

cudaError_t runtime_OccupancyMaxActiveBlocksPerMultiprocessor(int *numBlocks, const void *func, int blockSize,
	size_t dynamicSMemSize)
{
	return occupancy(numBlocks, func, blockSize, dynamicSMemSize);
}
#endif

#if CUDART_VERSION >= 7000
cudaError_t runtime_OccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *numBlocks, const void *func, int blockSize,
	size_t dynamicSMemSize, unsigned int flags)
{
	if (flags & ~(unsigned int)cudaOccupancyDisableCachingOverride)
		return cudaErrorInvalidValue;
	return occupancy(numBlocks, func, blockSize, dynamicSMemSize);
}
#endif

// On a device without f64 a double becomes the float that kernels read instead.
static cudaError_t has_doubles(int *has)
{
	CUdevice device;
	int major = 0, minor = 0;
	CUresult result = driver.cuDeviceGet(&device, runtime_device());
	if (result == CUDA_SUCCESS)
		result = driver.cuDeviceGetAttribute(&major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, device);
	if (result == CUDA_SUCCESS)
		result = driver.cuDeviceGetAttribute(&minor, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, device);
	*has = major > 1 || minor >= 3;
	return runtime_result(result);
}

cudaError_t runtime_SetDoubleForDevice(double *d)
{
	int has;
	double value;
	cudaError_t error = has_doubles(&has);
	if (error != cudaSuccess || has)
		return error;
	error = runtime_read(&value, d, sizeof value);
	float narrow = (float)value;
	return error != cudaSuccess ? error : runtime_write(d, &narrow, sizeof narrow);
}

cudaError_t runtime_SetDoubleForHost(double *d)
{
	int has;
	float narrow;
	cudaError_t error = has_doubles(&has);
	if (error != cudaSuccess || has)
		return error;
	error = runtime_read(&narrow, d, sizeof narrow);
	double value = narrow;
	return error != cudaSuccess ? error : runtime_write(d, &value, sizeof value);
}
