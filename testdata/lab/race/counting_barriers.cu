// Barriers that count, votes and shuffles are library code on these devices, with memory of its
// own: no race of the program. Right.
// output: 64 32 496
// no finding
#include "../lab.h"

__global__ void count(int *out) {
	int t = threadIdx.x;
	int all = __syncthreads_count(t >= 0);
	int even = __syncthreads_count(t % 2 == 0);
	int sum = t % 32;
	for (int n = 16; n > 0; n /= 2)
		sum += __shfl_xor_sync(0xffffffffu, sum, n);
	if (t == 0) {
		out[0] = all;
		out[1] = even;
		out[2] = sum;
	}
}

int main() {
	int *out, h[3];
	CHECK(cudaMalloc(&out, sizeof h));
	count<<<1, 64>>>(out);
	CHECK(cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost));
	CHECK(cudaFree(out));
	printf("%d %d %d\n", h[0], h[1], h[2]);
	return 0;
}
