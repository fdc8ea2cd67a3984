// A texture is bound to memory that nobody wrote.
// output: done
#include "../lab.h"

texture<int, 1, cudaReadModeElementType> texels;

__global__ void fetch(int *out) {
	out[threadIdx.x] = tex1Dfetch(texels, threadIdx.x); // with a
}

int main() {
	int *a, *out, h[32];
	CHECK(cudaMalloc(&a, sizeof h));
	CHECK(cudaMalloc(&out, sizeof h));
	CHECK(cudaBindTexture(NULL, texels, a, sizeof h));
	fetch<<<1, 32>>>(out);
	CHECK(cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost)); // finding a: init output global
	CHECK(cudaUnbindTexture(texels));
	CHECK(cudaFree(out));
	CHECK(cudaFree(a));
	puts("done");
	return 0;
}
