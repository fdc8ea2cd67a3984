// The time between two events that were never recorded cannot be told. The call fails, and the
// program prints its own initial value without a look at the result.
// output: 0.0 ms
#include "../lab.h"

int main() {
	cudaEvent_t start, stop;
	float ms = 0;
	CHECK(cudaEventCreate(&start));
	CHECK(cudaEventCreate(&stop));
	cudaEventElapsedTime(&ms, start, stop); // finding: api unchecked
	CHECK(cudaEventDestroy(stop));
	CHECK(cudaEventDestroy(start));
	printf("%.1f ms\n", ms);
	return 0;
}
