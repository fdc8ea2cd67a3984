// The program forgets to copy the input to the device.
// output: done
#include "../lab.h"

__global__ void scale(const float *in, float *out) {
	out[threadIdx.x] = 2 * in[threadIdx.x]; // with a
}

int main() {
	float *in, *out, h[32] = {1};
	CHECK(cudaMalloc(&in, sizeof h));
	CHECK(cudaMalloc(&out, sizeof h));
	scale<<<1, 32>>>(in, out);
	CHECK(cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost)); // finding a: init output global
	CHECK(cudaFree(out));
	CHECK(cudaFree(in));
	puts("done");
	return 0;
}
