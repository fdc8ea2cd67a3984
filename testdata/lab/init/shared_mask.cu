// One byte of each word of shared memory is written. The whole word is read, and a mask leaves the
// written byte alone: right, nothing depends on the other bytes.
// output: 31
// no finding
#include "../lab.h"

__global__ void unpack(int *out) {
	__shared__ union {
		unsigned char bytes[4];
		int word;
	} s[32];
	int t = threadIdx.x;
	s[t].bytes[0] = t;
	__syncthreads();
	out[t] = *(volatile int *)&s[31 - t].word & 0xff;
}

int main() {
	int *out, h[32];
	CHECK(cudaMalloc(&out, sizeof h));
	unpack<<<1, 32>>>(out);
	CHECK(cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost));
	CHECK(cudaFree(out));
	printf("%d\n", h[0]);
	return 0;
}
