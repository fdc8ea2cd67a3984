/* The last error, errors that stay, and life after the context's end. */
#include <pthread.h>

#include "runtime_check.h"

static void *other_thread(void *want)
{
	EXPECT((int)(intptr_t)want, cudaGetLastError());
	EXPECT(cudaErrorInvalidValue, cudaMalloc(NULL, 4));
	EXPECT(cudaErrorInvalidValue, cudaGetLastError());
	return NULL;
}

static void in_thread(void *(*body)(void *), void *argument)
{
	pthread_t thread;

	REQUIRE(pthread_create(&thread, NULL, body, argument) == 0);
	REQUIRE(pthread_join(thread, NULL) == 0);
}

static void last(void)
{
	int device;

	OK(cudaGetLastError());
	EXPECT(cudaErrorInvalidValue, cudaMalloc(NULL, 4));
	OK(cudaFree(NULL)); /* a good call keeps the error */
	OK(cudaGetDevice(&device));
#if CUDART_VERSION >= 3020
	EXPECT(cudaErrorInvalidValue, cudaPeekAtLastError());
	EXPECT(cudaErrorInvalidValue, cudaPeekAtLastError());
#endif
	in_thread(other_thread, (void *)(intptr_t)cudaSuccess); /* each thread has its own */
	EXPECT(cudaErrorInvalidValue, cudaGetLastError());
	OK(cudaGetLastError());
	EXPECT(cudaErrorInvalidValue, cudaMalloc(NULL, 4)); /* the last one counts */
	EXPECT(cudaErrorInvalidDevice, cudaSetDevice(1000));
	EXPECT(cudaErrorInvalidDevice, cudaGetLastError());
	EXPECT(cudaErrorInvalidDevice, cudaSetDevice(-1));
	EXPECT(cudaErrorInvalidDevice, cudaGetLastError());
}

static void texts(void)
{
	int i;

	for (i = -1; i < 128; i++) {
		const char *text = cudaGetErrorString((cudaError_t)i);

		REQUIRE(text != NULL && text[0] != 0);
	}
	REQUIRE(strcmp(cudaGetErrorString(cudaSuccess), "no error") == 0);
	REQUIRE(strcmp(cudaGetErrorString(cudaErrorMemoryAllocation), cudaGetErrorString(cudaErrorInvalidValue)) != 0);
#if CUDART_VERSION >= 6000
	REQUIRE(strcmp(cudaGetErrorName(cudaErrorInvalidValue), "cudaErrorInvalidValue") == 0);
#endif
}

static void *after_reset(void *unused)
{
	unsigned *p, word;

	(void)unused;
	OK(cudaMalloc((void **)&p, 256));
	OK(launch_fill(p, 3, 1, 32, 0));
	OK(cudaMemcpy(&word, p + 31, 4, cudaMemcpyDeviceToHost));
	REQUIRE(word == 34);
	OK(launch_bump());
	OK(cudaFree(p));
	return NULL;
}

/* A kernel that faults spoils the context, until that ends. */
static void sticky(void)
{
	unsigned *p, word, counts[4];
#if CUDART_VERSION >= 2020
	struct cudaFuncAttributes attributes;
#endif
#if CUDART_VERSION >= 4000
	struct cudaPointerAttributes whose;
#endif
	cudaError_t error;
	int round;

	for (round = 0; round < 2; round++) {
		OK(cudaMalloc((void **)&p, 256));
		OK(cudaConfigureCall(shape(1, 1, 1), shape(1, 1, 1), 0, 0));
		cudaLaunch(&wild);
		error = synchronize();
		REQUIRE(error == cudaErrorLaunchFailure || (CUDART_VERSION >= 6000 && error == cudaErrorIllegalAddress));
		EXPECT(error, cudaMemcpy(&word, p, 4, cudaMemcpyDeviceToHost));
		EXPECT(error, cudaGetLastError());
		EXPECT(error, cudaMalloc((void **)&p, 4));
		EXPECT(error, cudaGetLastError());
		EXPECT(error, cudaFree(p));
#if CUDART_VERSION >= 4000
		EXPECT(error, cudaMemcpy(p, &word, 4, cudaMemcpyDefault)); /* into no memory of the program */
		EXPECT(error, cudaPointerGetAttributes(&whose, p));
#endif
#if CUDART_VERSION >= 2020
		EXPECT(error, cudaFuncGetAttributes(&attributes, (void *)&fill));
#endif
		REQUIRE(launch_fill(p, 1, 1, 1, 0) != cudaSuccess);
		REQUIRE(cudaGetLastError() != cudaSuccess);
		leave();
		cudaGetLastError();
		after_reset(NULL);
		OK(cudaMemcpyFromSymbol(counts, &counter, 16, 0, cudaMemcpyDeviceToHost));
		REQUIRE(counts[0] == 11 && counts[1] == 20); /* variables begin anew */
	}
}

static pthread_barrier_t barrier;

/* A thread that worked before the reset goes on after it. */
static void *across(void *unused)
{
	unsigned *p;

	(void)unused;
	after_reset(NULL);
	OK(cudaMalloc((void **)&p, 256));
	pthread_barrier_wait(&barrier);
	pthread_barrier_wait(&barrier); /* the main thread resets */
	if (CUDART_VERSION >= 4000)
		EXPECT(cudaErrorInvalidDevicePointer, cudaFree(p));
	else
		OK(cudaFree(p)); /* its context is its own */
	cudaGetLastError();
	after_reset(NULL);
	return NULL;
}

static void reset(void)
{
	pthread_t thread;
	unsigned *p;

	OK(leave());
	OK(leave()); /* without a context */
	OK(cudaMalloc((void **)&p, 256));
	REQUIRE(pthread_barrier_init(&barrier, NULL, 2) == 0);
	REQUIRE(pthread_create(&thread, NULL, across, NULL) == 0);
	pthread_barrier_wait(&barrier);
	OK(leave());
	pthread_barrier_wait(&barrier);
	REQUIRE(pthread_join(thread, NULL) == 0);
	after_reset(NULL);
	in_thread(after_reset, NULL);
	OK(cudaThreadExit());
	after_reset(NULL);
}

#if CUDART_VERSION >= 10000
/* Attributes of release 8.0 and later ones agree with the properties. */
static void later_attributes(void)
{
	static const struct cudaUUID_st none;
	struct cudaDeviceProp p;
	int i, value;

	OK(cudaGetDeviceProperties(&p, 0));
	REQUIRE(memcmp(&p.uuid, &none, sizeof none) != 0);
	OK(cudaDeviceGetAttribute(&value, cudaDevAttrSingleToDoublePrecisionPerfRatio, 0));
	REQUIRE(value == p.singleToDoublePrecisionPerfRatio && value == 8);
	OK(cudaDeviceGetAttribute(&value, cudaDevAttrMaxSharedMemoryPerBlockOptin, 0));
	REQUIRE(value == (int)p.sharedMemPerBlockOptin && value == 16384);
	OK(cudaDeviceGetAttribute(&value, cudaDevAttrHostRegisterSupported, 0));
	REQUIRE(value == 1);
	OK(cudaDeviceGetAttribute(&value, cudaDevAttrCooperativeLaunch, 0));
	REQUIRE(value == 0);
	for (i = 1; i <= 101; i++)
		if (i != 44) /* there is none */
			OK(cudaDeviceGetAttribute(&value, (enum cudaDeviceAttr)i, 0));
	FAILS(cudaErrorInvalidValue, cudaDeviceGetAttribute(&value, (enum cudaDeviceAttr)102, 0));
	FAILS(cudaErrorInvalidValue, cudaDeviceGetAttribute(NULL, cudaDevAttrCooperativeLaunch, 0));
}
#endif

static void devices(void)
{
	struct cudaDeviceProp p, q;
	int count, device = -1;
#if CUDART_VERSION >= 2020
	int version = 0;
#endif

	OK(cudaGetDeviceCount(&count));
	REQUIRE(count >= 1);
	OK(cudaGetDevice(&device));
	REQUIRE(device == 0);
	memset(&p, 0xee, sizeof p);
	OK(cudaGetDeviceProperties(&p, 0));
	REQUIRE(p.major == 1 && p.warpSize == 32 && p.maxThreadsPerBlock == 512 && p.sharedMemPerBlock == 16384);
#if CUDART_VERSION < 2010 || (CUDART_VERSION >= 3000 && CUDART_VERSION < 4000)
	REQUIRE(((unsigned char *)p.__cudaReserved)[0] == 0xee); /* there a program of 3.0 may have other data */
#endif
	REQUIRE(p.totalGlobalMem > 0 && p.name[0] != 0 && strlen(p.name) < 256 && p.textureAlignment == 256);
	FAILS(cudaErrorInvalidDevice, cudaGetDeviceProperties(&p, count));
	FAILS(cudaErrorInvalidDevice, cudaGetDeviceProperties(&p, -1));
#if CUDART_VERSION >= 10000
	later_attributes();
#endif
	memset(&q, 0, sizeof q);
	device = -1;
	OK(cudaChooseDevice(&device, &q));
	REQUIRE(device == 0);
#if CUDART_VERSION >= 2020
	OK(cudaDriverGetVersion(&version));
	REQUIRE(version >= CUDART_VERSION || CUDART_VERSION > 6050);
	OK(cudaRuntimeGetVersion(&version));
	REQUIRE(version == CUDART_VERSION);
	OK(cudaSetValidDevices(NULL, 0));
	device = 0;
	OK(cudaSetValidDevices(&device, 1));
#endif
}

int main(void)
{
	devices();
	last();
	texts();
	sticky();
	reset();
	return passed();
}
