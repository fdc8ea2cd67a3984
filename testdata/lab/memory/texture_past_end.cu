// 16 texels are bound to a linear texture, and the last of 17 threads fetches texel 16.
// output: done
#include "../lab.h"

texture<int, 1, cudaReadModeElementType> texels;

__global__ void fetch(int *out) {
	out[threadIdx.x] = tex1Dfetch(texels, threadIdx.x); // finding a: memory out-of-bounds texture
}

int main() {
	int *a, *out;
	CHECK(cudaMalloc(&a, 16 * sizeof(int)));
	CHECK(cudaMalloc(&out, 17 * sizeof(int)));
	CHECK(cudaMemset(a, 0, 16 * sizeof(int)));
	CHECK(cudaBindTexture(NULL, texels, a, 16 * sizeof(int))); // with a
	fetch<<<1, 17>>>(out);
	CHECK(cudaDeviceSynchronize());
	CHECK(cudaUnbindTexture(texels));
	CHECK(cudaFree(out));
	CHECK(cudaFree(a));
	puts("done");
	return 0;
}
