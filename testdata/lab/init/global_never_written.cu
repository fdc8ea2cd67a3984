// The program forgets the launch: the host gets memory that nobody wrote.
// output: done
#include "../lab.h"

int main() {
	int *a, h[32];
	CHECK(cudaMalloc(&a, sizeof h)); // with a
	CHECK(cudaMemcpy(h, a, sizeof h, cudaMemcpyDeviceToHost)); // finding a: init output global
	CHECK(cudaFree(a));
	puts("done");
	return 0;
}
