// The tail without barriers begins with 64 threads instead of 32: warp 0 reads what warp 1 writes.
// output: done
#include "../lab.h"

__global__ void sum(const int *a, int *out) {
	__shared__ int s[128];
	int t = threadIdx.x;
	s[t] = a[t];
	__syncthreads();
	if (t < 64) {
		volatile int *v = s;
		v[t] = v[t] + v[t + 64]; // finding a: race read-write shared
		if (t < 32)
			v[t] = v[t] + v[t + 32]; // with a
	}
	__syncthreads();
	if (t < 32)
		out[t] = s[t];
}

int main() {
	int *a, *out;
	CHECK(cudaMalloc(&a, 128 * sizeof(int)));
	CHECK(cudaMalloc(&out, 32 * sizeof(int)));
	CHECK(cudaMemset(a, 0, 128 * sizeof(int)));
	sum<<<1, 128>>>(a, out);
	CHECK(cudaDeviceSynchronize());
	CHECK(cudaFree(out));
	CHECK(cudaFree(a));
	puts("done");
	return 0;
}
