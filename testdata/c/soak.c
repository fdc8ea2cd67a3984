/* Eight threads make calls at once, round after round: contexts, modules, memory and launches.
   Results stay right, and the process does not grow. */
#include <cuda.h>
#include <pthread.h>
#include <stdint.h>
#include <string.h>

#include "check.h"

#define THREADS 8
#define N 640            /* elements of a vector, blocks of 64 */
#define HOST (256 << 10) /* bytes of page-locked memory per round */
#define MANY 400         /* rounds after which a leak of that memory would show */
#define SLACK 64         /* MiB that the process may grow: the library's heap and stacks vary */

static const char *cubin;
static int rounds;
static CUcontext shared_context;
static pthread_barrier_t together;
static long settled; /* MiB in use after the first quarter */

/* resident returns the MiB of memory that the process uses. */
static long resident(void)
{
	long total, used = 0;
	FILE *f = fopen("/proc/self/statm", "r");

	REQUIRE(f != NULL);
	REQUIRE(fscanf(f, "%ld %ld", &total, &used) == 2);
	fclose(f);
	return used / (1 << 8); /* pages of 4 KiB */
}

/* work adds two vectors in the current context, the second through page-locked memory, and frees
   everything unless the context ends. */
static void work(int id, int round, int tidy)
{
	struct {
		uint32_t a, b, c, n;
	} params;
	size_t size = sizeof params;
	void *extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, &params, CU_LAUNCH_PARAM_BUFFER_SIZE, &size, CU_LAUNCH_PARAM_END};
	float a[N], c[N], *b, milliseconds;
	void *host;
	CUmodule module;
	CUfunction kernel;
	CUstream stream;
	CUevent begin, end;
	CUarray array;
	CUDA_ARRAY_DESCRIPTOR shape = {N, 0, CU_AD_FORMAT_FLOAT, 1};
	CUdeviceptr da, db, dc;
	int i;

	OK(cuModuleLoad(&module, cubin));
	OK(cuModuleGetFunction(&kernel, module, "vecadd"));
	OK(cuStreamCreate(&stream, 0));
	OK(cuEventCreate(&begin, 0));
	OK(cuEventCreate(&end, 0));
	OK(cuMemAlloc(&da, sizeof a));
	OK(cuMemAlloc(&dc, sizeof c));
	OK(cuMemHostAlloc(&host, HOST, CU_MEMHOSTALLOC_DEVICEMAP | CU_MEMHOSTALLOC_PORTABLE));
	OK(cuMemHostGetDevicePointer(&db, host, 0));
	OK(cuArrayCreate(&array, &shape));
	memset(host, 1, HOST); /* so that it is resident */
	b = (float *)host;
	for (i = 0; i < N; i++) {
		a[i] = (float)(i * id);
		b[i] = (float)(round + id);
	}
	OK(cuMemcpyHtoA(array, 0, a, sizeof a));
	OK(cuMemcpyAtoD(da, array, 0, sizeof a));
	OK(cuEventRecord(begin, stream));
	params.a = (uint32_t)da;
	params.b = (uint32_t)db;
	params.c = (uint32_t)dc;
	params.n = N;
	OK(cuLaunchKernel(kernel, N / 64, 1, 1, 64, 1, 1, 0, stream, NULL, extra));
	OK(cuEventRecord(end, stream));
	OK(cuEventSynchronize(end));
	OK(cuEventElapsedTime(&milliseconds, begin, end));
	OK(cuMemcpyDtoH(c, dc, sizeof c));
	for (i = 0; i < N; i++)
		REQUIRE(c[i] == a[i] + b[i]);
	if (!tidy)
		return;
	OK(cuArrayDestroy(array));
	OK(cuMemFreeHost(host));
	OK(cuMemFree(da));
	OK(cuMemFree(dc));
	OK(cuEventDestroy(begin));
	OK(cuEventDestroy(end));
	OK(cuStreamDestroy(stream));
	OK(cuModuleUnload(module));
}

static void *body(void *arg)
{
	int id = (int)(intptr_t)arg, round;
	CUcontext own, primary;

	for (round = 0; round < rounds; round++) {
		OK(cuCtxCreate(&own, 0, 0));
		work(id, round, round % 2);
		OK(cuCtxPushCurrent(shared_context));
		work(id, round, 1);
		OK(cuCtxPopCurrent(NULL));
		OK(cuDevicePrimaryCtxRetain(&primary, 0));
		OK(cuCtxPushCurrent(primary));
		work(id, round, 1);
		OK(cuCtxPopCurrent(NULL));
		OK(cuDevicePrimaryCtxRelease(0));
		OK(cuCtxDestroy(own));
		if (round == rounds / 4) {
			pthread_barrier_wait(&together);
			if (id == 0)
				settled = resident();
			pthread_barrier_wait(&together);
		}
	}
	return NULL;
}

int main(int argc, char **argv)
{
	pthread_t threads[THREADS];
	size_t left, all;
	int i;

	REQUIRE(argc == 3);
	cubin = argv[1];
	rounds = atoi(argv[2]);
	REQUIRE(rounds > 0);
	REQUIRE(pthread_barrier_init(&together, NULL, THREADS) == 0);
	OK(cuInit(0));
	OK(cuCtxCreate(&shared_context, 0, 0));
	for (i = 0; i < THREADS; i++)
		REQUIRE(pthread_create(&threads[i], NULL, body, (void *)(intptr_t)i) == 0);
	for (i = 0; i < THREADS; i++)
		REQUIRE(pthread_join(threads[i], NULL) == 0);
	OK(cuMemGetInfo(&left, &all));
	REQUIRE(left == all);
	fprintf(stderr, "soak: %d rounds, %ld MiB after a quarter, %ld MiB in the end\n", rounds, settled, resident());
	if (rounds >= MANY)
		REQUIRE(resident() <= settled + SLACK);
	OK(cuCtxDestroy(shared_context));
	return passed();
}
