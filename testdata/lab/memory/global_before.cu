// Thread 0 reads the element before the first one of the second allocation.
// output: done
#include "../lab.h"

__global__ void differences(const int *a, int *out) {
	int i = threadIdx.x;
	int before = a[i - 1]; // finding a: memory out-of-bounds global
	out[i] = a[i] - before;
}

int main() {
	int *out, *a;
	CHECK(cudaMalloc(&out, 32 * sizeof(int)));
	CHECK(cudaMalloc(&a, 32 * sizeof(int))); // with a
	CHECK(cudaMemset(a, 0, 32 * sizeof(int)));
	differences<<<1, 32>>>(a, out);
	CHECK(cudaDeviceSynchronize());
	CHECK(cudaFree(a));
	CHECK(cudaFree(out));
	puts("done");
	return 0;
}
