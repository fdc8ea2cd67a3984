// Mapped memory of the host is freed once, by the host's pointer. The device's pointer is a name
// and no allocation: right.
// output: 3
// no finding
#include "../lab.h"

__global__ void put(int *a) {
	*a = 3;
}

int main() {
	int *h, *d;
	CHECK(cudaSetDeviceFlags(cudaDeviceMapHost));
	CHECK(cudaHostAlloc(&h, 64, cudaHostAllocMapped));
	CHECK(cudaHostGetDevicePointer(&d, h, 0));
	put<<<1, 1>>>(d);
	CHECK(cudaDeviceSynchronize());
	printf("%d\n", *h);
	CHECK(cudaFreeHost(h));
	return 0;
}
