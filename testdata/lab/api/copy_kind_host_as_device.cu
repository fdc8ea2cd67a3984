// The source is an array of the host, and the copy is said to stay on the device.
// output: invalid argument
// exit: 1
#include "../lab.h"

int main() {
	static int h[32];
	int *a;
	CHECK(cudaMalloc(&a, sizeof h));
	CHECK(cudaMemcpy(a, h, sizeof h, cudaMemcpyDeviceToDevice)); // finding: api copy-kind
	CHECK(cudaFree(a));
	puts("done");
	return 0;
}
