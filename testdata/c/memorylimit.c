/* The system refuses memory that the device would have: the call returns an error, and the program
   goes on. */
#include <cuda.h>
#include <sys/resource.h>
#include <unistd.h>

#include "check.h"

#define MIB (1024UL * 1024)

/* used returns the bytes of the process's address space in use. */
static unsigned long used(void)
{
	unsigned long pages;
	FILE *f = fopen("/proc/self/statm", "r");

	REQUIRE(f != NULL);
	REQUIRE(fscanf(f, "%lu", &pages) == 1);
	fclose(f);
	return pages * (unsigned long)sysconf(_SC_PAGESIZE);
}

int main(void)
{
	CUcontext context;
	CUdeviceptr p, small;
	CUarray array;
	CUDA_ARRAY_DESCRIPTOR plane = {16384, 16384, CU_AD_FORMAT_UNSIGNED_INT8, 2}; /* 512 MiB */
	struct rlimit limit;
	size_t before, after, all;
	void *host;
	int round;

	OK(cuInit(0));
	OK(cuCtxCreate(&context, 0, 0));
	OK(cuMemGetInfo(&before, &all));
	REQUIRE(before > 800 * MIB);

	REQUIRE(getrlimit(RLIMIT_AS, &limit) == 0);
	limit.rlim_cur = used() + 400 * MIB;
	REQUIRE(setrlimit(RLIMIT_AS, &limit) == 0);
	EXPECT(CUDA_ERROR_OUT_OF_MEMORY, cuMemAlloc(&p, 700 * MIB));
	EXPECT(CUDA_ERROR_OUT_OF_MEMORY, cuArrayCreate(&array, &plane));
	EXPECT(CUDA_ERROR_OUT_OF_MEMORY, cuMemAllocHost(&host, 500 * MIB));
	OK(cuMemGetInfo(&after, &all));
	REQUIRE(after == before);

	/* Freed memory is available again at once. */
	OK(cuMemAlloc(&small, 4096));
	for (round = 0; round < 20; round++) {
		OK(cuMemAlloc(&p, 200 * MIB));
		OK(cuMemsetD32(p + 199 * MIB, 7, 1024));
		OK(cuMemFree(p));
	}
	OK(cuMemAlloc(&p, 200 * MIB));
	OK(cuCtxDestroy(context));
	OK(cuCtxCreate(&context, 0, 0));
	OK(cuMemAlloc(&p, 200 * MIB));
	OK(cuCtxDestroy(context));
	return passed();
}
