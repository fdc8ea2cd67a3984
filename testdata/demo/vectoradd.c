/* vectoradd: adds two vectors on the GPU with the CUDA driver API and checks the sum.
   Nothing in it knows about a simulator. vectoradd.cubin must lie beside the program. */
#include <cuda.h>
#include <libgen.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define N 10000
#define THREADS 64 /* the kernel was compiled for blocks of this size */

static void check(CUresult result, const char *call)
{
	if (result != CUDA_SUCCESS) {
		fprintf(stderr, "%s failed: error %d\n", call, (int)result);
		exit(1);
	}
}
#define CHECK(call) check(call, #call)

/* cubin_path returns the path of vectoradd.cubin in the folder of this program. */
static const char *cubin_path(void)
{
	static char self[PATH_MAX], path[PATH_MAX + sizeof "/vectoradd.cubin"];
	ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
	if (n < 0) {
		perror("/proc/self/exe");
		exit(1);
	}
	self[n] = 0;
	sprintf(path, "%s/vectoradd.cubin", dirname(self));
	return path;
}

int main(void)
{
	static float a[N], b[N], c[N];
	CUdevice device;
	CUcontext context;
	CUmodule module;
	CUfunction kernel;
	CUdeviceptr da, db, dc;
	char name[100];
	int i, wrong = 0;

	for (i = 0; i < N; i++) {
		a[i] = 0.5f * i;
		b[i] = 1000.0f - 0.25f * i;
	}

	CHECK(cuInit(0));
	CHECK(cuDeviceGet(&device, 0));
	CHECK(cuDeviceGetName(name, sizeof name, device));
	printf("device: %s\n", name);
	CHECK(cuCtxCreate(&context, 0, device));
	CHECK(cuModuleLoad(&module, cubin_path()));
	CHECK(cuModuleGetFunction(&kernel, module, "vecadd"));

	CHECK(cuMemAlloc(&da, sizeof a));
	CHECK(cuMemAlloc(&db, sizeof b));
	CHECK(cuMemAlloc(&dc, sizeof c));
	CHECK(cuMemcpyHtoD(da, a, sizeof a));
	CHECK(cuMemcpyHtoD(db, b, sizeof b));

	/* GPUs of this generation have 32-bit addresses, whatever the host has. */
	CHECK(cuParamSeti(kernel, 0, (unsigned)da));
	CHECK(cuParamSeti(kernel, 4, (unsigned)db));
	CHECK(cuParamSeti(kernel, 8, (unsigned)dc));
	CHECK(cuParamSeti(kernel, 12, N));
	CHECK(cuParamSetSize(kernel, 16));
	CHECK(cuFuncSetBlockShape(kernel, THREADS, 1, 1));
	CHECK(cuLaunchGrid(kernel, (N + THREADS - 1) / THREADS, 1));
	CHECK(cuCtxSynchronize());
	CHECK(cuMemcpyDtoH(c, dc, sizeof c));

	for (i = 0; i < N; i++)
		wrong += c[i] != a[i] + b[i];
	printf("c[0] = %g, c[1] = %g, c[%d] = %g\n", c[0], c[1], N - 1, c[N - 1]);
	printf("%d sums, %d wrong: %s\n", N, wrong, wrong ? "FAILED" : "PASSED");

	CHECK(cuMemFree(da));
	CHECK(cuMemFree(db));
	CHECK(cuMemFree(dc));
	CHECK(cuModuleUnload(module));
	CHECK(cuCtxDestroy(context));
	return wrong != 0;
}
