// Two lanes of one instruction write different values into one word. Which lane wins is undefined
// even in lock step.
// output: done
#include "../lab.h"

__global__ void pair(int *out) {
	__shared__ int s[16];
	int t = threadIdx.x;
	s[t / 2] = t; // finding: race write-write shared
	__syncthreads();
	if (t < 16)
		out[t] = s[t];
}

int main() {
	int *out;
	CHECK(cudaMalloc(&out, 16 * sizeof(int)));
	pair<<<1, 32>>>(out);
	CHECK(cudaDeviceSynchronize());
	CHECK(cudaFree(out));
	puts("done");
	return 0;
}
