// Sorts numbers by a bitonic network: a fixed sequence of comparisons, so all threads do the same.
// Comparisons within a block need barriers; those between blocks need launches of their own.
#include <algorithm>
#include <stdio.h>
#include <stdlib.h>

#include <cuda_runtime.h>

const int block = 256; // numbers that a block of block / 2 threads sorts

// order puts the pair that belongs to comparison i of a step into order. Runs of length size are
// merged, partners are distance apart; runs go up and down in turn.
__device__ void order(unsigned int *v, int i, int size, int distance, int place) {
	int low = 2 * i - (i & (distance - 1)), high = low + distance;
	bool up = ((place + low) & size) == 0;
	unsigned int a = v[low], b = v[high];
	if ((a > b) == up) {
		v[low] = b;
		v[high] = a;
	}
}

// Steps of one merge whose partners are in different blocks.
__global__ void far(unsigned int *v, int size, int distance) {
	order(v, blockIdx.x * blockDim.x + threadIdx.x, size, distance, 0);
}

// All other steps, of merges of runs from first to last.
__global__ void near(unsigned int *v, int first, int last) {
	__shared__ unsigned int part[block];
	int i = threadIdx.x, place = blockIdx.x * block;
	part[i] = v[place + i];
	part[i + block / 2] = v[place + i + block / 2];
	for (int size = first; size <= last; size *= 2) {
		for (int distance = min(size, block) / 2; distance > 0; distance /= 2) {
			__syncthreads();
			order(part, i, size, distance, place);
		}
	}
	__syncthreads();
	v[place + i] = part[i];
	v[place + i + block / 2] = part[i + block / 2];
}

// check ends the program if a call of the runtime has failed.
static void check(cudaError_t result, const char *what) {
	if (result != cudaSuccess) {
		printf("%s: %s\nFAILED\n", what, cudaGetErrorString(result));
		exit(1);
	}
}

int main() {
	const int n = 4096;
	static unsigned int want[n], got[n];
	unsigned int *device, seed = 1;
	for (int i = 0; i < n; i++) {
		want[i] = seed = seed * 1664525 + 1013904223;
	}
	check(cudaMalloc(&device, sizeof want), "cudaMalloc");
	check(cudaMemcpy(device, want, sizeof want, cudaMemcpyHostToDevice), "copy to the device");
	near<<<n / block, block / 2>>>(device, 2, block);
	for (int size = 2 * block; size <= n; size *= 2) {
		for (int distance = size / 2; distance >= block; distance /= 2) {
			far<<<n / block, block / 2>>>(device, size, distance);
		}
		near<<<n / block, block / 2>>>(device, size, size);
	}
	check(cudaGetLastError(), "launch");
	check(cudaMemcpy(got, device, sizeof got, cudaMemcpyDeviceToHost), "copy to the host");

	std::sort(want, want + n);
	bool sorted = std::equal(want, want + n, got);
	printf("%d numbers from %u to %u\n", n, got[0], got[n - 1]);
	printf(sorted ? "PASSED\n" : "FAILED\n");
	return !sorted;
}
