// The source is an array of the host, and the copy is said to stay on the device.
// output: invalid argument
#include "../lab.h"

int main() {
	static int h[32];
	int *a;
	CHECK(cudaMalloc(&a, sizeof h));
	cudaError_t result = cudaMemcpy(a, h, sizeof h, cudaMemcpyDeviceToDevice); // finding: api copy-kind
	CHECK(cudaFree(a));
	if (result != cudaSuccess)
		puts(cudaGetErrorString(result));
	return 0;
}
