// Adds two vectors: one thread for each element, and a last block that is not full.
#include <stdio.h>
#include <stdlib.h>

#include <cuda_runtime.h>

__global__ void add(const float *a, const float *b, float *sum, int n) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n) { // the grid has more threads than the vectors have elements
		sum[i] = a[i] + b[i];
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
	const int n = 10000, bytes = n * sizeof(float), threads = 256;
	float *a = (float *)malloc(bytes), *b = (float *)malloc(bytes), *sum = (float *)malloc(bytes);
	for (int i = 0; i < n; i++) {
		a[i] = i;
		b[i] = 0.5f * i;
	}

	// The device has a memory of its own: inputs are copied there, results back.
	float *deviceA, *deviceB, *deviceSum;
	check(cudaMalloc(&deviceA, bytes), "cudaMalloc");
	check(cudaMalloc(&deviceB, bytes), "cudaMalloc");
	check(cudaMalloc(&deviceSum, bytes), "cudaMalloc");
	check(cudaMemcpy(deviceA, a, bytes, cudaMemcpyHostToDevice), "copy of a");
	check(cudaMemcpy(deviceB, b, bytes, cudaMemcpyHostToDevice), "copy of b");

	// Enough blocks for all elements. A launch returns no error: cudaGetLastError has it.
	add<<<(n + threads - 1) / threads, threads>>>(deviceA, deviceB, deviceSum, n);
	check(cudaGetLastError(), "launch");
	check(cudaMemcpy(sum, deviceSum, bytes, cudaMemcpyDeviceToHost), "copy of the sum");

	for (int i = 0; i < n; i++) {
		if (sum[i] != a[i] + b[i]) {
			printf("element %d: %g + %g gave %g\nFAILED\n", i, a[i], b[i], sum[i]);
			return 1;
		}
	}
	cudaFree(deviceA);
	cudaFree(deviceB);
	cudaFree(deviceSum);
	free(a);
	free(b);
	free(sum);
	printf("%d sums\nPASSED\n", n);
	return 0;
}
