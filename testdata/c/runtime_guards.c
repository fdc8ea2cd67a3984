/* No call writes behind what a program of its release has: all out-parameters have guards. */
#include "runtime_check.h"

enum { GUARD = 512, PATTERN = 0x5a };

/* whole wants nothing to be written behind the first size bytes of room. */
static void whole(const char *call, const unsigned char *room, size_t size)
{
	size_t i;

	for (i = size; i < size + GUARD; i++)
		if (room[i] != PATTERN) {
			printf("%s writes byte %u of a structure of %u bytes\n", call, (unsigned)i, (unsigned)size);
			exit(1);
		}
}

/* GUARDED makes a call with room for a result of a type, which is called out in it. */
#define GUARDED(type, call) \
	do { \
		static union { type value; unsigned char bytes[sizeof(type) + GUARD]; } room; \
		type *out = &room.value; \
		memset(&room, PATTERN, sizeof room); \
		OK(call); \
		whole(#call, room.bytes, sizeof(type)); \
	} while (0)

static void devices(void)
{
	GUARDED(int, cudaGetDeviceCount(out));
	GUARDED(int, cudaGetDevice(out));
	GUARDED(struct cudaDeviceProp, cudaGetDeviceProperties(out, 0));
#if CUDART_VERSION >= 2020
	GUARDED(int, cudaDriverGetVersion(out));
	GUARDED(int, cudaRuntimeGetVersion(out));
	GUARDED(struct cudaFuncAttributes, cudaFuncGetAttributes(out, &fill));
#endif
#if CUDART_VERSION >= 3020
	GUARDED(enum cudaFuncCache, cudaThreadGetCacheConfig(out));
#endif
#if CUDART_VERSION >= 4020
	GUARDED(enum cudaSharedMemConfig, cudaDeviceGetSharedMemConfig(out));
#endif
#if CUDART_VERSION >= 5000
	GUARDED(int, cudaDeviceGetAttribute(out, cudaDevAttrWarpSize, 0));
#endif
#if CUDART_VERSION >= 6050
	GUARDED(int, cudaOccupancyMaxActiveBlocksPerMultiprocessor(out, &fill, 64, 0));
#endif
}

static void handles(void)
{
	cudaEvent_t event;

	GUARDED(cudaStream_t, cudaStreamCreate(out));
	GUARDED(cudaEvent_t, cudaEventCreate(out));
	OK(cudaEventCreate(&event));
	OK(cudaEventRecord(event, 0));
	OK(cudaEventSynchronize(event));
	GUARDED(float, cudaEventElapsedTime(out, event, event));
}

static void memory(void)
{
	static const struct cudaChannelFormatDesc floats = {32, 0, 0, 0, cudaChannelFormatKindFloat};
	struct cudaExtent extent = {64, 4, 2};
	cudaArray_t array;
	size_t pitch;
	void *p;

	OK(cudaMalloc(&p, 1024));
	OK(cudaMallocArray(&array, &floats, 64, 4, 0));
	GUARDED(void *, cudaMalloc(out, 64));
	GUARDED(void *, cudaMallocHost(out, 64));
	GUARDED(void *, cudaMallocPitch(out, &pitch, 64, 4));
	GUARDED(size_t, cudaMallocPitch(&p, out, 64, 4));
	GUARDED(struct cudaPitchedPtr, cudaMalloc3D(out, extent));
	GUARDED(cudaArray_t, cudaMallocArray(out, &floats, 64, 4, 0));
	GUARDED(struct cudaChannelFormatDesc, cudaGetChannelDesc(out, array));
	GUARDED(void *, cudaGetSymbolAddress(out, &counter));
	GUARDED(size_t, cudaGetSymbolSize(out, &counter));
	GUARDED(size_t, cudaBindTexture(out, &line, p, &floats, 64));
	GUARDED(size_t, cudaGetTextureAlignmentOffset(out, &line));
#if CUDART_VERSION >= 2020
	GUARDED(void *, cudaHostAlloc(out, 64, cudaHostAllocMapped));
#endif
#if CUDART_VERSION >= 3020
	GUARDED(size_t, cudaMemGetInfo(out, &pitch));
	GUARDED(size_t, cudaMemGetInfo(&pitch, out));
#endif
#if CUDART_VERSION >= 4000
	GUARDED(struct cudaPointerAttributes, cudaPointerGetAttributes(out, p));
#endif
#if CUDART_VERSION >= 4010
	GUARDED(struct cudaExtent, cudaArrayGetInfo(NULL, out, NULL, array));
	GUARDED(unsigned, cudaArrayGetInfo(NULL, NULL, out, array));
#endif
}

int main(void)
{
	devices();
	handles();
	memory();
	return passed();
}
