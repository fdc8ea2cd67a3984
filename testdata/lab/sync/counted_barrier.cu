// A loop ends when a barrier that counts finds no thread with work left. The count is the same for
// all threads: right.
// output: 6
// no finding
#include "../lab.h"

__global__ void rounds(int *out) {
	int t = threadIdx.x, left = t % 6, n = 0;
	do {
		n++;
		if (left > 0)
			left--;
	} while (__syncthreads_count(left > 0) > 0);
	out[t] = n + left + 1;
}

int main() {
	int *out, h[64];
	CHECK(cudaMalloc(&out, sizeof h));
	rounds<<<1, 64>>>(out);
	CHECK(cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost));
	CHECK(cudaFree(out));
	printf("%d\n", h[63]);
	return 0;
}
