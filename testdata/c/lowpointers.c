/* Pointers into the first page on many threads, while others keep the garbage collector at work. Each
 * call must answer an invalid value. argv: a PTX file. */
#include <pthread.h>
#include <stdint.h>

#include <cuda.h>

#include "check.h"

enum { THREADS = 8, ROUNDS = 10, LOADS = 3, CALLS = 60 };

static char text[1 << 16];
static CUcontext context;

static void load(void)
{
	CUmodule module;
	EXPECT(CUDA_SUCCESS, cuModuleLoadData(&module, text));
	EXPECT(CUDA_SUCCESS, cuModuleUnload(module));
}

static void *ask(void *unused)
{
	static volatile uintptr_t low[] = {1, 16, 4095};
	int i, k;

	(void)unused;
	EXPECT(CUDA_SUCCESS, cuCtxSetCurrent(context));
	for (i = 0; i < LOADS; i++) {
		load();
		for (k = 0; k < CALLS; k++) {
			void *p = (void *)low[k % 3];
			EXPECT(CUDA_ERROR_INVALID_VALUE, cuMemGetInfo((size_t *)p, (size_t *)p));
			EXPECT(CUDA_ERROR_INVALID_VALUE, cuCtxGetStreamPriorityRange((int *)p, (int *)p));
			EXPECT(CUDA_ERROR_INVALID_VALUE, cuMemAlloc((CUdeviceptr *)p, 4));
			EXPECT(CUDA_ERROR_INVALID_VALUE, cuMemcpyDtoH(p, 0, 4));
			/* Bindings pass such addresses for empty lists. */
			EXPECT(CUDA_SUCCESS, cuMemcpyDtoH(p, 0, 0));
		}
	}
	return NULL;
}

int main(int argc, char **argv)
{
	pthread_t threads[THREADS];
	FILE *f = argc > 1 ? fopen(argv[1], "rb") : NULL;
	int i, round;

	if (!f || fread(text, 1, sizeof text - 1, f) == 0)
		return 1;
	fclose(f);
	EXPECT(CUDA_SUCCESS, cuInit(0));
	EXPECT(CUDA_SUCCESS, cuCtxCreate(&context, 0, 0));
	for (round = 0; round < ROUNDS; round++) {
		for (i = 0; i < THREADS; i++)
			pthread_create(&threads[i], NULL, ask, NULL);
		for (i = 0; i < THREADS; i++)
			pthread_join(threads[i], NULL);
	}
	return passed();
}
