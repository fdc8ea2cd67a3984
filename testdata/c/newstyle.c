/* Vector addition in the style of CUDA 4.x and later. Also compiled as C++. */
#include <cuda.h>
#include <cudaProfiler.h>
#include <stdint.h>
#include <string.h>

#include "check.h"

#define N 1000
#define THREADS 64 /* the kernel is compiled for it */

int main(int argc, char **argv)
{
	static float a[N], b[N], c[N];
	struct { /* the kernel's parameters: addresses are 32 bits wide on this hardware */
		uint32_t a, b, c, n;
	} params;
	size_t size = sizeof params, free_bytes, total, bytes;
	void *extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, &params, CU_LAUNCH_PARAM_BUFFER_SIZE, &size, CU_LAUNCH_PARAM_END};
	void *unknown[] = {&params, &params, CU_LAUNCH_PARAM_END};
	void *pointers[] = {&params.a, &params.b, &params.c, &params.n};
	void *pinned;
	CUjit_option options[] = {CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES, CU_JIT_ERROR_LOG_BUFFER};
	char log[64];
	void *values[2];
	static char image[65536];
	FILE *file;
	CUdevice device;
	CUcontext context, current;
	CUmodule module;
	CUfunction kernel;
	CUdeviceptr da, db, dc;
	int i, version, registers;

	REQUIRE(argc == 2);
	REQUIRE(sizeof(CUdeviceptr) == sizeof(void *));
	OK(cuDriverGetVersion(&version));
	REQUIRE(version == 6050);
	OK(cuInit(0));
	OK(cuDeviceGet(&device, 0));
	OK(cuCtxCreate(&context, CU_CTX_SCHED_AUTO, device));
	OK(cuCtxGetCurrent(&current));
	REQUIRE(current == context);
	OK(cuMemGetInfo(&free_bytes, &total));
	REQUIRE(free_bytes <= total);

	file = fopen(argv[1], "rb");
	REQUIRE(file != NULL);
	REQUIRE(fread(image, 1, sizeof image - 1, file) > 0);
	fclose(file);
	values[0] = (void *)(uintptr_t)sizeof log;
	values[1] = log;
	OK(cuModuleLoadDataEx(&module, image, 2, options, values));
	REQUIRE(values[0] == NULL);
	OK(cuModuleGetFunction(&kernel, module, "vecadd"));
	OK(cuFuncGetAttribute(&registers, CU_FUNC_ATTRIBUTE_NUM_REGS, kernel));
	REQUIRE(registers > 0);

	for (i = 0; i < N; i++) {
		a[i] = 0.25f * (float)i;
		b[i] = 7.0f - (float)i;
	}
	OK(cuMemAlloc(&da, sizeof a));
	OK(cuMemAlloc(&db, sizeof b));
	OK(cuMemAlloc(&dc, sizeof c));
	OK(cuMemGetAddressRange(NULL, &bytes, dc));
	REQUIRE(bytes == sizeof c);
	OK(cuMemHostAlloc(&pinned, sizeof a, 0));
	memcpy(pinned, a, sizeof a);
	OK(cuMemcpyHtoD(da, pinned, sizeof a));
	OK(cuMemcpyHtoD(db, b, sizeof b));
	params.a = (uint32_t)da;
	params.b = (uint32_t)db;
	params.c = (uint32_t)dc;
	params.n = N;
	OK(cuLaunchKernel(kernel, (N + THREADS - 1) / THREADS, 1, 1, THREADS, 1, 1, 0, NULL, NULL, extra));
	OK(cuCtxSynchronize());
	OK(cuMemcpyDtoH(c, dc, sizeof c));
	for (i = 0; i < N; i++)
		REQUIRE(c[i] == a[i] + b[i]);

	/* A text cubin does not record the size of parameters. */
	EXPECT(CUDA_ERROR_INVALID_IMAGE, cuLaunchKernel(kernel, 1, 1, 1, THREADS, 1, 1, 0, NULL, pointers, NULL));
	EXPECT(CUDA_ERROR_INVALID_VALUE, cuLaunchKernel(kernel, 1, 1, 1, THREADS, 1, 1, 0, NULL, NULL, unknown));
	EXPECT(CUDA_ERROR_INVALID_VALUE, cuLaunchKernel(kernel, 1, 1, 2, THREADS, 1, 1, 0, NULL, NULL, extra));
	EXPECT(CUDA_ERROR_INVALID_VALUE, cuLaunchKernel(kernel, 1, 1, 1, 513, 1, 1, 0, NULL, NULL, extra));

	OK(cuMemFreeHost(pinned));
	OK(cuMemFree(da));
	OK(cuMemFree(db));
	OK(cuMemFree(dc));
	OK(cuModuleUnload(module));
	OK(cuCtxDestroy(context));
	return passed();
}
