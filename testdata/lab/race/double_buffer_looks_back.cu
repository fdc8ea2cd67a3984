// Two tiles take turns, and each round also reads the tile of the round before. That tile is the
// one which the next round writes, with no barrier in between.
// output: done
#include "../lab.h"

__global__ void changes(const int *a, int *out, int tiles) {
	__shared__ int tile[2][64];
	int t = threadIdx.x, sum = 0;
	tile[1][t] = 0;
	for (int i = 0; i < tiles; i++) {
		tile[i % 2][t] = a[i * 64 + t]; // finding a: race read-write shared
		__syncthreads();
		sum += tile[i % 2][63 - t];
		sum -= tile[1 - i % 2][63 - t]; // with a
	}
	out[t] = sum;
}

int main() {
	int *a, *out;
	CHECK(cudaMalloc(&a, 256 * sizeof(int)));
	CHECK(cudaMalloc(&out, 64 * sizeof(int)));
	CHECK(cudaMemset(a, 0, 256 * sizeof(int)));
	changes<<<1, 64>>>(a, out, 4);
	CHECK(cudaDeviceSynchronize());
	CHECK(cudaFree(out));
	CHECK(cudaFree(a));
	puts("done");
	return 0;
}
