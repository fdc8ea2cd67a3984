/* 32 threads make calls at once: first each with its own context, then all with one. */
#include <cuda.h>
#include <pthread.h>
#include <stdint.h>

#include "check.h"

#define THREADS 32
#define N 640 /* elements of a vector, blocks of 64 */
#define ROUNDS 4

static const char *cubin;
static CUcontext shared_context;

/* work adds two vectors in the current context. Each thread has its own numbers. */
static void work(int id)
{
	struct {
		uint32_t a, b, c, n;
	} params;
	size_t size = sizeof params;
	void *extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, &params, CU_LAUNCH_PARAM_BUFFER_SIZE, &size, CU_LAUNCH_PARAM_END};
	float a[N], b[N], c[N];
	CUmodule module;
	CUfunction kernel;
	CUdeviceptr da, db, dc;
	int i, round;

	OK(cuModuleLoad(&module, cubin));
	OK(cuModuleGetFunction(&kernel, module, "vecadd"));
	OK(cuMemAlloc(&da, sizeof a));
	OK(cuMemAlloc(&db, sizeof b));
	OK(cuMemAlloc(&dc, sizeof c));
	for (round = 0; round < ROUNDS; round++) {
		for (i = 0; i < N; i++) {
			a[i] = (float)(i * id);
			b[i] = (float)(round + id);
		}
		OK(cuMemcpyHtoD(da, a, sizeof a));
		OK(cuMemcpyHtoD(db, b, sizeof b));
		params.a = (uint32_t)da;
		params.b = (uint32_t)db;
		params.c = (uint32_t)dc;
		params.n = N;
		OK(cuLaunchKernel(kernel, N / 64, 1, 1, 64, 1, 1, 0, NULL, NULL, extra));
		OK(cuMemcpyDtoH(c, dc, sizeof c));
		for (i = 0; i < N; i++)
			REQUIRE(c[i] == a[i] + b[i]);
	}
	OK(cuMemFree(da));
	OK(cuMemFree(db));
	OK(cuMemFree(dc));
	OK(cuModuleUnload(module));
}

static void *own_context(void *arg)
{
	CUcontext context;

	OK(cuInit(0));
	OK(cuCtxCreate(&context, 0, 0));
	work((int)(intptr_t)arg);
	OK(cuCtxDestroy(context));
	return NULL;
}

static void *one_context(void *arg)
{
	CUcontext current;

	OK(cuCtxGetCurrent(&current));
	REQUIRE(current == NULL);
	OK(cuCtxSetCurrent(shared_context));
	work((int)(intptr_t)arg);
	return NULL; /* the context is still current, and must survive the thread's end */
}

static void run(void *(*body)(void *))
{
	pthread_t threads[THREADS];
	int i;

	for (i = 0; i < THREADS; i++)
		REQUIRE(pthread_create(&threads[i], NULL, body, (void *)(intptr_t)i) == 0);
	for (i = 0; i < THREADS; i++)
		REQUIRE(pthread_join(threads[i], NULL) == 0);
}

int main(int argc, char **argv)
{
	REQUIRE(argc == 2);
	cubin = argv[1];
	run(own_context);
	OK(cuCtxCreate(&shared_context, 0, 0));
	run(one_context);
	OK(cuCtxSynchronize());
	OK(cuCtxDestroy(shared_context));
	return passed();
}
