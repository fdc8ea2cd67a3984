/* Launches by the calls of each release, and what kernels answer about themselves. */
#include "runtime_check.h"

static unsigned *out;
static unsigned words[4096];

static void expect_filled(unsigned value, unsigned n)
{
	unsigned i;

	OK(cudaMemcpy(words, out, n * 4, cudaMemcpyDeviceToHost));
	for (i = 0; i < n; i++)
		REQUIRE(words[i] == value + i);
}

static void configured(void)
{
	struct {
		void *out;
		unsigned char b;
		unsigned short h;
		unsigned w;
		unsigned long long d __attribute__((aligned(8)));
	} a = {NULL, 200, 40000, 0x87654321, 0x1122334455667788};
	unsigned i;

	OK(launch_fill(out, 5, 16, 256, 0));
	expect_filled(5, 4096);

	/* Arguments one by one, and in one piece. */
	a.out = out;
	OK(cudaConfigureCall(shape(1, 1, 1), shape(1, 1, 1), 0, 0));
	OK(cudaSetupArgument(&a.out, sizeof a.out, 0));
	OK(cudaSetupArgument(&a.b, 1, offsetof(__typeof__(a), b)));
	OK(cudaSetupArgument(&a.h, 2, offsetof(__typeof__(a), h)));
	OK(cudaSetupArgument(&a.w, 4, offsetof(__typeof__(a), w)));
	OK(cudaSetupArgument(&a.d, 8, offsetof(__typeof__(a), d)));
	OK(cudaLaunch(&mixed));
	OK(cudaMemcpy(words, out, 20, cudaMemcpyDeviceToHost));
	REQUIRE(words[0] == 200 && words[1] == 40000 && words[2] == 0x87654321 && words[3] == 0x55667788 && words[4] == 0x11223344);
	a.w = 3;
	OK(cudaConfigureCall(shape(1, 1, 1), shape(1, 1, 1), 0, 0));
	OK(cudaSetupArgument(&a, sizeof a, 0));
	OK(cudaLaunch(&mixed));
	OK(cudaMemcpy(words, out, 20, cudaMemcpyDeviceToHost));
	REQUIRE(words[0] == 200 && words[2] == 3);

	/* Dynamic shared memory. */
	OK(launch_fill(out, 0, 1, 64, 0));
	for (int i = 0; i < 20; i++) { /* launches that failed before they began */
		OK(cudaConfigureCall(shape(1, 1, 1), shape(1, 1, 1), 0, 0));
		FAILS(cudaErrorInvalidValue, cudaSetupArgument(&out, sizeof out, 1 << 20));
	}
	OK(cudaConfigureCall(shape(1, 1, 1), shape(64, 1, 1), 256, 0));
	OK(cudaSetupArgument(&out, sizeof out, 0));
	OK(cudaLaunch(&turn));
	OK(cudaMemcpy(words, out, 256, cudaMemcpyDeviceToHost));
	for (i = 0; i < 64; i++)
		REQUIRE(words[i] == 63 - i);
}

/* A launch may be made while the arguments of another are evaluated. */
static void nested(void)
{
	unsigned value = 1000, inner = 2000;
	void *second = out + 1024;

	OK(cudaConfigureCall(shape(4, 1, 1), shape(32, 1, 1), 0, 0));
	OK(cudaSetupArgument(&out, sizeof out, 0));
	OK(cudaConfigureCall(shape(2, 1, 1), shape(16, 1, 1), 0, 0));
	OK(cudaSetupArgument(&second, sizeof second, 0));
	OK(cudaSetupArgument(&inner, 4, sizeof out));
	OK(cudaLaunch(&fill));
	OK(cudaSetupArgument(&value, 4, sizeof out));
	OK(cudaLaunch(&fill));
	expect_filled(1000, 128);
	OK(cudaMemcpy(words, second, 128, cudaMemcpyDeviceToHost));
	REQUIRE(words[0] == 2000 && words[31] == 2031);
}

static void errors(void)
{
	static char unknown;
	unsigned value = 1;

	FAILS(cudaErrorMissingConfiguration, cudaLaunch(&fill));
	FAILS(cudaErrorMissingConfiguration, cudaSetupArgument(&value, 4, 0));
	OK(cudaConfigureCall(shape(1, 1, 1), shape(1, 1, 1), 0, 0));
	FAILS(cudaErrorInvalidDeviceFunction, cudaLaunch(&unknown));
	FAILS(cudaErrorInvalidConfiguration, launch_fill(out, 1, 1, 513, 0));
	FAILS(cudaErrorInvalidConfiguration, launch_fill(out, 1, 1, 0, 0));
	FAILS(cudaErrorInvalidConfiguration, launch_fill(out, 1, 0, 1, 0));
	FAILS(cudaErrorInvalidConfiguration, launch_fill(out, 1, 65536, 1, 0));
	OK(cudaConfigureCall(shape(1, 1, 1), shape(4, 4, 65), 0, 0));
	FAILS(cudaErrorInvalidConfiguration, cudaLaunch(&bump));
	OK(cudaConfigureCall(shape(1, 1, 1), shape(1, 1, 1), 1 << 20, 0));
	REQUIRE(cudaLaunch(&bump) != cudaSuccess);
	REQUIRE(cudaGetLastError() != cudaSuccess);
	OK(launch_fill(out, 7, 1, 32, 0));
	expect_filled(7, 32);
}

#if CUDART_VERSION >= 10000
static void by_kernel(void)
{
	dim3 grid, block;
	size_t shared;
	cudaStream_t stream, popped;
	unsigned value = 300;
	void *arguments[2];

	arguments[0] = &out;
	arguments[1] = &value;
	OK(cudaLaunchKernel(&fill, shape(3, 1, 1), shape(64, 1, 1), arguments, 0, 0));
	expect_filled(300, 192);
	OK(cudaStreamCreate(&stream));

	/* What compilers make of <<<>>>, with another launch among the arguments. */
	EXPECT(0, __cudaPushCallConfiguration(shape(2, 1, 1), shape(8, 1, 1), 16, stream));
	EXPECT(0, __cudaPushCallConfiguration(shape(5, 1, 1), shape(6, 7, 1), 0, NULL));
	OK(__cudaPopCallConfiguration(&grid, &block, &shared, &popped));
	REQUIRE(grid.x == 5 && block.x == 6 && block.y == 7 && shared == 0 && popped == NULL);
	OK(__cudaPopCallConfiguration(&grid, &block, &shared, &popped));
	REQUIRE(grid.x == 2 && grid.z == 1 && block.x == 8 && shared == 16 && popped == stream);
	value = 900;
	OK(cudaLaunchKernel(&fill, grid, block, arguments, shared, popped));
	OK(cudaStreamSynchronize(stream));
	expect_filled(900, 16);
	FAILS(cudaErrorMissingConfiguration, __cudaPopCallConfiguration(&grid, &block, &shared, &popped));

	FAILS(cudaErrorInvalidDeviceFunction, cudaLaunchKernel(&value, shape(1, 1, 1), shape(1, 1, 1), arguments, 0, 0));
	FAILS(cudaErrorInvalidConfiguration, cudaLaunchKernel(&fill, shape(1, 1, 2), shape(1, 1, 1), arguments, 0, 0));
	FAILS(cudaErrorInvalidConfiguration, cudaLaunchKernel(&fill, shape(1, 1, 1), shape(600, 1, 1), arguments, 0, 0));
	OK(cudaStreamDestroy(stream));
}

static void occupancy(void)
{
	int blocks = -1;

	OK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, &fill, 64, 0));
	REQUIRE(blocks == 8);
	OK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, &fill, 64, 5000));
	REQUIRE(blocks == 3);
	OK(cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(&blocks, &fill, 256, 0, cudaOccupancyDisableCachingOverride));
	REQUIRE(blocks >= 3);
	FAILS(cudaErrorInvalidValue, cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(&blocks, &fill, 256, 0, 2));
	FAILS(cudaErrorInvalidDeviceFunction, cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, &blocks, 64, 0));
	OK(cudaFuncSetAttribute(&fill, cudaFuncAttributeMaxDynamicSharedMemorySize, 1024));
	FAILS(cudaErrorInvalidValue, cudaFuncSetAttribute(&fill, cudaFuncAttributeMaxDynamicSharedMemorySize, 65536));
}
#endif

#if CUDART_VERSION >= 2020
static void attributes(void)
{
	struct cudaFuncAttributes a;

	memset(&a, 0xee, sizeof a);
	OK(cudaFuncGetAttributes(&a, &fill));
	REQUIRE(a.localSizeBytes == 0 && a.numRegs > 0 && a.numRegs < 16 && a.maxThreadsPerBlock == 512);
	REQUIRE(a.sharedSizeBytes >= 16 && a.sharedSizeBytes < 64); /* the parameters lie there */
#if CUDART_VERSION >= 3000
	REQUIRE(a.binaryVersion >= 10 && a.binaryVersion <= 13);
	OK(cudaFuncSetCacheConfig(&fill, cudaFuncCachePreferShared));
	FAILS(cudaErrorInvalidDeviceFunction, cudaFuncSetCacheConfig(&a, cudaFuncCachePreferShared));
#endif
	FAILS(cudaErrorInvalidDeviceFunction, cudaFuncGetAttributes(&a, &a));
}
#endif

static void doubles(void)
{
	union {
		double d;
		float f;
	} u;

	u.d = 1.5;
	OK(cudaSetDoubleForDevice(&u.d));
	OK(cudaSetDoubleForHost(&u.d));
	REQUIRE(u.d == 1.5);
}

int main(void)
{
	OK(cudaMalloc((void **)&out, sizeof words));
	configured();
	nested();
	errors();
#if CUDART_VERSION >= 2020
	attributes();
#endif
	doubles();
#if CUDART_VERSION >= 10000
	by_kernel();
	occupancy();
#endif
	return passed();
}
