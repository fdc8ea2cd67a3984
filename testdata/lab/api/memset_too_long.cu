// The memset is one byte longer than the allocation. It fails, and the program does not look.
// output: done
#include "../lab.h"

int main() {
	char *a;
	CHECK(cudaMalloc(&a, 100));
	cudaMemset(a, 0, 101); // finding: api unchecked
	CHECK(cudaFree(a));
	puts("done");
	return 0;
}
