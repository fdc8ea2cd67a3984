// The copy is longer than the allocation. It fails as a whole, and the program does not look.
// output: done
#include "../lab.h"

int main() {
	int *a, h[64] = {};
	CHECK(cudaMalloc(&a, 32 * sizeof(int)));
	cudaMemcpy(a, h, sizeof h, cudaMemcpyHostToDevice); // finding: api unchecked
	CHECK(cudaFree(a));
	puts("done");
	return 0;
}
