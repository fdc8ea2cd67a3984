// Warp 0 comes to two barriers and warp 1 to the second alone: warp 0 waits at the first while warp
// 1 waits at the second.
// output: done
#include "../lab.h"

__global__ void half(int *a, int *b) {
	int t = threadIdx.x;
	if (t < 32) {
		a[t] = t;
		__syncthreads(); // finding a: sync different
		a[t] += b[t];
	}
	b[t] = 2 * b[t] + t;
	__syncthreads(); // with a
	a[t] += 5;
}

int main() {
	int *a;
	CHECK(cudaMalloc(&a, 128 * sizeof(int)));
	CHECK(cudaMemset(a, 0, 128 * sizeof(int)));
	half<<<1, 64>>>(a, a + 64);
	CHECK(cudaDeviceSynchronize());
	CHECK(cudaFree(a));
	puts("done");
	return 0;
}
