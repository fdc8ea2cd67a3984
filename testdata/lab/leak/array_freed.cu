// An array is freed while a texture is still bound to it; the binding needs no call: right.
// output: done
// no finding
#include "../lab.h"

texture<float, 2, cudaReadModeElementType> image;

int main() {
	cudaArray_t a;
	cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
	CHECK(cudaMallocArray(&a, &format, 16, 16));
	CHECK(cudaBindTextureToArray(image, a));
	CHECK(cudaFreeArray(a));
	puts("done");
	return 0;
}
