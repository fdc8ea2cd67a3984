// A block transposes a matrix in place: each thread writes where a thread of another warp reads.
// output: done
#include "../lab.h"

__global__ void transpose(int *a) {
	int x = threadIdx.x, y = threadIdx.y;
	a[y * 16 + x] = a[x * 16 + y]; // finding: race read-write global
}

int main() {
	int *a;
	CHECK(cudaMalloc(&a, 256 * sizeof(int)));
	CHECK(cudaMemset(a, 0, 256 * sizeof(int)));
	transpose<<<1, dim3(16, 16)>>>(a);
	CHECK(cudaDeviceSynchronize());
	CHECK(cudaFree(a));
	puts("done");
	return 0;
}
