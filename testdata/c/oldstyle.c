/* Vector addition in the style of CUDA 2.x. Compile with -DCUDA_FORCE_API_VERSION=2030. */
#include <cuda.h>

#include "check.h"

#define N 1000
#define THREADS 64 /* the kernel is compiled for it */
#define ALIGN_UP(offset, alignment) (offset) = ((offset) + (alignment) - 1) & ~((alignment) - 1)

#if CUDA_VERSION >= 3020
#error compile with -DCUDA_FORCE_API_VERSION=2030
#endif

int main(int argc, char **argv)
{
	static float a[N], b[N], c[N];
	CUdevice device;
	CUdevprop prop;
	CUcontext context;
	CUmodule module;
	CUfunction kernel;
	CUdeviceptr da, db, dc, base;
	CUevent start, end;
	CUstream stream;
	unsigned int n = N, total, bytes;
	int i, count, major, minor, offset = 0;
	char name[32];
	float milliseconds;

	REQUIRE(argc == 2);
	REQUIRE(sizeof(CUdeviceptr) == 4);
	OK(cuInit(0));
	OK(cuDeviceGetCount(&count));
	REQUIRE(count >= 1);
	OK(cuDeviceGet(&device, 0));
	OK(cuDeviceGetName(name, sizeof name, device));
	OK(cuDeviceComputeCapability(&major, &minor, device));
	REQUIRE(major == 1);
	OK(cuDeviceTotalMem(&total, device));
	OK(cuDeviceGetProperties(&prop, device));
	REQUIRE(prop.maxThreadsPerBlock == 512 && prop.SIMDWidth == 32 && prop.textureAlign == 256);
	OK(cuCtxCreate(&context, 0, device));
	OK(cuModuleLoad(&module, argv[1]));
	OK(cuModuleGetFunction(&kernel, module, "vecadd"));
	OK(cuStreamCreate(&stream, 0));
	OK(cuEventCreate(&start, 0));
	OK(cuEventCreate(&end, 0));

	for (i = 0; i < N; i++) {
		a[i] = 0.25f * i;
		b[i] = 7.0f - i;
	}
	OK(cuMemAlloc(&da, sizeof a));
	OK(cuMemAlloc(&db, sizeof b));
	OK(cuMemAlloc(&dc, sizeof c));
	OK(cuMemGetAddressRange(&base, &bytes, db + 4));
	REQUIRE(base == db && bytes == sizeof b);
	OK(cuMemcpyHtoD(da, a, sizeof a));
	OK(cuMemcpyHtoDAsync(db, b, sizeof b, stream));

	ALIGN_UP(offset, (int)__alignof(da));
	OK(cuParamSetv(kernel, offset, &da, sizeof da));
	offset += sizeof da;
	ALIGN_UP(offset, (int)__alignof(db));
	OK(cuParamSetv(kernel, offset, &db, sizeof db));
	offset += sizeof db;
	ALIGN_UP(offset, (int)__alignof(dc));
	OK(cuParamSetv(kernel, offset, &dc, sizeof dc));
	offset += sizeof dc;
	OK(cuParamSeti(kernel, offset, n));
	offset += sizeof n;
	OK(cuParamSetSize(kernel, offset));
	OK(cuFuncSetBlockShape(kernel, THREADS, 1, 1));
	OK(cuFuncSetSharedSize(kernel, 0));
	OK(cuEventRecord(start, stream));
	OK(cuLaunchGridAsync(kernel, (N + THREADS - 1) / THREADS, 1, stream));
	OK(cuEventRecord(end, stream));
	OK(cuEventSynchronize(end));
	OK(cuEventElapsedTime(&milliseconds, start, end));
	REQUIRE(milliseconds >= 0);
	OK(cuMemcpyDtoH(c, dc, sizeof c));
	for (i = 0; i < N; i++)
		REQUIRE(c[i] == a[i] + b[i]);

	OK(cuMemsetD32(dc, 0x3f800000, N));
	OK(cuMemcpyDtoHAsync(c, dc, sizeof c, stream));
	OK(cuStreamSynchronize(stream));
	REQUIRE(c[0] == 1.0f && c[N - 1] == 1.0f);
	OK(cuLaunchGrid(kernel, (N + THREADS - 1) / THREADS, 1));
	OK(cuCtxSynchronize());
	OK(cuMemcpyDtoH(c, dc, sizeof c));
	REQUIRE(c[N - 1] == a[N - 1] + b[N - 1]);

	OK(cuEventDestroy(start));
	OK(cuEventDestroy(end));
	OK(cuStreamDestroy(stream));
	OK(cuMemFree(da));
	OK(cuMemFree(db));
	OK(cuMemFree(dc));
	OK(cuModuleUnload(module));
	OK(cuCtxDetach(context));
	return passed();
}
