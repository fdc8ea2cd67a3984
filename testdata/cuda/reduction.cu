// Sums an array in three ways, which differ in which threads of a block add. The sum is the same;
// how the lanes of a warp part, and how banks conflict, is not: see jacquard exec --stats.
#include <stdio.h>
#include <stdlib.h>

#include <cuda_runtime.h>

const int threads = 128;

// Each block sums its part of the array into one word. At each step half of the threads add.
template <int way>
__global__ void sum(const int *in, int *out) {
	__shared__ int part[threads];
	int i = threadIdx.x;
	part[i] = in[blockIdx.x * threads + i];
	for (int step = 1; step < threads; step *= 2) {
		__syncthreads(); // every word is there before any is read
		if (way == 0) {
			// Every second thread of those left: all warps keep running, half empty.
			if (i % (2 * step) == 0) {
				part[i] += part[i + step];
			}
		} else if (way == 1) {
			// The first threads, so that whole warps have nothing to do. But their words are 2, 4,
			// 8 words apart and compete for the banks of shared memory.
			int at = 2 * step * i;
			if (at < threads) {
				part[at] += part[at + step];
			}
		} else {
			// The first threads add neighbouring words: no bank is asked twice.
			int half = threads / 2 / step;
			if (i < half) {
				part[i] += part[i + half];
			}
		}
	}
	if (i == 0) {
		out[blockIdx.x] = part[0];
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
	const int blocks = 64, n = blocks * threads;
	int *in, *out, host[n], sums[blocks], want = 0;
	for (int i = 0; i < n; i++) {
		want += host[i] = i * 7 % 101 - 50;
	}
	check(cudaMalloc(&in, sizeof host), "cudaMalloc");
	check(cudaMalloc(&out, sizeof sums), "cudaMalloc");
	check(cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice), "copy to the device");
	void (*const ways[])(const int *, int *) = {sum<0>, sum<1>, sum<2>};
	for (int w = 0; w < 3; w++) {
		ways[w]<<<blocks, threads>>>(in, out);
		check(cudaMemcpy(sums, out, sizeof sums, cudaMemcpyDeviceToHost), "copy to the host");
		int total = 0;
		for (int b = 0; b < blocks; b++) {
			total += sums[b];
		}
		printf("way %d: %d\n", w, total);
		if (total != want) {
			printf("the host's sum is %d\nFAILED\n", want);
			return 1;
		}
	}
	printf("PASSED\n");
	return 0;
}
