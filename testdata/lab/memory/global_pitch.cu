// Four rows were allocated with a pitch; the fifth row begins where the allocation ends.
// output: done
#include "../lab.h"

__global__ void clear(char *a, size_t pitch, int rows) {
	for (int y = 0; y <= rows; y++)
		a[y * pitch + threadIdx.x] = 0; // finding a: memory out-of-bounds global
}

int main() {
	char *a;
	size_t pitch;
	CHECK(cudaMallocPitch(&a, &pitch, 40, 4)); // with a
	clear<<<1, 40>>>(a, pitch, 4);
	CHECK(cudaDeviceSynchronize());
	CHECK(cudaFree(a));
	puts("done");
	return 0;
}
