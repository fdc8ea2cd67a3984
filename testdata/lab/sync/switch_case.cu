// A case of a switch over the lane has a barrier.
// output: done
#include "../lab.h"

__global__ void cases(int *a) {
	int t = threadIdx.x;
	switch (t % 4) {
	case 0:
		a[t] = 5;
		break;
	case 1:
		a[t] = a[t] * 3;
		__syncthreads(); // finding: sync divergent|after-exit
		a[t] += a[t] / 7;
		break;
	default:
		a[t] -= t;
	}
}

int main() {
	int *a;
	CHECK(cudaMalloc(&a, 32 * sizeof(int)));
	CHECK(cudaMemset(a, 0, 32 * sizeof(int)));
	cases<<<1, 32>>>(a);
	CHECK(cudaDeviceSynchronize());
	CHECK(cudaFree(a));
	puts("done");
	return 0;
}
