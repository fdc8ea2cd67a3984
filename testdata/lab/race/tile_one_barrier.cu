// The barrier behind the last read of a tile is missing: a fast warp writes the next tile while a
// slow one still reads this one.
// output: done
#include "../lab.h"

__global__ void sums(const int *a, int *out, int tiles) {
	__shared__ int tile[64];
	int t = threadIdx.x, sum = 0;
	for (int i = 0; i < tiles; i++) {
		tile[t] = a[i * 64 + t]; // finding a: race read-write shared
		__syncthreads();
		sum += tile[63 - t]; // with a
	}
	out[t] = sum;
}

int main() {
	int *a, *out;
	CHECK(cudaMalloc(&a, 256 * sizeof(int)));
	CHECK(cudaMalloc(&out, 64 * sizeof(int)));
	CHECK(cudaMemset(a, 0, 256 * sizeof(int)));
	sums<<<1, 64>>>(a, out, 4);
	CHECK(cudaDeviceSynchronize());
	CHECK(cudaFree(out));
	CHECK(cudaFree(a));
	puts("done");
	return 0;
}
