// An allocation of 48 bytes holds three int4, and a fourth thread stays away: right.
// output: 12
// no finding
#include "../lab.h"

__global__ void sums(const int4 *a, int *out, int n) {
	if (threadIdx.x >= n)
		return;
	int4 v = a[threadIdx.x];
	out[threadIdx.x] = v.x + v.y + v.z + v.w;
}

int main() {
	int ones[12] = {3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3}, h[3];
	int4 *a;
	int *out;
	CHECK(cudaMalloc(&a, sizeof ones));
	CHECK(cudaMemcpy(a, ones, sizeof ones, cudaMemcpyHostToDevice));
	CHECK(cudaMalloc(&out, sizeof h));
	sums<<<1, 4>>>(a, out, 3);
	CHECK(cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost));
	CHECK(cudaFree(out));
	CHECK(cudaFree(a));
	printf("%d\n", h[2]);
	return 0;
}
