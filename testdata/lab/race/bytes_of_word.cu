// Threads of different warps and blocks write the bytes of the same words. Stores of bytes leave
// the other bytes alone: right.
// output: 67305985
// no finding
#include "../lab.h"

__global__ void fill(char *a) {
	__shared__ char s[256];
	int t = threadIdx.x, at = t % 64 * 4 + t / 64;
	s[at] = t / 64 + 1;
	__syncthreads();
	if (t % 2 == blockIdx.x)
		a[t] = s[t];
}

int main() {
	int h[64];
	char *a;
	CHECK(cudaMalloc(&a, sizeof h));
	fill<<<2, 256>>>(a);
	CHECK(cudaMemcpy(h, a, sizeof h, cudaMemcpyDeviceToHost));
	CHECK(cudaFree(a));
	printf("%d\n", h[63]);
	return 0;
}
