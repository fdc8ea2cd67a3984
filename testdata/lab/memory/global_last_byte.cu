// 61 threads read and write the 61 bytes of an allocation, up to the last byte: right.
// output: 60
// no finding
#include "../lab.h"

__global__ void number(char *a) {
	int last = blockDim.x - 1;
	a[last - threadIdx.x] = last - threadIdx.x;
}

int main() {
	char *a, h[61];
	CHECK(cudaMalloc(&a, 61));
	number<<<1, 61>>>(a);
	CHECK(cudaMemcpy(h, a, 61, cudaMemcpyDeviceToHost));
	CHECK(cudaFree(a));
	printf("%d\n", h[60]);
	return 0;
}
