// Three bytes of each word of shared memory are written, and the whole word is given to the host.
// output: done
#include "../lab.h"

__global__ void pack(int *out) {
	__shared__ union {
		char bytes[4];
		int word;
	} s[32];
	int t = threadIdx.x;
	for (int i = 0; i < 3; i++)
		s[t].bytes[i] = t + i;
	__syncthreads();
	out[t] = s[31 - t].word; // with a
}

int main() {
	int *out, h[32];
	CHECK(cudaMalloc(&out, sizeof h));
	pack<<<1, 32>>>(out);
	CHECK(cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost)); // finding a: init output shared
	CHECK(cudaFree(out));
	puts("done");
	return 0;
}
