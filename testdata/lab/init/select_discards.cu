// Every thread reads the element to its right. The last thread reads one that was never written,
// and takes 0 in its place: right.
// output: 31 0
// no finding
#include "../lab.h"

__global__ void shift(int *out, int n) {
	__shared__ int s[33];
	int t = threadIdx.x;
	s[t] = t;
	__syncthreads();
	int right = ((volatile int *)s)[t + 1];
	out[t] = t + 1 < n ? right : 0;
}

int main() {
	int *out, h[32];
	CHECK(cudaMalloc(&out, sizeof h));
	shift<<<1, 32>>>(out, 32);
	CHECK(cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost));
	CHECK(cudaFree(out));
	printf("%d %d\n", h[30], h[31]);
	return 0;
}
