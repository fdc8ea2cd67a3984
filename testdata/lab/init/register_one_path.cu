// The place of the last great element is set only if there is one. Nobody sets it before the loop,
// and no element is great.
// output: done
#include "../lab.h"

__global__ void last(const int *a, int *out, int n) {
	int place;
	for (int i = 0; i < n; i++)
		if (a[i] > 100)
			place = i;
	out[threadIdx.x] = place;
}

int main() {
	int *a, *out, h[32];
	CHECK(cudaMalloc(&a, sizeof h));
	CHECK(cudaMalloc(&out, sizeof h));
	CHECK(cudaMemset(a, 0, sizeof h));
	last<<<1, 32>>>(a, out, 32);
	CHECK(cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost)); // finding: init output register
	CHECK(cudaFree(out));
	CHECK(cudaFree(a));
	puts("done");
	return 0;
}
