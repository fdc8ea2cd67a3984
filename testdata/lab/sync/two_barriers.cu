// Warp 0 waits at one barrier, and warp 1 at another. The machine lets both go on; the language has
// no such meeting.
// output: done
#include "../lab.h"

__global__ void meet(int *a) {
	int t = threadIdx.x;
	if (t < 32) {
		a[t] += 4;
		__syncthreads(); // finding a: sync different
		a[t] *= 3;
	} else {
		__syncthreads(); // with a
		a[t] -= 7;
	}
}

int main() {
	int *a;
	CHECK(cudaMalloc(&a, 64 * sizeof(int)));
	CHECK(cudaMemset(a, 0, 64 * sizeof(int)));
	meet<<<1, 64>>>(a);
	CHECK(cudaDeviceSynchronize());
	CHECK(cudaFree(a));
	puts("done");
	return 0;
}
