// A local array is indexed at run time, from its first element to its last: right.
// output: 49 0
// no finding
#include "../lab.h"

__global__ void reverse(int *out, int n) {
	int a[8];
	for (int i = 0; i < n; i++)
		a[i] = i * i;
	for (int i = 0; i < n; i++)
		out[i] = a[n - 1 - i];
}

int main() {
	int *out, h[8];
	CHECK(cudaMalloc(&out, sizeof h));
	reverse<<<1, 1>>>(out, 8);
	CHECK(cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost));
	CHECK(cudaFree(out));
	printf("%d %d\n", h[0], h[7]);
	return 0;
}
