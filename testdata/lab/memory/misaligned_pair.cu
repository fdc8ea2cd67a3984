// A pair of ints is written at an odd element of an array of ints. Each int is aligned, but the
// pair is stored as one access of 8 bytes.
// output: misaligned address
// exit: 1
#include "../lab.h"

__global__ void put(int *a, int at) {
	*(int2 *)(a + at) = make_int2(1, 2); // finding: memory misaligned global
}

int main() {
	int *a;
	CHECK(cudaMalloc(&a, 8 * sizeof(int)));
	put<<<1, 1>>>(a, 3);
	CHECK(cudaDeviceSynchronize());
	puts("done");
	return 0;
}
