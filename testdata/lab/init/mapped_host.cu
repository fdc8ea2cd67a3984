// The host writes mapped memory by plain stores, which no call announces, and the kernel reads it:
// right.
// output: 62
// no finding
#include "../lab.h"

__global__ void twice(int *a) {
	a[threadIdx.x] *= 2;
}

int main() {
	int *h, *d;
	CHECK(cudaSetDeviceFlags(cudaDeviceMapHost));
	CHECK(cudaHostAlloc(&h, 32 * sizeof(int), cudaHostAllocMapped));
	CHECK(cudaHostGetDevicePointer(&d, h, 0));
	for (int i = 0; i < 32; i++)
		h[i] = i;
	twice<<<1, 32>>>(d);
	CHECK(cudaDeviceSynchronize());
	printf("%d\n", h[31]);
	CHECK(cudaFreeHost(h));
	return 0;
}
