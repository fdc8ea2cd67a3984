// The kernel writes all of a mapped buffer of host memory: right.
// output: 99
// no finding
#include "../lab.h"

__global__ void number(int *a, int n) {
	for (int i = threadIdx.x; i < n; i += blockDim.x)
		a[i] = i;
}

int main() {
	int *h, *d;
	CHECK(cudaSetDeviceFlags(cudaDeviceMapHost));
	CHECK(cudaHostAlloc(&h, 100 * sizeof(int), cudaHostAllocMapped));
	CHECK(cudaHostGetDevicePointer(&d, h, 0));
	number<<<1, 64>>>(d, 100);
	CHECK(cudaDeviceSynchronize());
	printf("%d\n", h[99]);
	CHECK(cudaFreeHost(h));
	return 0;
}
