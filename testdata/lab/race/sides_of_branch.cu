// One side of a branch writes what the other side reads, within a warp. Lock step does not help:
// which side runs first is undefined.
// output: done
#include "../lab.h"

__global__ void sides(int *out) {
	__shared__ volatile int s;
	int t = threadIdx.x;
	if (t == 0)
		s = 1;
	__syncthreads();
	if (t == 0)
		s = 2; // finding a: race read-write shared
	else
		out[t] = s; // with a
}

int main() {
	int *out;
	CHECK(cudaMalloc(&out, 32 * sizeof(int)));
	sides<<<1, 32>>>(out);
	CHECK(cudaDeviceSynchronize());
	CHECK(cudaFree(out));
	puts("done");
	return 0;
}
