// Half of each warp comes to the barrier: the other lanes go around it, to the end of the kernel.
// output: done
#include "../lab.h"

__global__ void half(int *a, int *b) {
	int t = threadIdx.x;
	if (t % 32 < 16) {
		a[t] = t;
		__syncthreads(); // finding: sync divergent
		a[t] += b[t];
	}
	b[t] = 2 * b[t] + t;
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
