// The program ends with an allocation that was never freed.
// output: done
#include "../lab.h"

int main() {
	int *a, *b;
	CHECK(cudaMalloc(&a, 64));
	CHECK(cudaMalloc(&b, 100)); // finding: leak device
	CHECK(cudaFree(a));
	puts("done");
	return 0;
}
