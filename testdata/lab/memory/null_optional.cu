// The kernel takes an optional result and asks whether the pointer is null; cudaFree takes null,
// too: right.
// output: 49
// no finding
#include "../lab.h"

__global__ void square(int *out, int *sum) {
	int square = threadIdx.x * threadIdx.x;
	out[threadIdx.x] = square;
	if (sum)
		atomicAdd(sum, square);
}

int main() {
	int *out, h[8];
	CHECK(cudaMalloc(&out, sizeof h));
	square<<<1, 8>>>(out, NULL);
	CHECK(cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost));
	CHECK(cudaFree(out));
	CHECK(cudaFree(NULL));
	printf("%d\n", h[7]);
	return 0;
}
