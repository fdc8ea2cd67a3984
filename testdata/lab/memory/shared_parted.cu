// The kernel parts one dynamic shared array into floats and bytes, up to the last byte: right.
// output: 31 31.0
// no finding
#include "../lab.h"

extern __shared__ float s[];

__global__ void part(float *out) {
	float *floats = s;
	char *bytes = (char *)(s + 32);
	floats[threadIdx.x] = threadIdx.x;
	bytes[threadIdx.x] = threadIdx.x;
	__syncthreads();
	out[threadIdx.x] = floats[31 - threadIdx.x];
	out[32 + threadIdx.x] = bytes[31 - threadIdx.x];
}

int main() {
	float *out, h[64];
	CHECK(cudaMalloc(&out, sizeof h));
	part<<<1, 32, 32 * sizeof(float) + 32>>>(out);
	CHECK(cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost));
	CHECK(cudaFree(out));
	printf("%.0f %.1f\n", h[0], h[32]);
	return 0;
}
