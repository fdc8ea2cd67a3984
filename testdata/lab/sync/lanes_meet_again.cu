// Lanes take different ways of different length, with loops and breaks, and all come to the one
// barrier behind: right.
// output: 3
// no finding
#include "../lab.h"

__global__ void collatz(int *steps) {
	__shared__ int s[64];
	int t = threadIdx.x, n = t + 1, count = 0;
	while (true) {
		if (n == 1)
			break;
		if (n % 2)
			n = 3 * n + 1;
		else
			n /= 2;
		count++;
	}
	s[t] = count;
	__syncthreads();
	steps[t] = s[63 - t];
}

int main() {
	int *steps, h[64];
	CHECK(cudaMalloc(&steps, sizeof h));
	collatz<<<1, 64>>>(steps);
	CHECK(cudaMemcpy(h, steps, sizeof h, cudaMemcpyDeviceToHost));
	CHECK(cudaFree(steps));
	printf("%d\n", h[56]);
	return 0;
}
