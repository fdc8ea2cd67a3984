// The barrier stands in a branch that a whole block takes or does not take: right.
// output: 31
// no finding
#include "../lab.h"

__global__ void reverse(int *a) {
	__shared__ int s[64];
	int t = threadIdx.x;
	if (blockIdx.x % 2 == 1) {
		s[t] = t;
		__syncthreads();
		a[blockIdx.x * 64 + t] = s[63 - t];
	}
}

int main() {
	int *a, h;
	CHECK(cudaMalloc(&a, 256 * sizeof(int)));
	reverse<<<4, 64>>>(a);
	CHECK(cudaMemcpy(&h, a + 64 + 32, sizeof(int), cudaMemcpyDeviceToHost));
	CHECK(cudaFree(a));
	printf("%d\n", h);
	return 0;
}
