// The program frees a pointer into an allocation, not the allocation. The call fails, and the
// program does not look.
// output: done
#include "../lab.h"

int main() {
	int *a;
	CHECK(cudaMalloc(&a, 64 * sizeof(int)));
	cudaFree(a + 1); // finding: api unchecked
	CHECK(cudaFree(a));
	puts("done");
	return 0;
}
