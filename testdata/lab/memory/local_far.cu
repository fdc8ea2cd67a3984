// A local array has 16 elements, and element 16384 is read: its offset does not fit into 16 bits.
// output: done
#include "../lab.h"

__global__ void pick(int *out, int at) {
	int a[16];
	for (int i = 0; i < 16; i++)
		a[(i + at) & 15] = i;
	*out = a[at]; // finding: memory out-of-bounds local
}

int main() {
	int *out;
	CHECK(cudaMalloc(&out, sizeof(int)));
	pick<<<1, 1>>>(out, 16384);
	CHECK(cudaDeviceSynchronize());
	CHECK(cudaFree(out));
	puts("done");
	return 0;
}
