// Bins in shared memory are cleared, counted and stored, with barriers between the three: right.
// output: 16
// no finding
#include "../lab.h"

__global__ void histogram(const int *a, int *out) {
	__shared__ int bins[16];
	int t = threadIdx.x;
	if (t < 16)
		bins[t] = 0;
	__syncthreads();
	atomicAdd(&bins[a[blockIdx.x * 64 + t] & 15], 1);
	__syncthreads();
	if (t < 16)
		atomicAdd(&out[t], bins[t]);
}

int main() {
	int h[256], *a, *out;
	for (int i = 0; i < 256; i++)
		h[i] = i;
	CHECK(cudaMalloc(&a, sizeof h));
	CHECK(cudaMalloc(&out, 16 * sizeof(int)));
	CHECK(cudaMemcpy(a, h, sizeof h, cudaMemcpyHostToDevice));
	CHECK(cudaMemset(out, 0, 16 * sizeof(int)));
	histogram<<<4, 64>>>(a, out);
	CHECK(cudaMemcpy(h, out, 16 * sizeof(int), cudaMemcpyDeviceToHost));
	CHECK(cudaFree(out));
	CHECK(cudaFree(a));
	printf("%d\n", h[3]);
	return 0;
}
