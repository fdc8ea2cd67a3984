// Blocks read what other blocks wrote in the launch before: the end of a launch comes before the
// next launch of the stream. Right.
// output: 108
// no finding
#include "../lab.h"

__global__ void step(const int *from, int *to) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	to[i] = from[(i + 1) % 128];
}

int main() {
	int h[128], *a, *b;
	for (int i = 0; i < 128; i++)
		h[i] = i;
	CHECK(cudaMalloc(&a, sizeof h));
	CHECK(cudaMalloc(&b, sizeof h));
	CHECK(cudaMemcpy(a, h, sizeof h, cudaMemcpyHostToDevice));
	for (int i = 0; i < 4; i++) {
		step<<<4, 32>>>(a, b);
		step<<<4, 32>>>(b, a);
	}
	CHECK(cudaMemcpy(h, a, sizeof h, cudaMemcpyDeviceToHost));
	CHECK(cudaFree(b));
	CHECK(cudaFree(a));
	printf("%d\n", h[100]);
	return 0;
}
