// A thread fills three of four elements of a local array, and picks one of the four.
// output: done
#include "../lab.h"

__global__ void pick(int *out, int n) {
	int a[4];
	for (int i = 0; i < n; i++)
		a[i] = i;
	out[threadIdx.x] = a[threadIdx.x % 4]; // with a
}

int main() {
	int *out, h[32];
	CHECK(cudaMalloc(&out, sizeof h));
	pick<<<1, 32>>>(out, 3);
	CHECK(cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost)); // finding a: init output local
	CHECK(cudaFree(out));
	puts("done");
	return 0;
}
