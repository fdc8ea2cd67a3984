// Pitched memory is left at the end.
// output: done
#include "../lab.h"

int main() {
	char *a;
	size_t pitch;
	CHECK(cudaMallocPitch(&a, &pitch, 40, 4)); // finding: leak device
	CHECK(cudaMemset2D(a, pitch, 0, 40, 4));
	puts("done");
	return 0;
}
