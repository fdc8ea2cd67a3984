// The rounds of a sum have no barrier: in the second round, warps 0 and 1 read what warps 2 and 3
// write in the first.
// output: done
#include "../lab.h"

__global__ void sum(const int *a, int *out) {
	__shared__ int s[256];
	int t = threadIdx.x;
	s[t] = a[t];
	__syncthreads();
	for (int n = 128; n >= 32; n /= 2)
		if (t < n)
			s[t] += s[t + n]; // finding: race read-write shared
	__syncthreads();
	if (t < 32)
		out[t] = s[t];
}

int main() {
	int *a, *out;
	CHECK(cudaMalloc(&a, 256 * sizeof(int)));
	CHECK(cudaMalloc(&out, 32 * sizeof(int)));
	CHECK(cudaMemset(a, 0, 256 * sizeof(int)));
	sum<<<1, 256>>>(a, out);
	CHECK(cudaDeviceSynchronize());
	CHECK(cudaFree(out));
	CHECK(cudaFree(a));
	puts("done");
	return 0;
}
