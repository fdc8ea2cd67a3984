// One of two events is left at the end.
// output: done
#include "../lab.h"

int main() {
	cudaEvent_t start, stop;
	CHECK(cudaEventCreate(&start)); // finding: leak event
	CHECK(cudaEventCreate(&stop));
	CHECK(cudaEventRecord(start, 0));
	CHECK(cudaEventRecord(stop, 0));
	CHECK(cudaEventSynchronize(stop));
	CHECK(cudaEventDestroy(stop));
	puts("done");
	return 0;
}
