// An array for textures is left at the end; unbinding a texture frees nothing.
// output: done
#include "../lab.h"

texture<float, 2, cudaReadModeElementType> image;

int main() {
	cudaArray_t a;
	cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
	CHECK(cudaMallocArray(&a, &format, 16, 16)); // finding: leak array
	CHECK(cudaBindTextureToArray(image, a));
	CHECK(cudaUnbindTexture(image));
	puts("done");
	return 0;
}
