// Block 0 writes the lower half of a word, and block 1 reads the upper half: right.
// output: 7
// no finding
#include "../lab.h"

__global__ void mix(short *a, int *out) {
	if (blockIdx.x == 0)
		a[0] = 5;
	else
		*out = a[1];
}

int main() {
	short *a, from[2] = {3, 7};
	int *out, h;
	CHECK(cudaMalloc(&a, sizeof from));
	CHECK(cudaMalloc(&out, sizeof(int)));
	CHECK(cudaMemcpy(a, from, sizeof from, cudaMemcpyHostToDevice));
	mix<<<2, 1>>>(a, out);
	CHECK(cudaMemcpy(&h, out, sizeof(int), cudaMemcpyDeviceToHost));
	CHECK(cudaFree(out));
	CHECK(cudaFree(a));
	printf("%d\n", h);
	return 0;
}
