// Threads take items by an atomic counter. Each item has one owner, who alone writes its place:
// right.
// output: 81
// no finding
#include "../lab.h"

__global__ void squares(int *next, int *out, int n) {
	for (;;) {
		int item = atomicAdd(next, 1);
		if (item >= n)
			break;
		out[item] = item * item;
	}
}

int main() {
	int *next, *out, h[100];
	CHECK(cudaMalloc(&next, sizeof(int)));
	CHECK(cudaMalloc(&out, sizeof h));
	CHECK(cudaMemset(next, 0, sizeof(int)));
	squares<<<2, 32>>>(next, out, 100);
	CHECK(cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost));
	CHECK(cudaFree(out));
	CHECK(cudaFree(next));
	printf("%d\n", h[9]);
	return 0;
}
