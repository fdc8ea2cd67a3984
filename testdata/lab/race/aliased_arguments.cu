// The program calls a copy with arrays that overlap by one element: thread 31 writes what thread
// 32, of the next warp, reads.
// output: done
#include "../lab.h"

__global__ void copy(const int *in, int *out) {
	out[threadIdx.x] = in[threadIdx.x]; // finding: race read-write global
}

int main() {
	int *a;
	CHECK(cudaMalloc(&a, 65 * sizeof(int)));
	CHECK(cudaMemset(a, 0, 65 * sizeof(int)));
	copy<<<1, 64>>>(a, a + 1);
	CHECK(cudaDeviceSynchronize());
	CHECK(cudaFree(a));
	puts("done");
	return 0;
}
