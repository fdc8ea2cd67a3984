// A tile of 16 rows has 17 columns, so that its columns lie in different banks. Reading by columns
// stays in the tile: right.
// output: 240 15
// no finding
#include "../lab.h"

__global__ void transpose(const int *in, int *out) {
	__shared__ int tile[16][17];
	int x = threadIdx.x, y = threadIdx.y;
	tile[y][x] = in[y * 16 + x];
	__syncthreads();
	out[y * 16 + x] = tile[x][y];
}

int main() {
	int h[256], *in, *out;
	for (int i = 0; i < 256; i++)
		h[i] = i;
	CHECK(cudaMalloc(&in, sizeof h));
	CHECK(cudaMalloc(&out, sizeof h));
	CHECK(cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice));
	transpose<<<1, dim3(16, 16)>>>(in, out);
	CHECK(cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost));
	CHECK(cudaFree(in));
	CHECK(cudaFree(out));
	printf("%d %d\n", h[15], h[240]);
	return 0;
}
