// An array is bound to a texture, unbound and freed: right.
// output: done
// no finding
#include "../lab.h"

texture<float, 2, cudaReadModeElementType> image;

int main() {
	cudaArray_t a;
	cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
	CHECK(cudaMallocArray(&a, &format, 16, 16));
	CHECK(cudaBindTextureToArray(image, a));
	CHECK(cudaUnbindTexture(image));
	CHECK(cudaFreeArray(a));
	puts("done");
	return 0;
}
