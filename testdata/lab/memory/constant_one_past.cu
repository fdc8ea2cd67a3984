// Five threads read four weights.
// output: done
#include "../lab.h"

__constant__ int weights[4];

__global__ void weigh(int *out) {
	out[threadIdx.x] = weights[threadIdx.x]; // finding: memory out-of-bounds constant
}

int main() {
	int h[4] = {1, 2, 3, 4}, *out;
	CHECK(cudaMemcpyToSymbol(weights, h, sizeof h));
	CHECK(cudaMalloc(&out, 5 * sizeof(int)));
	weigh<<<1, 5>>>(out);
	CHECK(cudaDeviceSynchronize());
	CHECK(cudaFree(out));
	puts("done");
	return 0;
}
