// A local array has eight elements, and the loop fills nine.
// output: an illegal memory access was encountered
// exit: 1
#include "../lab.h"

__global__ void reverse(int *out, int n) {
	int a[8];
	for (int i = 0; i < n; i++)
		a[i] = i * i; // finding: memory out-of-bounds local
	for (int i = 0; i < 8; i++)
		out[i] = a[(i * 5) & (n - 2)];
}

int main() {
	int *out;
	CHECK(cudaMalloc(&out, 8 * sizeof(int)));
	reverse<<<1, 1>>>(out, 9);
	CHECK(cudaDeviceSynchronize());
	CHECK(cudaFree(out));
	puts("done");
	return 0;
}
