// Thread 0 reads element -1 of a shared array; the machine keeps the kernel's parameters there.
// output: done
#include "../lab.h"

__global__ void differences(int *a) {
	__shared__ int s[32];
	int i = threadIdx.x;
	s[i] = a[i];
	__syncthreads();
	a[i] = s[i] - s[i - 1]; // finding: memory out-of-bounds shared
}

int main() {
	int *a;
	CHECK(cudaMalloc(&a, 32 * sizeof(int)));
	CHECK(cudaMemset(a, 0, 32 * sizeof(int)));
	differences<<<1, 32>>>(a);
	CHECK(cudaDeviceSynchronize());
	CHECK(cudaFree(a));
	puts("done");
	return 0;
}
