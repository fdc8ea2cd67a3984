// The program tries a terabyte, sees that the call fails, clears the error and takes less: right.
// output: 4096 bytes
// no finding
#include "../lab.h"

int main() {
	void *p;
	size_t n = (size_t)1 << 40;
	if (cudaMalloc(&p, n) == cudaErrorMemoryAllocation) {
		cudaGetLastError();
		n = 4096;
		CHECK(cudaMalloc(&p, n));
	}
	CHECK(cudaFree(p));
	printf("%d bytes\n", (int)n);
	return 0;
}
