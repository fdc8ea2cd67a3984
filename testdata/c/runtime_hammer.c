/* Eight threads call everything at once: memory, copies, launches, symbols, textures, streams; images
   come and go, and one thread resets the device now and then. No call crashes or hangs, and afterwards
   the library works. */
#include <pthread.h>

#include "runtime_check.h"

#define THREADS 8

static int rounds;

/* A result counts only in threads whose context nobody resets. */
static int alone(cudaError_t error) { return CUDART_VERSION < 4000 && error == cudaSuccess; }

static void *work(void *argument)
{
	int id = (int)(intptr_t)argument, i;
	struct cudaChannelFormatDesc d = {32, 0, 0, 0, cudaChannelFormatKindFloat};
	unsigned words[64];

	for (i = 0; i < rounds; i++) {
		unsigned *p = NULL, value = (unsigned)(id * 1000 + i);
		cudaStream_t s = 0;
		cudaEvent_t e = 0;
		cudaArray_t a = NULL;
		size_t offset;

		cudaMalloc((void **)&p, sizeof words);
		cudaStreamCreate(&s);
		cudaEventCreate(&e);
		cudaMallocArray(&a, &d, 8, 8, 0);
		launch_fill(p, value, 1, 64, s);
		cudaEventRecord(e, s);
		cudaStreamSynchronize(s);
		if (alone(cudaMemcpy(words, p, sizeof words, cudaMemcpyDeviceToHost)))
			REQUIRE(words[0] == value && words[63] == value + 63);
		cudaMemcpyToArray(a, 0, 0, words, sizeof words, cudaMemcpyHostToDevice);
		cudaBindTexture(&offset, &line, p, &d, sizeof words);
		cudaUnbindTexture(&line);
		launch_bump();
		cudaMemcpyFromSymbol(words, &counter, 16, 0, cudaMemcpyDeviceToHost);
		cudaEventDestroy(e);
		cudaStreamDestroy(s);
		cudaFreeArray(a);
		cudaFree(p);
		if (id % 2 == 0) {
			struct code *code = malloc(sizeof *code);
			static char kernels_of[THREADS];
			void **handle = register_code(code, kernels);

			register_kernel(handle, &kernels_of[id], "bump");
			cudaConfigureCall(shape(1, 1, 1), shape(1, 1, 1), 0, 0);
			cudaLaunch(&kernels_of[id]);
			synchronize();
			__cudaUnregisterFatBinary(handle);
			free(code);
		}
		if (id == 1 && i % 10 == 9)
			leave();
		cudaGetLastError();
	}
	return NULL;
}

int main(int argc, char **argv)
{
	pthread_t threads[THREADS];
	unsigned *p, word;
	int i;

	REQUIRE(argc == 2);
	rounds = atoi(argv[1]);
	for (i = 0; i < THREADS; i++)
		REQUIRE(pthread_create(&threads[i], NULL, work, (void *)(intptr_t)i) == 0);
	for (i = 0; i < THREADS; i++)
		REQUIRE(pthread_join(threads[i], NULL) == 0);
	leave();
	cudaGetLastError();
	OK(cudaMalloc((void **)&p, 256));
	OK(launch_fill(p, 9, 1, 64, 0));
	OK(cudaMemcpy(&word, p + 63, 4, cudaMemcpyDeviceToHost));
	REQUIRE(word == 72);
	OK(launch_bump());
	OK(cudaFree(p));
	return passed();
}
