// The sum takes 64 elements of shared memory, of which 48 were written. The host gets that sum.
// output: done
#include "../lab.h"

__global__ void sum(int *out, int n) {
	__shared__ int s[64];
	int t = threadIdx.x;
	if (t < n)
		s[t] = t;
	__syncthreads();
	if (t == 0) {
		int total = 0;
		for (int i = 0; i < blockDim.x; i++)
			total += s[i]; // with a
		*out = total;
	}
}

int main() {
	int *out, h;
	CHECK(cudaMalloc(&out, sizeof(int)));
	sum<<<1, 64>>>(out, 48);
	CHECK(cudaMemcpy(&h, out, sizeof(int), cudaMemcpyDeviceToHost)); // finding a: init output shared
	CHECK(cudaFree(out));
	puts("done");
	return 0;
}
