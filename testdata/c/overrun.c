/* A kernel that writes 2,048 bytes to an allocation of 96. A board allows it, because its memory
   unit knows pages only; "exact" as the second argument expects a fault. */
#include <cuda.h>
#include <string.h>

#include "check.h"

#define N 512

static CUdeviceptr filled(size_t size, unsigned int word)
{
	CUdeviceptr at;

	OK(cuMemAlloc(&at, size));
	OK(cuMemsetD32(at, word, size / 4));
	return at;
}

static void holds(CUdeviceptr at, size_t words, unsigned int word)
{
	unsigned int got[N];
	size_t i;

	OK(cuMemcpyDtoH(got, at, 4 * words));
	for (i = 0; i < words; i++)
		REQUIRE(got[i] == word);
}

/* add launches c[i] = a[i] + b[i] for N floats. */
static CUresult add(CUfunction f, CUdeviceptr a, CUdeviceptr b, CUdeviceptr c)
{
	unsigned int params[4];
	size_t size = sizeof params;
	void *extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, NULL, CU_LAUNCH_PARAM_BUFFER_SIZE, NULL, CU_LAUNCH_PARAM_END};

	params[0] = (unsigned int)a;
	params[1] = (unsigned int)b;
	params[2] = (unsigned int)c;
	params[3] = N;
	extra[1] = params;
	extra[3] = &size;
	OK(cuLaunchKernel(f, N / 64, 1, 1, 64, 1, 1, 0, 0, NULL, extra));
	return cuCtxSynchronize();
}

int main(int argc, char **argv)
{
	const unsigned int one = 0x3f800000, two = 0x40000000, three = 0x40400000, five = 0x40a00000;
	CUcontext context;
	CUmodule module;
	CUfunction f;
	CUdeviceptr a, b, c, below, above;
	unsigned int word;

	REQUIRE(argc == 3);
	OK(cuInit(0));
	OK(cuCtxCreate(&context, 0, 0));
	OK(cuModuleLoad(&module, argv[1]));
	OK(cuModuleGetFunction(&f, module, "vecadd"));
	a = filled(4 * N, one);
	b = filled(4 * N, two);
	below = filled(96, 0x55555555);
	OK(cuMemAlloc(&c, 96));
	above = filled(96, 0xaaaaaaaa);
	if (strcmp(argv[2], "exact") == 0) {
		EXPECT(CUDA_ERROR_ILLEGAL_ADDRESS, add(f, a, b, c));
		return passed();
	}
	OK(add(f, a, b, c));
	holds(c, 24, three);
	holds(below, 24, 0x55555555);
	holds(above, 24, 0xaaaaaaaa);
	/* Kernels reach memory past the end, the program does not. */
	OK(add(f, c, b, a));
	holds(a, N, five);
	EXPECT(CUDA_ERROR_INVALID_VALUE, cuMemcpyDtoH(&word, c + 96, sizeof word));
	EXPECT(CUDA_ERROR_INVALID_VALUE, cuMemsetD8(c, 0, 97));
	OK(cuMemFree(c));
	EXPECT(CUDA_ERROR_ILLEGAL_ADDRESS, add(f, a, b, c)); /* freed */
	return passed();
}
