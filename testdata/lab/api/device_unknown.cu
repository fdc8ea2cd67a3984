// The program chooses a device that does not exist, and does not look.
// output: done
#include "../lab.h"

int main() {
	int *a;
	cudaSetDevice(99); // finding: api unchecked
	CHECK(cudaMalloc(&a, 64));
	CHECK(cudaFree(a));
	puts("done");
	return 0;
}
