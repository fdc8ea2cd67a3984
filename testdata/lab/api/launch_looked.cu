// A launch with 1024 threads fails on these devices. The program looks, and takes 512: right.
// output: 512 threads
// no finding
#include "../lab.h"

__global__ void fill(int *a, int n) {
	for (int i = threadIdx.x; i < n; i += blockDim.x)
		a[i] = i;
}

int main() {
	int *a, threads = 1024;
	CHECK(cudaMalloc(&a, 1024 * sizeof(int)));
	fill<<<1, threads>>>(a, 1024);
	while (cudaGetLastError() != cudaSuccess) {
		threads /= 2;
		fill<<<1, threads>>>(a, 1024);
	}
	CHECK(cudaDeviceSynchronize());
	CHECK(cudaFree(a));
	printf("%d threads\n", threads);
	return 0;
}
