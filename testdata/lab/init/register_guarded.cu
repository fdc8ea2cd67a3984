// The place of the last great element is set only if there is one, and a second variable says
// whether there is: right.
// output: -1
// no finding
#include "../lab.h"

__global__ void last(const int *a, int *out, int n) {
	int place;
	bool found = false;
	for (int i = 0; i < n; i++)
		if (a[i] > 100) {
			place = i;
			found = true;
		}
	out[threadIdx.x] = found ? place : -1;
}

int main() {
	int *a, *out, h[32];
	CHECK(cudaMalloc(&a, sizeof h));
	CHECK(cudaMalloc(&out, sizeof h));
	CHECK(cudaMemset(a, 0, sizeof h));
	last<<<1, 32>>>(a, out, 32);
	CHECK(cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost));
	CHECK(cudaFree(out));
	CHECK(cudaFree(a));
	printf("%d\n", h[31]);
	return 0;
}
