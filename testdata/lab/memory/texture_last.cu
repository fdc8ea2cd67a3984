// 16 texels are bound to a linear texture, and 16 threads fetch them: right.
// output: 5
// no finding
#include "../lab.h"

texture<int, 1, cudaReadModeElementType> texels;

__global__ void fetch(int *out) {
	out[threadIdx.x] = tex1Dfetch(texels, 15 - threadIdx.x);
}

int main() {
	int *a, *out, h[16] = {5};
	CHECK(cudaMalloc(&a, sizeof h));
	CHECK(cudaMalloc(&out, sizeof h));
	CHECK(cudaMemcpy(a, h, sizeof h, cudaMemcpyHostToDevice));
	CHECK(cudaBindTexture(NULL, texels, a, sizeof h));
	fetch<<<1, 16>>>(out);
	CHECK(cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost));
	CHECK(cudaUnbindTexture(texels));
	CHECK(cudaFree(out));
	CHECK(cudaFree(a));
	printf("%d\n", h[15]);
	return 0;
}
