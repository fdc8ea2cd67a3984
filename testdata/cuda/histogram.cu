// Counts the bytes of a text. Atomic operations keep threads from losing each other's counts; each
// block counts in its own shared memory first, so that fewer threads meet in global memory.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cuda_runtime.h>

const int bins = 256;

__global__ void countBytes(const unsigned char *text, int n, unsigned int *total) {
	__shared__ unsigned int mine[bins];
	for (int b = threadIdx.x; b < bins; b += blockDim.x) {
		mine[b] = 0;
	}
	__syncthreads();
	// The threads of all blocks walk over the text in steps of the whole grid: neighbours read
	// neighbouring bytes, and a text of any length will do.
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
		atomicAdd(&mine[text[i]], 1);
	}
	__syncthreads();
	for (int b = threadIdx.x; b < bins; b += blockDim.x) {
		if (mine[b] > 0) {
			atomicAdd(&total[b], mine[b]);
		}
	}
}

// check ends the program if a call of the runtime has failed.
static void check(cudaError_t result, const char *what) {
	if (result != cudaSuccess) {
		printf("%s: %s\nFAILED\n", what, cudaGetErrorString(result));
		exit(1);
	}
}

int main() {
	const int n = 50000;
	static unsigned char text[n];
	unsigned int want[bins] = {0}, got[bins], seed = 1;
	for (int i = 0; i < n; i++) {
		seed = seed * 1664525 + 1013904223;
		text[i] = 'a' + (seed >> 28) * (seed >> 20 & 1); // some bytes are much more frequent
		want[text[i]]++;
	}

	unsigned char *deviceText;
	unsigned int *counts;
	check(cudaMalloc(&deviceText, n), "cudaMalloc");
	check(cudaMalloc(&counts, sizeof got), "cudaMalloc");
	check(cudaMemcpy(deviceText, text, n, cudaMemcpyHostToDevice), "copy of the text");
	check(cudaMemset(counts, 0, sizeof got), "cudaMemset");
	countBytes<<<8, 128>>>(deviceText, n, counts);
	check(cudaGetLastError(), "launch");
	check(cudaMemcpy(got, counts, sizeof got, cudaMemcpyDeviceToHost), "copy of the counts");
	cudaFree(deviceText);
	cudaFree(counts);

	for (int b = 'a'; b < 'a' + 16; b++) {
		printf("%c %5u ", b, got[b]);
		for (unsigned int k = 0; k < got[b]; k += 500) {
			putchar('#');
		}
		putchar('\n');
	}
	if (memcmp(got, want, sizeof got) != 0) {
		printf("the host counts otherwise\nFAILED\n");
		return 1;
	}
	printf("PASSED\n");
	return 0;
}
