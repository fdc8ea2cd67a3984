// Warp 0 stores and clears the bins of a round while warp 1 may count for the next round already: a
// barrier is missing at the end of the loop.
// output: done
#include "../lab.h"

__global__ void histograms(const int *a, int *out) {
	__shared__ int bins[32];
	int t = threadIdx.x;
	if (t < 32)
		bins[t] = 0;
	__syncthreads();
	for (int round = 0; round < 4; round++) {
		atomicAdd(&bins[a[round * 64 + t] & 31], 1); // finding a: race atomic-plain shared
		__syncthreads();
		if (t < 32) {
			out[round * 32 + t] = bins[t]; // with a
			bins[t] = 0; // with a
		}
	}
}

int main() {
	int *a, *out;
	CHECK(cudaMalloc(&a, 256 * sizeof(int)));
	CHECK(cudaMalloc(&out, 128 * sizeof(int)));
	CHECK(cudaMemset(a, 0, 256 * sizeof(int)));
	histograms<<<1, 64>>>(a, out);
	CHECK(cudaDeviceSynchronize());
	CHECK(cudaFree(out));
	CHECK(cudaFree(a));
	puts("done");
	return 0;
}
