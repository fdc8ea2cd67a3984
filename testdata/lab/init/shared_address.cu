// A place in the result is read from an element of shared memory that no thread wrote.
// output: done
#include "../lab.h"

__global__ void scatter(int *out, int n) {
	__shared__ int place[64];
	int t = threadIdx.x;
	if (t < n)
		place[t] = t;
	__syncthreads();
	out[place[63 - t] & 63] = t; // finding: init address shared
}

int main() {
	int *out;
	CHECK(cudaMalloc(&out, 64 * sizeof(int)));
	scatter<<<1, 64>>>(out, 63);
	CHECK(cudaDeviceSynchronize());
	CHECK(cudaFree(out));
	puts("done");
	return 0;
}
