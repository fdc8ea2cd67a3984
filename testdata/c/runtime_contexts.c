/* The runtime beside the driver's own calls, and in several threads. */
#include <cuda.h>
#include <pthread.h>

#undef CUDA_SUCCESS
#include "runtime_check.h"

#define THREADS 8

static CUcontext current(void)
{
	CUcontext c = NULL;

	OK(cuCtxGetCurrent(&c));
	return c;
}

static unsigned count(void)
{
	unsigned n;

	OK(cudaMemcpyFromSymbol(&n, &counter, 4, 0, cudaMemcpyDeviceToHost));
	return n;
}

/* The runtime works in the context that the program made current. */
static void own_contexts(void)
{
	CUcontext a, b, popped;
	void *p, *q;
	int device;

	OK(cuInit(0));
	OK(cuCtxCreate(&a, 0, 0));
	OK(cudaMalloc(&p, 100));
	OK(launch_bump());
	REQUIRE(count() == 11 && current() == a);
	OK(cudaGetDevice(&device));
	REQUIRE(device == 0);
	OK(cuCtxCreate(&b, 0, 0)); /* above a */
	OK(launch_bump());
	OK(launch_bump());
	REQUIRE(count() == 12 && current() == b);
	OK(cudaMalloc(&q, 100));
	OK(cuMemFree((CUdeviceptr)(uintptr_t)q));
	OK(cuCtxPopCurrent(&popped));
	REQUIRE(popped == b && current() == a && count() == 11);
	OK(launch_bump());
	OK(cuCtxPushCurrent(b));
	REQUIRE(count() == 12);
	OK(cuCtxPopCurrent(&popped));
	REQUIRE(count() == 12);
	OK(cuCtxDestroy(b));
	OK(cudaFree(p));
	OK(cuCtxPopCurrent(&popped));

	/* Without one of the program's, the runtime makes its own, which leaves the program's alone. */
	REQUIRE(current() == NULL);
	REQUIRE(count() == 10 && current() != NULL && current() != a);
	OK(launch_bump());
	OK(leave());
	OK(cuCtxPushCurrent(a));
	REQUIRE(count() == 12);
	OK(cuCtxDestroy(a));
	REQUIRE(count() == 10);
	OK(leave());
}

/* A new context may have the handle of one that is gone. */
static void many_contexts(void)
{
	int i;

	for (i = 0; i < 20; i++) {
		CUcontext c;

		OK(cuCtxCreate(&c, 0, 0));
		OK(launch_bump());
		REQUIRE(count() == 11);
		OK(cuCtxDestroy(c));
	}
}

/* After a context, the device may be set to the same. */
static void set_device(void)
{
	void *p;

	OK(cudaMalloc(&p, 100));
	OK(cudaSetDevice(0));
	OK(cudaFree(p));
#if CUDART_VERSION >= 2020 && CUDART_VERSION < 4000
	FAILS(cudaErrorSetOnActiveProcess, cudaSetDeviceFlags(cudaDeviceMapHost));
#endif
	OK(leave());
#if CUDART_VERSION >= 2020
	OK(cudaSetDeviceFlags(cudaDeviceMapHost));
#endif
	OK(cudaSetDevice(0));
	OK(cudaMalloc(&p, 100));
	OK(cudaFree(p));
	OK(leave());
}

/* cudaSetDevice leaves the program's own context, whether the runtime has worked there or not. It
   does not leave one that the program makes current later. */
static void leave_contexts(void)
{
	CUcontext a, b;

	OK(cuCtxCreate(&a, 0, 0));
	REQUIRE(count() == 10 && current() == a);
	OK(cudaSetDevice(0));
	REQUIRE(count() == 10 && current() != NULL && current() != a);
#if CUDART_VERSION >= 4000
	OK(cuCtxCreate(&b, 0, 0));
	OK(cudaSetDevice(0));
	OK(cudaSetDevice(0));
	REQUIRE(count() == 10 && current() != NULL && current() != b);
	OK(cuCtxDestroy(b));
#endif
	OK(leave());
	OK(cuCtxDestroy(a));

	OK(cuCtxCreate(&a, 0, 0));
	OK(cudaSetDevice(0));
	OK(cuCtxCreate(&b, 0, 0));
	REQUIRE(count() == 10 && current() == b);
	OK(cuCtxDestroy(b));
	OK(cuCtxDestroy(a));
}

/* Choosing a device once more changes nothing. */
static void other_device(void)
{
	int devices, device, i;
	CUdevice found;

	OK(cudaGetDeviceCount(&devices));
	for (i = 0; i < devices; i++) {
#if CUDART_VERSION < 4000
		OK(leave());
#endif
		OK(cudaSetDevice(i));
		OK(cudaSetDevice(i));
		OK(cudaGetDevice(&device));
		REQUIRE(device == i && count() == 10);
		OK(cuCtxGetDevice(&found));
		REQUIRE(found == i);
	}
	OK(leave());
	OK(cudaSetDevice(0));
	OK(leave());
}

static pthread_barrier_t barrier;

static void *thread(void *argument)
{
	int id = (int)(intptr_t)argument, i;
	unsigned *p, words[256];

	OK(cudaSetDevice(0));
	OK(cudaMalloc((void **)&p, sizeof words));
	for (i = 0; i < 20; i++) {
		unsigned value = (unsigned)(id * 100000 + i);

		OK(launch_fill(p, value, 4, 64, 0));
		OK(cudaMemcpy(words, p, sizeof words, cudaMemcpyDeviceToHost));
		REQUIRE(words[0] == value && words[255] == value + 255);
	}
	pthread_barrier_wait(&barrier);
	for (i = 0; i < THREADS; i++) {
		if (i == id)
			OK(launch_bump());
		OK(synchronize());
		pthread_barrier_wait(&barrier);
	}
	/* Since release 4 threads share the device's context; before, each has its own. */
	REQUIRE(count() == (CUDART_VERSION >= 4000 ? 10 + THREADS : 11));
	return NULL;
}

static void threads(void)
{
	pthread_t t[THREADS];
	int i;

	REQUIRE(pthread_barrier_init(&barrier, NULL, THREADS) == 0);
	for (i = 0; i < THREADS; i++)
		REQUIRE(pthread_create(&t[i], NULL, thread, (void *)(intptr_t)i) == 0);
	for (i = 0; i < THREADS; i++)
		REQUIRE(pthread_join(t[i], NULL) == 0);
	REQUIRE(count() == (CUDART_VERSION >= 4000 ? 10 + THREADS : 10));
	OK(leave());
}

static void *brief(void *unused)
{
	void *p;

	(void)unused;
	OK(cudaMalloc(&p, 1 << 20));
	OK(launch_bump());
	return NULL; /* without cudaThreadExit */
}

/* What a thread's own context held is free when the thread has ended. */
static void many_threads(void)
{
	size_t before, after, all;
	pthread_t t;
	CUcontext c;
	int i;

	OK(cuCtxCreate(&c, 0, 0));
	OK(cuMemGetInfo(&before, &all));
	for (i = 0; i < 50; i++) {
		REQUIRE(pthread_create(&t, NULL, brief, NULL) == 0);
		REQUIRE(pthread_join(t, NULL) == 0);
	}
#if CUDART_VERSION >= 4000
	OK(cudaDeviceReset());
#endif
	OK(cuMemGetInfo(&after, &all));
	REQUIRE(before == after);
	OK(cuCtxDestroy(c));
}

int main(void)
{
	own_contexts();
	many_contexts();
	set_device();
	leave_contexts();
	other_device();
	threads();
	many_threads();
	return passed();
}
