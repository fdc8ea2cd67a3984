// Page-locked memory of the host is left at the end.
// output: done
#include "../lab.h"

int main() {
	int *h;
	CHECK(cudaMallocHost(&h, 4096)); // finding: leak host
	h[0] = 1;
	puts("done");
	return 0;
}
