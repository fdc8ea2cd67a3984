// The copy to a constant is longer than the constant. It fails, and the program does not look.
// output: done
#include "../lab.h"

__constant__ float weights[4];

__global__ void weigh(float *out) {
	out[threadIdx.x] = weights[threadIdx.x];
}

int main() {
	float h[8] = {1, 2, 3, 4}, *out;
	cudaMemcpyToSymbol(weights, h, sizeof h); // finding: api unchecked
	CHECK(cudaMalloc(&out, 4 * sizeof(float)));
	weigh<<<1, 4>>>(out);
	CHECK(cudaDeviceSynchronize());
	CHECK(cudaFree(out));
	puts("done");
	return 0;
}
