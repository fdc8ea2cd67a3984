/* What happens to a program while kernels run as code for the host: hot.c WHAT CUBIN [MXCSR]. Every
   case launches a kernel so often, and over so many blocks, that it is translated. */
#define _GNU_SOURCE
#include <cuda.h>
#include <pthread.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"

enum { N = 1 << 16, BYTES = 4 * N, HOT = 4 };

static CUcontext context;
static CUfunction kernel;

static void begin(const char *cubin)
{
	CUmodule module;
	OK(cuInit(0));
	OK(cuCtxCreate(&context, CU_CTX_MAP_HOST, 0));
	OK(cuModuleLoad(&module, cubin));
	OK(cuModuleGetFunction(&kernel, module, "vecadd"));
}

static CUdeviceptr words(uint32_t value)
{
	CUdeviceptr p;
	OK(cuMemAlloc(&p, BYTES));
	OK(cuMemsetD32(p, value, N));
	return p;
}

/* add has the kernel add two vectors of floats. It returns the first error. */
static CUresult add(CUdeviceptr a, CUdeviceptr b, CUdeviceptr c)
{
	struct {
		uint32_t a, b, c, n;
	} params = {(uint32_t)a, (uint32_t)b, (uint32_t)c, N};
	size_t size = sizeof params;
	void *extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, &params, CU_LAUNCH_PARAM_BUFFER_SIZE, &size, CU_LAUNCH_PARAM_END};
	CUresult error = cuLaunchKernel(kernel, N / 64, 1, 1, 64, 1, 1, 0, 0, NULL, extra);
	return error ? error : cuCtxSynchronize();
}

/* sums_are checks what a launch left. */
static void sums_are(CUdeviceptr c, uint32_t value)
{
	static uint32_t sums[N];
	OK(cuMemcpyDtoH(sums, c, BYTES));
	for (int i = 0; i < N; i++)
		REQUIRE(sums[i] == value);
}

/* Half of the memory that a kernel reads, or writes, is not there for a while: the launch returns an
   error, and harms no other. */
static void unmapped(void)
{
	char *own = mmap(NULL, BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	CUdeviceptr mapped, one = words(0x3f800000), sums = words(0);
	REQUIRE(own != MAP_FAILED);
	OK(cuMemHostRegister(own, BYTES, CU_MEMHOSTREGISTER_DEVICEMAP));
	OK(cuMemHostGetDevicePointer(&mapped, own, 0));
	for (int i = 0; i < 2 * HOT; i++) {
		memset(own, 0, BYTES);
		OK(add(mapped, one, sums));
		sums_are(sums, 0x3f800000);
		OK(add(one, one, mapped));
		REQUIRE(((uint32_t *)own)[N - 1] == 0x40000000);
		if (i < HOT)
			continue;
		REQUIRE(mprotect(own + BYTES / 2, BYTES / 2, PROT_NONE) == 0);
		EXPECT(CUDA_ERROR_INVALID_VALUE, add(mapped, one, sums));
		EXPECT(CUDA_ERROR_INVALID_VALUE, add(one, one, mapped));
		REQUIRE(mprotect(own + BYTES / 2, BYTES / 2, PROT_READ | PROT_WRITE) == 0);
	}
	OK(cuMemHostUnregister(own));
}

static volatile int done;

static void *launches(void *unused)
{
	OK(cuCtxSetCurrent(context));
	CUdeviceptr one = words(0x3f800000), two = words(0x40000000), sums = words(0);
	while (!done) {
		OK(cuMemsetD32(sums, 0, N));
		OK(add(one, two, sums));
		sums_are(sums, 0x40400000);
	}
	return unused;
}

/* Children are forked while a kernel runs. */
static void forks(void)
{
	pthread_t thread;
	REQUIRE(pthread_create(&thread, NULL, launches, NULL) == 0);
	for (int i = 0; i < 100; i++) {
		int status;
		usleep(1000);
		pid_t child = fork();
		REQUIRE(child >= 0);
		if (child == 0) {
			alarm(300); /* it must not hang */
			_exit((int)cuCtxSynchronize());
		}
		REQUIRE(waitpid(child, &status, 0) == child);
		REQUIRE(WIFEXITED(status));
		EXPECT(CUDA_ERROR_NOT_INITIALIZED, WEXITSTATUS(status));
	}
	done = 1;
	REQUIRE(pthread_join(thread, NULL) == 0);
}

/* The program computes with other floats than the simulator: it rounds another way, or flushes
   denormal numbers. Neither gets the other's mode. */
static void modes(const char *cubin, unsigned mode)
{
	__builtin_ia32_ldmxcsr(mode);
	begin(cubin);
	/* 1 + 3/4 of its last place is rounded up, 1 - 3/2 of the last place below it is a tie, and a
	   denormal number is 0 to a kernel. */
	CUdeviceptr one = words(0x3f800000), little = words(0x33c00000), less = words(0xb3c00000), denormal = words(0x00700000), sums = words(0);
	for (int i = 0; i < HOT; i++) {
		OK(add(one, little, sums));
		sums_are(sums, 0x3f800001);
		OK(add(one, less, sums));
		sums_are(sums, 0x3f7ffffe);
		OK(add(denormal, denormal, sums));
		sums_are(sums, 0);
	}
	REQUIRE((__builtin_ia32_stmxcsr() & ~0x3fu) == mode);
}

int main(int argc, char **argv)
{
	REQUIRE(argc >= 3);
	const char *what = argv[1];
	if (strcmp(what, "modes") == 0) {
		REQUIRE(argc == 4);
		modes(argv[2], (unsigned)strtoul(argv[3], NULL, 16));
		return passed();
	}
	begin(argv[2]);
	if (strcmp(what, "unmapped") == 0)
		unmapped();
	else
		forks();
	return passed();
}
