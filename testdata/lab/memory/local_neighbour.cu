// A thread has two local arrays of four elements, and writes element 4 of the one: that is no
// element of the other, wherever the two lie.
// output: done
#include "../lab.h"

__global__ void turn(int *out, int n) {
	int a[4], b[4];
	for (int i = 0; i < 4; i++)
		b[(i + n) & 3] = i;
	for (int i = 0; i <= n; i++)
		a[i] = i + 1; // finding: memory out-of-bounds local
	for (int i = 0; i < 4; i++)
		out[i] = a[(i + n) & 3] + b[(i * n) & 3];
}

int main() {
	int *out;
	CHECK(cudaMalloc(&out, 4 * sizeof(int)));
	turn<<<1, 1>>>(out, 4);
	CHECK(cudaDeviceSynchronize());
	CHECK(cudaFree(out));
	puts("done");
	return 0;
}
