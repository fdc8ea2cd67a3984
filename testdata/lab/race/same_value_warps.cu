// Every thread that finds a zero writes 1 into one word. All values are equal, so the order has no
// effect: right.
// output: 1
// no finding
#include "../lab.h"

__global__ void any(const int *a, int *out) {
	__shared__ int found;
	int t = threadIdx.x;
	if (t == 0)
		found = 0;
	__syncthreads();
	if (a[t] == 0)
		found = 1; // note: race same-value shared
	__syncthreads();
	if (t == 0)
		*out = found;
}

int main() {
	int *a, *out, h;
	CHECK(cudaMalloc(&a, 128 * sizeof(int)));
	CHECK(cudaMalloc(&out, sizeof(int)));
	CHECK(cudaMemset(a, 0, 128 * sizeof(int)));
	any<<<1, 128>>>(a, out);
	CHECK(cudaMemcpy(&h, out, sizeof(int), cudaMemcpyDeviceToHost));
	CHECK(cudaFree(out));
	CHECK(cudaFree(a));
	printf("%d\n", h);
	return 0;
}
