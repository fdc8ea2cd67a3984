// Threads set their bits of a word by atomicOr: right.
// output: ffffffff
// no finding
#include "../lab.h"

__global__ void ballot(const int *a, unsigned *out) {
	__shared__ unsigned bits;
	int t = threadIdx.x;
	if (t == 0)
		bits = 0;
	__syncthreads();
	if (a[t] == 0)
		atomicOr(&bits, 1u << t % 32);
	__syncthreads();
	if (t == 0)
		*out = bits;
}

int main() {
	int *a;
	unsigned *out, h;
	CHECK(cudaMalloc(&a, 64 * sizeof(int)));
	CHECK(cudaMalloc(&out, sizeof(unsigned)));
	CHECK(cudaMemset(a, 0, 64 * sizeof(int)));
	ballot<<<1, 64>>>(a, out);
	CHECK(cudaMemcpy(&h, out, sizeof h, cudaMemcpyDeviceToHost));
	CHECK(cudaFree(out));
	CHECK(cudaFree(a));
	printf("%x\n", h);
	return 0;
}
