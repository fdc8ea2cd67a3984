// A barrier orders the threads of a block alone. Blocks that read what other blocks write are not
// ordered by it.
// output: done
#include "../lab.h"

__global__ void shift(int *a, int *out) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	a[i] = i; // finding a: race read-write global
	__syncthreads();
	out[i] = a[(i + 64) % 256]; // with a
}

int main() {
	int *a, *out;
	CHECK(cudaMalloc(&a, 256 * sizeof(int)));
	CHECK(cudaMalloc(&out, 256 * sizeof(int)));
	CHECK(cudaMemset(a, 0, 256 * sizeof(int)));
	shift<<<4, 64>>>(a, out);
	CHECK(cudaDeviceSynchronize());
	CHECK(cudaFree(out));
	CHECK(cudaFree(a));
	puts("done");
	return 0;
}
