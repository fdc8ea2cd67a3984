// The greatest value by a loop of compare-and-swap. The first value is read by a plain load, as in
// the programming guide; the swap fails if that value is old. Right.
// output: 255
// no finding
#include "../lab.h"

__global__ void maximum(const int *a, int *most) {
	int value = a[blockIdx.x * blockDim.x + threadIdx.x];
	int old = *most; // note a: race atomic-plain global
	while (old < value) {
		int assumed = old;
		old = atomicCAS(most, assumed, value); // with a
		if (old == assumed)
			break;
	}
}

int main() {
	int h[256], *a, *most;
	for (int i = 0; i < 256; i++)
		h[i] = i * 37 % 256;
	CHECK(cudaMalloc(&a, sizeof h));
	CHECK(cudaMalloc(&most, sizeof(int)));
	CHECK(cudaMemcpy(a, h, sizeof h, cudaMemcpyHostToDevice));
	CHECK(cudaMemset(most, 0, sizeof(int)));
	maximum<<<4, 64>>>(a, most);
	CHECK(cudaMemcpy(h, most, sizeof(int), cudaMemcpyDeviceToHost));
	CHECK(cudaFree(most));
	CHECK(cudaFree(a));
	printf("%d\n", h[0]);
	return 0;
}
