// Block 0 writes a word, and block 1 reads the last byte of that word.
// output: done
#include "../lab.h"

__global__ void mix(int *a, int *out) {
	if (blockIdx.x == 0)
		a[1] = 0x01020304; // finding a: race read-write global
	else
		*out = ((char *)a)[7]; // with a
}

int main() {
	int *a, *out;
	CHECK(cudaMalloc(&a, 2 * sizeof(int)));
	CHECK(cudaMalloc(&out, sizeof(int)));
	CHECK(cudaMemset(a, 0, 2 * sizeof(int)));
	mix<<<2, 1>>>(a, out);
	CHECK(cudaDeviceSynchronize());
	CHECK(cudaFree(out));
	CHECK(cudaFree(a));
	puts("done");
	return 0;
}
