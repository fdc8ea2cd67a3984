// Each block reads what another block writes in the same launch. Nothing orders blocks.
// output: done
#include "../lab.h"

__global__ void sums(int *a, int *out) {
	int b = blockIdx.x;
	a[b] = b * b; // finding a: race read-write global
	out[b] = a[(b + 1) % gridDim.x]; // with a
}

int main() {
	int *a, *out;
	CHECK(cudaMalloc(&a, 8 * sizeof(int)));
	CHECK(cudaMalloc(&out, 8 * sizeof(int)));
	CHECK(cudaMemset(a, 0, 8 * sizeof(int)));
	sums<<<8, 1>>>(a, out);
	CHECK(cudaDeviceSynchronize());
	CHECK(cudaFree(out));
	CHECK(cudaFree(a));
	puts("done");
	return 0;
}
