// A thread reads what a thread of another warp writes, with no barrier in between.
// output: done
#include "../lab.h"

__global__ void reverse(int *a) {
	__shared__ int s[128];
	int t = threadIdx.x;
	s[t] = a[t]; // finding a: race read-write shared
	a[t] = s[127 - t]; // with a
}

int main() {
	int *a;
	CHECK(cudaMalloc(&a, 128 * sizeof(int)));
	CHECK(cudaMemset(a, 0, 128 * sizeof(int)));
	reverse<<<1, 128>>>(a);
	CHECK(cudaDeviceSynchronize());
	CHECK(cudaFree(a));
	puts("done");
	return 0;
}
