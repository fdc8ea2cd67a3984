// The program frees a buffer right behind the launch that uses it. cudaFree waits for the kernel,
// and the next allocation may get the same address: right.
// output: 3
// no finding
#include "../lab.h"

__global__ void add(const int *in, int *out) {
	out[threadIdx.x] += in[threadIdx.x];
}

int main() {
	int *in, *out, h[32] = {1};
	CHECK(cudaMalloc(&out, sizeof h));
	CHECK(cudaMemset(out, 0, sizeof h));
	for (int round = 0; round < 3; round++) {
		CHECK(cudaMalloc(&in, sizeof h));
		CHECK(cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice));
		add<<<1, 32>>>(in, out);
		CHECK(cudaFree(in));
	}
	CHECK(cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost));
	CHECK(cudaFree(out));
	printf("%d\n", h[0]);
	return 0;
}
