// A tile with a border is copied from one shared array to another. The corners were never written,
// and nobody uses the copies of the corners: right.
// output: 5
// no finding
#include "../lab.h"

__global__ void cross(int *out) {
	__shared__ int a[10][10], b[10][10];
	int x = threadIdx.x, y = threadIdx.y, last = blockDim.x - 1;
	bool corner = (x == 0 || x == last) && (y == 0 || y == last);
	if (!corner)
		a[y][x] = 1;
	__syncthreads();
	b[x][y] = a[y][x];
	__syncthreads();
	if (x > 0 && x < last && y > 0 && y < last)
		out[(y - 1) * 8 + x - 1] = b[y][x] + b[y][x - 1] + b[y][x + 1] + b[y - 1][x] + b[y + 1][x];
}

int main() {
	int *out, h[64];
	CHECK(cudaMalloc(&out, sizeof h));
	cross<<<1, dim3(10, 10)>>>(out);
	CHECK(cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost));
	CHECK(cudaFree(out));
	printf("%d\n", h[0]);
	return 0;
}
