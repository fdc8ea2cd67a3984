// Odd lanes come to the barrier once more than even lanes of their warp.
// output: done
#include "../lab.h"

__global__ void rounds(int *a) {
	int t = threadIdx.x, sum = 0;
	for (int i = 0; i <= t % 2; i++) {
		sum += a[t + i];
		__syncthreads(); // finding: sync divergent
	}
	a[128 + t] = sum;
}

int main() {
	int *a;
	CHECK(cudaMalloc(&a, 192 * sizeof(int)));
	CHECK(cudaMemset(a, 0, 192 * sizeof(int)));
	rounds<<<1, 64>>>(a);
	CHECK(cudaDeviceSynchronize());
	CHECK(cudaFree(a));
	puts("done");
	return 0;
}
