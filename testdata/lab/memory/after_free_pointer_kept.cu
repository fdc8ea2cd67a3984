// A variable on the device keeps the address of a freed buffer, and a kernel follows that address.
// output: an illegal memory access was encountered
// exit: 1
#include "../lab.h"

__device__ int *kept;

__global__ void keep(int *p) {
	kept = p;
}

__global__ void use() {
	kept[threadIdx.x] = 1; // finding a: memory after-free global
}

int main() {
	int *p;
	CHECK(cudaMalloc(&p, 65536));
	keep<<<1, 1>>>(p);
	CHECK(cudaFree(p)); // with a
	use<<<1, 32>>>();
	CHECK(cudaDeviceSynchronize());
	puts("done");
	return 0;
}
