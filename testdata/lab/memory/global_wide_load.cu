// An allocation of 56 bytes holds three and a half int4. The last thread reads 16 bytes at 48, of
// which 8 are beyond the end.
// output: done
#include "../lab.h"

__global__ void sums(const int4 *a, int *out) {
	int4 v = a[threadIdx.x]; // finding a: memory out-of-bounds global
	out[threadIdx.x] = v.x + v.y + v.z + v.w;
}

int main() {
	int4 *a;
	int *out;
	CHECK(cudaMalloc(&a, 56)); // with a
	CHECK(cudaMemset(a, 0, 56));
	CHECK(cudaMalloc(&out, 4 * sizeof(int)));
	sums<<<1, 4>>>(a, out);
	CHECK(cudaDeviceSynchronize());
	CHECK(cudaFree(out));
	CHECK(cudaFree(a));
	puts("done");
	return 0;
}
