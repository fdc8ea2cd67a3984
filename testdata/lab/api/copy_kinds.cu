// Copies of all four kinds, each with the right name: right.
// output: 11
// no finding
#include "../lab.h"

int main() {
	int h[4] = {5, 7, 9, 11}, g[4], *a, *b;
	CHECK(cudaMalloc(&a, sizeof h));
	CHECK(cudaMalloc(&b, sizeof h));
	CHECK(cudaMemcpy(g, h, sizeof h, cudaMemcpyHostToHost));
	CHECK(cudaMemcpy(a, g, sizeof h, cudaMemcpyHostToDevice));
	CHECK(cudaMemcpy(b, a, sizeof h, cudaMemcpyDeviceToDevice));
	CHECK(cudaMemcpy(h, b, sizeof h, cudaMemcpyDeviceToHost));
	CHECK(cudaFree(b));
	CHECK(cudaFree(a));
	printf("%d\n", h[3]);
	return 0;
}
