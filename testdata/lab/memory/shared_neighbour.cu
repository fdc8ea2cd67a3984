// Two shared arrays of 32 elements: element 32 of one is beyond its end, even where the other array
// begins.
// output: done
#include "../lab.h"

__global__ void fill(int *out, int n) {
	__shared__ int s[32], t[32];
	for (int i = threadIdx.x; i <= n; i += 32)
		s[i] = i; // finding: memory out-of-bounds shared
	__syncthreads();
	t[threadIdx.x] = s[31 - threadIdx.x];
	__syncthreads();
	out[threadIdx.x] = t[31 - threadIdx.x];
}

int main() {
	int *out;
	CHECK(cudaMalloc(&out, 32 * sizeof(int)));
	fill<<<1, 32>>>(out, 32);
	CHECK(cudaDeviceSynchronize());
	CHECK(cudaFree(out));
	puts("done");
	return 0;
}
