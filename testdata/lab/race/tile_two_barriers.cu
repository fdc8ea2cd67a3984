// One barrier before the reads of a tile, one behind them: right.
// output: 4
// no finding
#include "../lab.h"

__global__ void sums(const int *a, int *out, int tiles) {
	__shared__ int tile[64];
	int t = threadIdx.x, sum = 0;
	for (int i = 0; i < tiles; i++) {
		tile[t] = a[i * 64 + t];
		__syncthreads();
		sum += tile[63 - t];
		__syncthreads();
	}
	out[t] = sum;
}

int main() {
	int h[256], *a, *out;
	for (int i = 0; i < 256; i++)
		h[i] = 1;
	CHECK(cudaMalloc(&a, sizeof h));
	CHECK(cudaMalloc(&out, 64 * sizeof(int)));
	CHECK(cudaMemcpy(a, h, sizeof h, cudaMemcpyHostToDevice));
	sums<<<1, 64>>>(a, out, 4);
	CHECK(cudaMemcpy(h, out, 64 * sizeof(int), cudaMemcpyDeviceToHost));
	CHECK(cudaFree(out));
	CHECK(cudaFree(a));
	printf("%d\n", h[63]);
	return 0;
}
