// Both sides of a condition on a parameter have a barrier. All threads take the same side: right.
// output: 63
// no finding
#include "../lab.h"

__global__ void either(int *a, bool up) {
	__shared__ int s[64];
	int t = threadIdx.x;
	if (up) {
		s[t] = t;
		__syncthreads();
		a[t] = s[63 - t];
	} else {
		s[63 - t] = t * 2;
		__syncthreads();
		a[t] = s[t] - 1;
	}
}

int main() {
	int *a, h[64];
	CHECK(cudaMalloc(&a, sizeof h));
	either<<<1, 64>>>(a, false);
	either<<<1, 64>>>(a, true);
	CHECK(cudaMemcpy(h, a, sizeof h, cudaMemcpyDeviceToHost));
	CHECK(cudaFree(a));
	printf("%d\n", h[0]);
	return 0;
}
