/* A program as nvcc of CUDA 1.x made it: one text cubin in the first version of the struct of pointers,
   and the calls of that release alone. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cuda_runtime_api.h"

#define TEXT_OF(x) #x
#define TEXT(x) TEXT_OF(x)

/* CUBIN is the path of the demonstration's kernel. */
__asm__(".section .rodata\ncubin: .incbin \"" TEXT(CUBIN) "\"\n.byte 0\n.previous\n");
extern const char cubin[] __attribute__((visibility("hidden")));

static const char *cubins[] = {"sm_10", cubin, NULL, NULL}, *none[2];
static struct {
	unsigned long magic, version, gpu;
	const char *key, *file, *usage;
	const char **ptx, **cubins, **debug;
} fat = {0x1ee55a01, 1, 0xa14f518d, "0123456789abcdef", "vectoradd.cu", " ", none, cubins, none};

static void **handle;
static char vecadd;

__attribute__((constructor)) static void begin(void)
{
	handle = __cudaRegisterFatBinary(&fat);
	__cudaRegisterFunction(handle, &vecadd, (char *)"vecadd", "vecadd", -1, NULL, NULL, NULL, NULL, NULL);
}

__attribute__((destructor)) static void end(void) { __cudaUnregisterFatBinary(handle); }

#define OK(call) \
	do { \
		cudaError_t error = call; \
		if (error != cudaSuccess) { \
			printf("%s answered %d: %s\n", #call, (int)error, cudaGetErrorString(error)); \
			exit(1); \
		} \
	} while (0)

enum { N = 1000 };

int main(void)
{
	static float a[N], b[N], sum[N];
	struct {
		struct cudaDeviceProp prop;
		unsigned char after[1024];
	} properties;
	unsigned pointers[3];
	float *p[3];
	dim3 grid = {16, 1, 1}, block = {64, 1, 1};
	int i, n = N;

	memset(&properties, 0x5a, sizeof properties);
	OK(cudaGetDeviceProperties(&properties.prop, 0));
	for (i = 0; i < 1024; i++)
		if (properties.after[i] != 0x5a)
			return printf("byte %d behind the properties is written\n", i);
	if (properties.prop.warpSize != 32 || properties.prop.major != 1 || properties.prop.multiProcessorCount < 1)
		return printf("these are no properties\n");
	for (i = 0; i < N; i++) {
		a[i] = (float)i;
		b[i] = (float)(3 * i);
	}
	for (i = 0; i < 3; i++) {
		OK(cudaMalloc((void **)&p[i], sizeof a));
		pointers[i] = (unsigned)(size_t)p[i];
	}
	OK(cudaMemcpy(p[0], a, sizeof a, cudaMemcpyHostToDevice));
	OK(cudaMemcpy(p[1], b, sizeof b, cudaMemcpyHostToDevice));
	OK(cudaConfigureCall(grid, block, 0, 0));
	for (i = 0; i < 3; i++)
		OK(cudaSetupArgument(&pointers[i], 4, 4 * (size_t)i));
	OK(cudaSetupArgument(&n, 4, 12));
	OK(cudaLaunch(&vecadd));
	OK(cudaThreadSynchronize());
	OK(cudaMemcpy(sum, p[2], sizeof sum, cudaMemcpyDeviceToHost));
	for (i = 0; i < N; i++)
		if (sum[i] != (float)(4 * i))
			return printf("sum %d is %g\n", i, (double)sum[i]);
	printf("PASSED\n");
	return 0;
}
