// Threads set their bits of one word by reading, changing and writing it: all bits but one get
// lost.
// output: done
#include "../lab.h"

__global__ void ballot(const int *a, unsigned *out) {
	__shared__ unsigned bits;
	int t = threadIdx.x;
	if (t == 0)
		bits = 0;
	__syncthreads();
	if (a[t] == 0)
		bits |= 1u << t; // finding: race write-write shared
	__syncthreads();
	if (t == 0)
		*out = bits;
}

int main() {
	int *a;
	unsigned *out;
	CHECK(cudaMalloc(&a, 32 * sizeof(int)));
	CHECK(cudaMalloc(&out, sizeof(unsigned)));
	CHECK(cudaMemset(a, 0, 32 * sizeof(int)));
	ballot<<<1, 32>>>(a, out);
	CHECK(cudaDeviceSynchronize());
	CHECK(cudaFree(out));
	CHECK(cudaFree(a));
	puts("done");
	return 0;
}
