/* Devices, contexts, streams and kernels asked about and configured. */
#include <cuda.h>
#include <cudaProfiler.h>
#include <string.h>

#include "check.h"

static int calls;

static void CUDA_CB called(CUstream stream, CUresult status, void *data)
{
	int count;
	REQUIRE(stream != NULL && status == CUDA_SUCCESS);
	EXPECT(CUDA_ERROR_NOT_PERMITTED, cuDeviceGetCount(&count));
	calls += *(int *)data;
}

static size_t CUDA_CB half_a_multiprocessor(int threads)
{
	(void)threads;
	return 8000;
}

int main(int argc, char **argv)
{
	CUcontext primary, again, current, other;
	CUdevice device;
	CUmodule module;
	CUfunction kernel;
	CUstream stream;
	CUevent event;
	CUfunc_cache cache;
	CUsharedconfig banks;
	CUsurfref surface;
	CUuuid uuid, none;
	char bus[16];
	size_t limit;
	unsigned int flags;
	int active, can, least, greatest, priority, blocks, threads, seven = 7;

	REQUIRE(argc == 2);
	OK(cuInit(0));
	OK(cuDeviceGetPCIBusId(bus, sizeof bus, 0));
	REQUIRE(strcmp(bus, "0000:01:00.0") == 0);
	OK(cuDeviceGetByPCIBusId(&device, bus));
	REQUIRE(device == 0);
	EXPECT(CUDA_ERROR_INVALID_DEVICE, cuDeviceGetByPCIBusId(&device, "0000:77:00.0"));
	EXPECT(CUDA_ERROR_INVALID_VALUE, cuDeviceGetByPCIBusId(&device, "here"));
	memset(&none, 0, sizeof none);
	OK(cuDeviceGetUuid(&uuid, 0));
	REQUIRE(memcmp(&uuid, &none, sizeof uuid) != 0);
	EXPECT(CUDA_ERROR_INVALID_DEVICE, cuDeviceCanAccessPeer(&can, 0, 0));

	OK(cuDevicePrimaryCtxSetFlags(0, CU_CTX_SCHED_BLOCKING_SYNC));
	OK(cuDevicePrimaryCtxRetain(&primary, 0));
	OK(cuDevicePrimaryCtxRetain(&again, 0));
	REQUIRE(primary == again);
	OK(cuCtxGetCurrent(&current));
	REQUIRE(current == NULL);
	OK(cuDevicePrimaryCtxGetState(0, &flags, &active));
	REQUIRE(flags == CU_CTX_SCHED_BLOCKING_SYNC && active == 1);
	EXPECT(CUDA_ERROR_PRIMARY_CONTEXT_ACTIVE, cuDevicePrimaryCtxSetFlags(0, 0));
	OK(cuCtxSetCurrent(primary));
	OK(cuDevicePrimaryCtxRelease(0));

	OK(cuCtxGetCacheConfig(&cache));
	REQUIRE(cache == CU_FUNC_CACHE_PREFER_NONE);
	OK(cuCtxSetCacheConfig(CU_FUNC_CACHE_PREFER_L1));
	OK(cuCtxGetSharedMemConfig(&banks));
	REQUIRE(banks == CU_SHARED_MEM_CONFIG_FOUR_BYTE_BANK_SIZE);
	OK(cuCtxSetSharedMemConfig(CU_SHARED_MEM_CONFIG_DEFAULT_BANK_SIZE));
	EXPECT(CUDA_ERROR_UNSUPPORTED_LIMIT, cuCtxGetLimit(&limit, CU_LIMIT_STACK_SIZE));
	EXPECT(CUDA_ERROR_UNSUPPORTED_LIMIT, cuCtxSetLimit(CU_LIMIT_MALLOC_HEAP_SIZE, 1 << 20));
	OK(cuCtxGetStreamPriorityRange(&least, &greatest));
	REQUIRE(least == 0 && greatest == 0);
	EXPECT(CUDA_ERROR_INVALID_CONTEXT, cuCtxEnablePeerAccess(primary, 0));
	OK(cuProfilerInitialize("config", "output", CU_OUT_CSV));
	OK(cuProfilerStart());
	OK(cuProfilerStop());

	OK(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
	OK(cuEventCreate(&event, CU_EVENT_DISABLE_TIMING));
	OK(cuStreamGetFlags(stream, &flags));
	REQUIRE(flags == CU_STREAM_NON_BLOCKING);
	OK(cuStreamGetPriority(stream, &priority));
	REQUIRE(priority == 0);
	OK(cuEventRecord(event, stream));
	OK(cuStreamWaitEvent(stream, event, 0));
	OK(cuStreamAddCallback(stream, called, &seven, 0));
	OK(cuStreamSynchronize(stream));
	REQUIRE(calls == 7);
	EXPECT(CUDA_ERROR_INVALID_VALUE, cuStreamAddCallback(stream, NULL, NULL, 0));

	OK(cuModuleLoad(&module, argv[1]));
	OK(cuModuleGetFunction(&kernel, module, "vecadd"));
	EXPECT(CUDA_ERROR_NOT_FOUND, cuModuleGetSurfRef(&surface, module, "vecadd"));
	OK(cuFuncSetCacheConfig(kernel, CU_FUNC_CACHE_PREFER_SHARED));
	OK(cuFuncSetSharedMemConfig(kernel, CU_SHARED_MEM_CONFIG_FOUR_BYTE_BANK_SIZE));
	OK(cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, 64, 0));
	REQUIRE(blocks == 8);
	OK(cuOccupancyMaxPotentialBlockSize(&blocks, &threads, kernel, NULL, 0, 0));
	REQUIRE(threads == 512);
	OK(cuOccupancyMaxPotentialBlockSize(&blocks, &threads, kernel, half_a_multiprocessor, 0, 256));
	REQUIRE(threads == 256);

	OK(cuCtxCreate(&other, CU_CTX_MAP_HOST, 0));
	OK(cuCtxGetFlags(&flags));
	REQUIRE(flags == CU_CTX_MAP_HOST);
	EXPECT(CUDA_ERROR_PEER_ACCESS_UNSUPPORTED, cuCtxEnablePeerAccess(primary, 0));
	EXPECT(CUDA_ERROR_PEER_ACCESS_NOT_ENABLED, cuCtxDisablePeerAccess(primary));
	OK(cuCtxDestroy(other));
	OK(cuDevicePrimaryCtxReset(0));
	EXPECT(CUDA_ERROR_INVALID_CONTEXT, cuCtxPushCurrent(primary));
	return passed();
}
