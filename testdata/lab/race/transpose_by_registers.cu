// A block transposes a matrix in place: all threads read, then a barrier, then all write. Right.
// output: 240
// no finding
#include "../lab.h"

__global__ void transpose(int *a) {
	int x = threadIdx.x, y = threadIdx.y;
	int v = a[x * 16 + y];
	__syncthreads();
	a[y * 16 + x] = v;
}

int main() {
	int h[256], *a;
	for (int i = 0; i < 256; i++)
		h[i] = i;
	CHECK(cudaMalloc(&a, sizeof h));
	CHECK(cudaMemcpy(a, h, sizeof h, cudaMemcpyHostToDevice));
	transpose<<<1, dim3(16, 16)>>>(a);
	CHECK(cudaMemcpy(h, a, sizeof h, cudaMemcpyDeviceToHost));
	CHECK(cudaFree(a));
	printf("%d\n", h[15]);
	return 0;
}
