// A float is written into a shared array of bytes at an offset that is no multiple of four.
// output: misaligned address
// exit: 1
#include "../lab.h"

__global__ void pack(int stride) {
	__shared__ __align__(4) char bytes[256];
	*(volatile float *)(bytes + threadIdx.x * stride) = 1; // finding: memory misaligned shared
}

int main() {
	pack<<<1, 32>>>(6);
	CHECK(cudaDeviceSynchronize());
	puts("done");
	return 0;
}
