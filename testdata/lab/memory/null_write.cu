// The program forgets to allocate the result.
// output: an illegal memory access was encountered
// exit: 1
#include "../lab.h"

__global__ void square(int *out) {
	out[threadIdx.x] = threadIdx.x * threadIdx.x; // finding: memory null global
}

int main() {
	int *out = NULL;
	square<<<1, 32>>>(out);
	CHECK(cudaDeviceSynchronize());
	puts("done");
	return 0;
}
