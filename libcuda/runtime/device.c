#include "properties_gen.h"
#include "release.h"

#include <string.h>

cudaError_t runtime_GetDeviceCount(int *count)
{
	CUresult result = driver.cuDeviceGetCount(count);
	int devices;
	if (result == CUDA_SUCCESS && runtime_read(&devices, count, sizeof devices) == cudaSuccess && devices == 0)
		return runtime_error(cudaErrorNoDevice);
	return runtime_result(result);
}

// attribute answers 0 for an attribute that the driver does not know.
static int attribute(CUdevice device, CUdevice_attribute which)
{
	int value = 0;
	return driver.cuDeviceGetAttribute(&value, which, device) == CUDA_SUCCESS ? value : 0;
}

#define ATTRIBUTE(name) attribute(device, CU_DEVICE_ATTRIBUTE_##name)

#if CUDART_VERSION >= 8000
// A multiprocessor of sm_13 has one unit for doubles beside eight for floats; earlier ones have no
// unit for doubles.
static int double_ratio(CUdevice device)
{
	return ATTRIBUTE(COMPUTE_CAPABILITY_MAJOR) == 1 && ATTRIBUTE(COMPUTE_CAPABILITY_MINOR) == 3 ? 8 : 0;
}
#endif

// fill writes the device's properties. Fields of features that came later than these devices stay
// zero.
static CUresult fill(struct cudaDeviceProp *p, CUdevice device)
{
	CUresult result = driver.cuDeviceGetName(p->name, sizeof p->name, device);
	if (result == CUDA_SUCCESS)
		result = driver.cuDeviceTotalMem(&p->totalGlobalMem, device);
	if (result != CUDA_SUCCESS)
		return result;
	p->sharedMemPerBlock = ATTRIBUTE(MAX_SHARED_MEMORY_PER_BLOCK);
	p->regsPerBlock = ATTRIBUTE(MAX_REGISTERS_PER_BLOCK);
	p->warpSize = ATTRIBUTE(WARP_SIZE);
	p->memPitch = ATTRIBUTE(MAX_PITCH);
	p->maxThreadsPerBlock = ATTRIBUTE(MAX_THREADS_PER_BLOCK);
	p->maxThreadsDim[0] = ATTRIBUTE(MAX_BLOCK_DIM_X);
	p->maxThreadsDim[1] = ATTRIBUTE(MAX_BLOCK_DIM_Y);
	p->maxThreadsDim[2] = ATTRIBUTE(MAX_BLOCK_DIM_Z);
	p->maxGridSize[0] = ATTRIBUTE(MAX_GRID_DIM_X);
	p->maxGridSize[1] = ATTRIBUTE(MAX_GRID_DIM_Y);
	p->maxGridSize[2] = ATTRIBUTE(MAX_GRID_DIM_Z);
	p->clockRate = ATTRIBUTE(CLOCK_RATE);
	p->totalConstMem = ATTRIBUTE(TOTAL_CONSTANT_MEMORY);
	p->major = ATTRIBUTE(COMPUTE_CAPABILITY_MAJOR);
	p->minor = ATTRIBUTE(COMPUTE_CAPABILITY_MINOR);
	p->textureAlignment = ATTRIBUTE(TEXTURE_ALIGNMENT);
	p->deviceOverlap = ATTRIBUTE(GPU_OVERLAP);
	p->multiProcessorCount = ATTRIBUTE(MULTIPROCESSOR_COUNT);
#if CUDART_VERSION >= 2020
	p->kernelExecTimeoutEnabled = ATTRIBUTE(KERNEL_EXEC_TIMEOUT);
	p->integrated = ATTRIBUTE(INTEGRATED);
	p->canMapHostMemory = ATTRIBUTE(CAN_MAP_HOST_MEMORY);
	p->computeMode = ATTRIBUTE(COMPUTE_MODE);
#endif
#if CUDART_VERSION >= 3020
	p->maxTexture1D = ATTRIBUTE(MAXIMUM_TEXTURE1D_WIDTH);
	p->maxTexture2D[0] = ATTRIBUTE(MAXIMUM_TEXTURE2D_WIDTH);
	p->maxTexture2D[1] = ATTRIBUTE(MAXIMUM_TEXTURE2D_HEIGHT);
	p->maxTexture3D[0] = ATTRIBUTE(MAXIMUM_TEXTURE3D_WIDTH);
	p->maxTexture3D[1] = ATTRIBUTE(MAXIMUM_TEXTURE3D_HEIGHT);
	p->maxTexture3D[2] = ATTRIBUTE(MAXIMUM_TEXTURE3D_DEPTH);
	p->surfaceAlignment = ATTRIBUTE(SURFACE_ALIGNMENT);
	p->concurrentKernels = ATTRIBUTE(CONCURRENT_KERNELS);
	p->ECCEnabled = ATTRIBUTE(ECC_ENABLED);
	p->pciBusID = ATTRIBUTE(PCI_BUS_ID);
	p->pciDeviceID = ATTRIBUTE(PCI_DEVICE_ID);
	p->tccDriver = ATTRIBUTE(TCC_DRIVER);
#endif
#if CUDART_VERSION >= 3000 && CUDART_VERSION < 4000
	p->maxTexture2DArray[0] = ATTRIBUTE(MAXIMUM_TEXTURE2D_LAYERED_WIDTH);
	p->maxTexture2DArray[1] = ATTRIBUTE(MAXIMUM_TEXTURE2D_LAYERED_HEIGHT);
	p->maxTexture2DArray[2] = ATTRIBUTE(MAXIMUM_TEXTURE2D_LAYERED_LAYERS);
#endif
#if CUDART_VERSION >= 4020
	p->texturePitchAlignment = ATTRIBUTE(TEXTURE_PITCH_ALIGNMENT);
	p->maxTexture1DLinear = ATTRIBUTE(MAXIMUM_TEXTURE1D_LINEAR_WIDTH);
	p->maxTexture2DLinear[0] = ATTRIBUTE(MAXIMUM_TEXTURE2D_LINEAR_WIDTH);
	p->maxTexture2DLinear[1] = ATTRIBUTE(MAXIMUM_TEXTURE2D_LINEAR_HEIGHT);
	p->maxTexture2DLinear[2] = ATTRIBUTE(MAXIMUM_TEXTURE2D_LINEAR_PITCH);
	p->maxTexture1DLayered[0] = ATTRIBUTE(MAXIMUM_TEXTURE1D_LAYERED_WIDTH);
	p->maxTexture1DLayered[1] = ATTRIBUTE(MAXIMUM_TEXTURE1D_LAYERED_LAYERS);
	p->maxTexture2DLayered[0] = ATTRIBUTE(MAXIMUM_TEXTURE2D_LAYERED_WIDTH);
	p->maxTexture2DLayered[1] = ATTRIBUTE(MAXIMUM_TEXTURE2D_LAYERED_HEIGHT);
	p->maxTexture2DLayered[2] = ATTRIBUTE(MAXIMUM_TEXTURE2D_LAYERED_LAYERS);
	p->maxSurface1D = ATTRIBUTE(MAXIMUM_SURFACE1D_WIDTH);
	p->maxSurface2D[0] = ATTRIBUTE(MAXIMUM_SURFACE2D_WIDTH);
	p->maxSurface2D[1] = ATTRIBUTE(MAXIMUM_SURFACE2D_HEIGHT);
	p->pciDomainID = ATTRIBUTE(PCI_DOMAIN_ID);
	p->asyncEngineCount = ATTRIBUTE(ASYNC_ENGINE_COUNT);
	p->unifiedAddressing = ATTRIBUTE(UNIFIED_ADDRESSING);
	p->memoryClockRate = ATTRIBUTE(MEMORY_CLOCK_RATE);
	p->memoryBusWidth = ATTRIBUTE(GLOBAL_MEMORY_BUS_WIDTH);
	p->l2CacheSize = ATTRIBUTE(L2_CACHE_SIZE);
	p->maxThreadsPerMultiProcessor = ATTRIBUTE(MAX_THREADS_PER_MULTIPROCESSOR);
#endif
#if CUDART_VERSION >= 6000
	p->sharedMemPerMultiprocessor = p->sharedMemPerBlock;
	p->regsPerMultiprocessor = p->regsPerBlock;
#endif
#if CUDART_VERSION >= 9000
	p->sharedMemPerBlockOptin = p->sharedMemPerBlock;
	p->singleToDoublePrecisionPerfRatio = double_ratio(device);
#endif
#if CUDART_VERSION >= 10000
	result = driver.cuDeviceGetUuid((CUuuid *)&p->uuid, device);
#endif
	return result;
}

// properties reads a device's properties.
static cudaError_t properties(struct cudaDeviceProp *p, int number)
{
	CUdevice device;
	CUresult result = driver.cuDeviceGet(&device, number);
	memset(p, 0, sizeof *p);
	if (result == CUDA_SUCCESS)
		result = fill(p, device);
	return result == CUDA_ERROR_INVALID_VALUE ? cudaErrorInvalidDevice : runtime_result(result);
}

// PROPERTIES is the number of bytes of the properties that a program has. In 64-bit programs of
// release 3.0 the structure ends 8 bytes earlier than in programs of 3.1 and 3.2, and a program
// does not tell its release; the fields of all three lie before the reserved words. The same holds
// for release 2.0, whose library serves programs of 1.x: their structure has no reserved words.
// Unverified: the order of the fields in 1.x; a header of that time would settle it.
#if CUDART_VERSION < 2010 || (CUDART_VERSION >= 3000 && CUDART_VERSION < 4000)
#define PROPERTIES offsetof(struct cudaDeviceProp, __cudaReserved)
#else
#define PROPERTIES sizeof(struct cudaDeviceProp)
#endif

cudaError_t runtime_GetDeviceProperties(struct cudaDeviceProp *prop, int device)
{
	struct cudaDeviceProp p;
	cudaError_t error = properties(&p, device);
#if CUDART_VERSION == 4020
	if (error == cudaSuccess && runtime_is_4_0()) {
		struct properties_4_0 old;
		properties_4_0(&old, &p);
		return runtime_write(prop, &old, sizeof old);
	}
#endif
	return error != cudaSuccess ? error : runtime_write(prop, &p, PROPERTIES);
}

// runtime_ChooseDevice answers the first device that has at least the requested properties, else
// the first device.
cudaError_t runtime_ChooseDevice(int *device, const struct cudaDeviceProp *prop)
{
	struct cudaDeviceProp wanted, has;
	int count, best = 0;
	size_t size = PROPERTIES;
#if CUDART_VERSION == 4020
	if (runtime_is_4_0())
		size = offsetof(struct cudaDeviceProp, texturePitchAlignment); // as far as layouts agree
#endif
	memset(&wanted, 0, sizeof wanted);
	cudaError_t error = runtime_read(&wanted, prop, size);
	if (error != cudaSuccess)
		return error;
	CUresult result = driver.cuDeviceGetCount(&count);
	if (result != CUDA_SUCCESS)
		return runtime_result(result);
	for (int i = 0; i < count; i++) {
		error = properties(&has, i);
		if (error != cudaSuccess)
			return error;
		if ((has.major > wanted.major || (has.major == wanted.major && has.minor >= wanted.minor)) &&
		    has.totalGlobalMem >= wanted.totalGlobalMem && has.multiProcessorCount >= wanted.multiProcessorCount &&
		    (wanted.name[0] == 0 || strncmp(has.name, wanted.name, sizeof has.name) == 0)) {
			best = i;
			break;
		}
	}
	return runtime_write(device, &best, sizeof best);
}

cudaError_t runtime_DriverGetVersion(int *driverVersion)
{
	int version = 0;
	if (runtime_finds_driver() == cudaSuccess)
		driver.cuDriverGetVersion(&version);
	return runtime_write(driverVersion, &version, sizeof version);
}

cudaError_t runtime_RuntimeGetVersion(int *runtimeVersion)
{
	int version = CUDART_VERSION;
	return runtime_write(runtimeVersion, &version, sizeof version);
}

#if CUDART_VERSION >= 3010
cudaError_t runtime_ThreadSetLimit(enum cudaLimit limit, size_t value)
{
	return runtime_result(driver.cuCtxSetLimit((CUlimit)limit, value));
}

cudaError_t runtime_ThreadGetLimit(size_t *pValue, enum cudaLimit limit)
{
	return runtime_result(driver.cuCtxGetLimit(pValue, (CUlimit)limit));
}
#endif

#if CUDART_VERSION >= 3020
cudaError_t runtime_ThreadGetCacheConfig(enum cudaFuncCache *pCacheConfig)
{
	return runtime_result(driver.cuCtxGetCacheConfig((CUfunc_cache *)pCacheConfig));
}

cudaError_t runtime_ThreadSetCacheConfig(enum cudaFuncCache cacheConfig)
{
	return runtime_result(driver.cuCtxSetCacheConfig((CUfunc_cache)cacheConfig));
}
#endif

#if CUDART_VERSION >= 4000
cudaError_t runtime_DeviceSetLimit(enum cudaLimit limit, size_t value)
{
	return runtime_ThreadSetLimit(limit, value);
}

cudaError_t runtime_DeviceGetLimit(size_t *pValue, enum cudaLimit limit)
{
	return runtime_ThreadGetLimit(pValue, limit);
}

cudaError_t runtime_DeviceGetCacheConfig(enum cudaFuncCache *pCacheConfig)
{
	return runtime_ThreadGetCacheConfig(pCacheConfig);
}

cudaError_t runtime_DeviceSetCacheConfig(enum cudaFuncCache cacheConfig)
{
	return runtime_ThreadSetCacheConfig(cacheConfig);
}

cudaError_t runtime_DeviceGetSharedMemConfig(enum cudaSharedMemConfig *pConfig)
{
	return runtime_result(driver.cuCtxGetSharedMemConfig((CUsharedconfig *)pConfig));
}

cudaError_t runtime_DeviceSetSharedMemConfig(enum cudaSharedMemConfig config)
{
	return runtime_result(driver.cuCtxSetSharedMemConfig((CUsharedconfig)config));
}

cudaError_t runtime_DeviceGetByPCIBusId(int *device, const char *pciBusId)
{
	return runtime_result(driver.cuDeviceGetByPCIBusId(device, (char *)pciBusId));
}

cudaError_t runtime_DeviceGetPCIBusId(char *pciBusId, int len, int device)
{
	CUdevice handle;
	CUresult result = driver.cuDeviceGet(&handle, device);
	if (result != CUDA_SUCCESS)
		return cudaErrorInvalidDevice;
	return runtime_result(driver.cuDeviceGetPCIBusId(pciBusId, len, handle));
}

cudaError_t runtime_DeviceCanAccessPeer(int *canAccessPeer, int device, int peerDevice)
{
	CUdevice one, other;
	if (driver.cuDeviceGet(&one, device) != CUDA_SUCCESS || driver.cuDeviceGet(&other, peerDevice) != CUDA_SUCCESS)
		return cudaErrorInvalidDevice;
	return runtime_result(driver.cuDeviceCanAccessPeer(canAccessPeer, one, other));
}

cudaError_t runtime_DeviceEnablePeerAccess(int peerDevice, unsigned int flags)
{
	CUcontext context;
	if (peerDevice == runtime_device())
		return cudaErrorInvalidDevice;
	CUresult result = runtime_primary(&context, peerDevice);
	return runtime_result(result != CUDA_SUCCESS ? result : driver.cuCtxEnablePeerAccess(context, flags));
}

cudaError_t runtime_DeviceDisablePeerAccess(int peerDevice)
{
	CUcontext context;
	CUresult result = runtime_primary(&context, peerDevice);
	return runtime_result(result != CUDA_SUCCESS ? result : driver.cuCtxDisablePeerAccess(context));
}

cudaError_t runtime_ProfilerInitialize(const char *configFile, const char *outputFile, cudaOutputMode_t outputMode)
{
	return runtime_result(driver.cuProfilerInitialize(configFile, outputFile, (CUoutput_mode)outputMode));
}

cudaError_t runtime_ProfilerStart(void)
{
	return runtime_result(driver.cuProfilerStart());
}

cudaError_t runtime_ProfilerStop(void)
{
	return runtime_result(driver.cuProfilerStop());
}
#endif

#if CUDART_VERSION >= 8000
// later_attribute answers an attribute of release 8.0 or later, which the driver does not know. Of
// the features, these devices have only the registration of host memory.
static int later_attribute(enum cudaDeviceAttr attr, CUdevice device)
{
	switch (attr) {
	case cudaDevAttrSingleToDoublePrecisionPerfRatio:
		return double_ratio(device);
	case cudaDevAttrMaxSharedMemoryPerBlockOptin:
		return ATTRIBUTE(MAX_SHARED_MEMORY_PER_BLOCK);
	case cudaDevAttrHostRegisterSupported:
		return 1;
	default:
		return 0;
	}
}
#endif

#if CUDART_VERSION >= 5000
// The runtime's attributes have the driver's numbers.
cudaError_t runtime_DeviceGetAttribute(int *value, enum cudaDeviceAttr attr, int device)
{
	CUdevice handle;
	if (driver.cuDeviceGet(&handle, device) != CUDA_SUCCESS)
		return cudaErrorInvalidDevice;
#if CUDART_VERSION >= 8000
	if (attr >= cudaDevAttrSingleToDoublePrecisionPerfRatio && attr <= cudaDevAttrDirectManagedMemAccessFromHost) {
		int answer = later_attribute(attr, handle);
		return runtime_write(value, &answer, sizeof answer);
	}
#endif
	return runtime_result(driver.cuDeviceGetAttribute(value, (CUdevice_attribute)attr, handle));
}
#endif

#if CUDART_VERSION >= 5050
cudaError_t runtime_DeviceGetStreamPriorityRange(int *leastPriority, int *greatestPriority)
{
	return runtime_result(driver.cuCtxGetStreamPriorityRange(leastPriority, greatestPriority));
}
#endif
