// A block of 40 threads has a second warp of 8 lanes. The 24 lanes that do not exist need not come
// to the barrier: right.
// output: 39
// no finding
#include "../lab.h"

__global__ void reverse(int *a) {
	__shared__ int s[40];
	int t = threadIdx.x;
	s[t] = t;
	__syncthreads();
	a[t] = s[39 - t];
}

int main() {
	int *a, h[40];
	CHECK(cudaMalloc(&a, sizeof h));
	reverse<<<1, 40>>>(a);
	CHECK(cudaMemcpy(h, a, sizeof h, cudaMemcpyDeviceToHost));
	CHECK(cudaFree(a));
	printf("%d\n", h[0]);
	return 0;
}
