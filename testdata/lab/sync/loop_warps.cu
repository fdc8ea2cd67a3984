// Warp 1 comes to the barrier once more than warp 0, which has left the loop by then.
// output: done
#include "../lab.h"

__global__ void rounds(int *a) {
	int t = threadIdx.x, sum = 0;
	for (int i = 0; i <= t / 32; i++) {
		sum += a[t + i];
		__syncthreads(); // finding: sync partial|after-exit
	}
	a[128 + t] = sum;
}

int main() {
	int *a;
	CHECK(cudaMalloc(&a, 192 * sizeof(int)));
	CHECK(cudaMemset(a, 0, 192 * sizeof(int)));
	rounds<<<1, 64>>>(a);
	CHECK(cudaDeviceSynchronize());
	CHECK(cudaFree(a));
	puts("done");
	return 0;
}
