// The thread that should write the number of rounds does not exist: the block has 64 threads, and
// the number is left to thread 64.
// output: done
#include "../lab.h"

__global__ void rounds(int *out, int writer) {
	__shared__ int n;
	int t = threadIdx.x, sum = 0;
	if (t == writer)
		n = 8;
	__syncthreads();
	for (int i = 0; i < (n & 15); i++) // finding: init branch shared
		sum += out[i];
	out[16 + t] = sum;
}

int main() {
	int *out;
	CHECK(cudaMalloc(&out, 80 * sizeof(int)));
	CHECK(cudaMemset(out, 0, 80 * sizeof(int)));
	rounds<<<1, 64>>>(out, 64);
	CHECK(cudaDeviceSynchronize());
	CHECK(cudaFree(out));
	puts("done");
	return 0;
}
