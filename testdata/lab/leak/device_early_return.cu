// A function returns early if there is no work, and forgets the buffer that it has by then.
// output: done
#include "../lab.h"

static void work(int n) {
	int *a;
	CHECK(cudaMalloc(&a, 64 * sizeof(int))); // finding: leak device
	if (n == 0)
		return;
	CHECK(cudaMemset(a, 0, n * sizeof(int)));
	CHECK(cudaFree(a));
}

int main() {
	work(8);
	work(0);
	puts("done");
	return 0;
}
