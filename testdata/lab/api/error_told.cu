// A copy fails. The program looks at the result, tells the user, frees its memory and ends with a
// status of its own: right.
// output: copy: invalid argument
// exit: 3
// no finding
#include "../lab.h"

int main() {
	int *a, h[64] = {};
	CHECK(cudaMalloc(&a, 32 * sizeof(int)));
	cudaError_t result = cudaMemcpy(a, h, sizeof h, cudaMemcpyHostToDevice);
	CHECK(cudaFree(a));
	if (result != cudaSuccess) {
		printf("copy: %s\n", cudaGetErrorString(result));
		return 3;
	}
	return 0;
}
