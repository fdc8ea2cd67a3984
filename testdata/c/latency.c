/* Prints how long launches and copies take: the fastest of many, in nanoseconds.

   usage: latency CUBIN CORES ROUNDS

   CUBIN has the kernel vecadd. The process gets CORES cores, or all that it may have. Copies
   alternate with memcpy, in memory that has been touched before. */
#define _GNU_SOURCE
#include <sched.h>
#include <string.h>
#include <time.h>

#include <cuda.h>

#include "check.h"

static double now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1e9 + t.tv_nsec;
}

/* Lowers least to the time of call, if that is shorter. */
#define TIME(least, call)                           \
	do {                                            \
		double began = now();                       \
		call;                                       \
		double took = now() - began;                \
		least = took < least ? took : least;        \
	} while (0)

static const double never = 1e18;

static void limit_cores(int cores)
{
	cpu_set_t have, want;
	CPU_ZERO(&want);
	REQUIRE(sched_getaffinity(0, sizeof have, &have) == 0);
	for (int i = 0; i < CPU_SETSIZE && cores > 0; i++) {
		if (CPU_ISSET(i, &have)) {
			CPU_SET(i, &want);
			cores--;
		}
	}
	REQUIRE(sched_setaffinity(0, sizeof want, &want) == 0);
}

static void launches(CUfunction vecadd, unsigned blocks, int rounds)
{
	CUdeviceptr a, b, sum;
	unsigned n = 64 * blocks;
	OK(cuMemAlloc(&a, 4 * n));
	OK(cuMemAlloc(&b, 4 * n));
	OK(cuMemAlloc(&sum, 4 * n));
	unsigned params[4] = {(unsigned)a, (unsigned)b, (unsigned)sum, n};
	size_t size = sizeof params;
	void *extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, params, CU_LAUNCH_PARAM_BUFFER_SIZE, &size, CU_LAUNCH_PARAM_END};
	double least = never;
	for (int i = 0; i < rounds; i++)
		TIME(least, OK(cuLaunchKernel(vecadd, blocks, 1, 1, 64, 1, 1, 0, NULL, NULL, extra)));
	printf("launch/%u-blocks %.0f\n", blocks, least);
	OK(cuMemFree(a));
	OK(cuMemFree(b));
	OK(cuMemFree(sum));
}

static void copies(size_t size, int rounds)
{
	char *x = malloc(size), *y = malloc(size);
	CUdeviceptr a, b;
	REQUIRE(x && y);
	OK(cuMemAlloc(&a, size));
	OK(cuMemAlloc(&b, size));
	memset(x, 1, size);
	memset(y, 2, size);
	OK(cuMemcpyHtoD(a, x, size));
	OK(cuMemcpyHtoD(b, y, size));
	double here = never, in = never, out = never, within = never;
	for (int i = 0; i < rounds; i++) {
		TIME(here, memcpy(y, x, size));
		TIME(in, OK(cuMemcpyHtoD(a, x, size)));
		TIME(out, OK(cuMemcpyDtoH(y, a, size)));
		TIME(within, OK(cuMemcpyDtoD(b, a, size)));
	}
	REQUIRE(memcmp(x, y, size) == 0);
	printf("memcpy/%zu-bytes %.0f\nHtoD/%zu-bytes %.0f\nDtoH/%zu-bytes %.0f\nDtoD/%zu-bytes %.0f\n",
		size, here, size, in, size, out, size, within);
	OK(cuMemFree(a));
	OK(cuMemFree(b));
	free(x);
	free(y);
}

int main(int argc, char **argv)
{
	REQUIRE(argc == 4);
	limit_cores(atoi(argv[2]));
	int rounds = atoi(argv[3]);
	CUcontext context;
	CUmodule module;
	CUfunction vecadd;
	OK(cuInit(0));
	OK(cuCtxCreate(&context, 0, 0));
	OK(cuModuleLoad(&module, argv[1]));
	OK(cuModuleGetFunction(&vecadd, module, "vecadd"));
	launches(vecadd, 1, rounds);
	launches(vecadd, 16, rounds);
	launches(vecadd, 512, rounds / 10);
	copies(4, rounds);
	copies(16 << 10, rounds / 10);
	copies(256 << 10, rounds / 10);
	copies(4 << 20, rounds / 50);
	copies(64 << 20, rounds / 100);
	return 0;
}
