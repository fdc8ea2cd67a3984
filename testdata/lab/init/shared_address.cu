// The place of an input is read from an element of shared memory that no thread wrote.
// output: done
#include "../lab.h"

__global__ void gather(const int *in, int *out, int n) {
	__shared__ int place[64];
	int t = threadIdx.x;
	if (t < n)
		place[t] = t;
	__syncthreads();
	out[t] = in[place[63 - t] & 63]; // finding: init address shared
}

int main() {
	int *in, *out;
	CHECK(cudaMalloc(&in, 64 * sizeof(int)));
	CHECK(cudaMalloc(&out, 64 * sizeof(int)));
	CHECK(cudaMemset(in, 0, 64 * sizeof(int)));
	gather<<<1, 64>>>(in, out, 63);
	CHECK(cudaDeviceSynchronize());
	CHECK(cudaFree(out));
	CHECK(cudaFree(in));
	puts("done");
	return 0;
}
