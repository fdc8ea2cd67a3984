// Threads beyond n take part in the only barrier, and return behind it: right.
// output: 47
// no finding
#include "../lab.h"

__global__ void reverse(int *a, int n) {
	__shared__ int s[64];
	int t = threadIdx.x;
	if (t < n)
		s[t] = t;
	__syncthreads();
	if (t >= n)
		return;
	a[t] = s[n - 1 - t];
}

int main() {
	int *a, h[48];
	CHECK(cudaMalloc(&a, sizeof h));
	reverse<<<1, 64>>>(a, 48);
	CHECK(cudaMemcpy(h, a, sizeof h, cudaMemcpyDeviceToHost));
	CHECK(cudaFree(a));
	printf("%d\n", h[0]);
	return 0;
}
