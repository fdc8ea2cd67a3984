// A barrier stands between the writes and the reads of the other warps: right.
// output: 127
// no finding
#include "../lab.h"

__global__ void reverse(int *a) {
	__shared__ int s[128];
	int t = threadIdx.x;
	s[t] = a[t];
	__syncthreads();
	a[t] = s[127 - t];
}

int main() {
	int h[128], *a;
	for (int i = 0; i < 128; i++)
		h[i] = i;
	CHECK(cudaMalloc(&a, sizeof h));
	CHECK(cudaMemcpy(a, h, sizeof h, cudaMemcpyHostToDevice));
	reverse<<<1, 128>>>(a);
	CHECK(cudaMemcpy(h, a, sizeof h, cudaMemcpyDeviceToHost));
	CHECK(cudaFree(a));
	printf("%d\n", h[0]);
	return 0;
}
