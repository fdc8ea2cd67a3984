// The loop ends when a shared flag stays set for all threads: all read the flag between two
// barriers, and all leave in the same round. Right.
// output: 6
// no finding
#include "../lab.h"

__global__ void relax(int *out) {
	__shared__ bool again;
	int t = threadIdx.x, left = t % 6, rounds = 0;
	do {
		__syncthreads();
		if (t == 0)
			again = false;
		__syncthreads();
		if (left > 0) {
			left--;
			again = true; // note: race same-value shared
		}
		rounds++;
		__syncthreads();
	} while (again);
	out[t] = rounds;
}

int main() {
	int *out, h[64];
	CHECK(cudaMalloc(&out, sizeof h));
	relax<<<1, 64>>>(out);
	CHECK(cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost));
	CHECK(cudaFree(out));
	printf("%d\n", h[63]);
	return 0;
}
