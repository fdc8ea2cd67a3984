// Four threads read four weights; the second array of constants is not read at all: right.
// output: 4
// no finding
#include "../lab.h"

__constant__ int weights[4];
__constant__ int others[4];

__global__ void weigh(int *out, bool other) {
	const int *from = other ? others : weights;
	out[threadIdx.x] = from[threadIdx.x];
}

int main() {
	int h[4] = {1, 2, 3, 4}, *out;
	CHECK(cudaMemcpyToSymbol(weights, h, sizeof h));
	CHECK(cudaMalloc(&out, sizeof h));
	weigh<<<1, 4>>>(out, false);
	CHECK(cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost));
	CHECK(cudaFree(out));
	printf("%d\n", h[3]);
	return 0;
}
