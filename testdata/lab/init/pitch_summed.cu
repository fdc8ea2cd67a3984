// The sum of a row goes up to the pitch instead of the width: the bytes behind the width were never
// written.
// output: done
#include "../lab.h"

__global__ void sums(const char *a, size_t pitch, int width, int *out) {
	int sum = 0;
	for (int x = 0; x < pitch; x++)
		sum += a[threadIdx.x * pitch + x]; // with a
	out[threadIdx.x] = sum;
}

int main() {
	char *a, from[4][40] = {};
	int *out, h[4];
	size_t pitch;
	CHECK(cudaMallocPitch(&a, &pitch, 40, 4));
	CHECK(cudaMalloc(&out, sizeof h));
	CHECK(cudaMemcpy2D(a, pitch, from, 40, 40, 4, cudaMemcpyHostToDevice));
	sums<<<1, 4>>>(a, pitch, 40, out);
	CHECK(cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost)); // finding a: init output global
	CHECK(cudaFree(out));
	CHECK(cudaFree(a));
	puts("done");
	return 0;
}
