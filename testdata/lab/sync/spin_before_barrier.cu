// Thread 0 takes the lock and waits at the barrier with it. Thread 32 waits for the lock, and never
// comes to the barrier.
// output: the launch timed out and was terminated
// exit: 1
#include "../lab.h"

__global__ void meet(int *lock, int *out) {
	if (threadIdx.x % 32 == 0)
		while (atomicCAS(lock, 0, 1) != 0) // finding: sync endless
			;
	__syncthreads();
	if (threadIdx.x % 32 == 0)
		atomicExch(lock, 0);
	out[threadIdx.x] = 1;
}

int main() {
	int *lock, *out;
	CHECK(cudaMalloc(&lock, sizeof(int)));
	CHECK(cudaMalloc(&out, 64 * sizeof(int)));
	CHECK(cudaMemset(lock, 0, sizeof(int)));
	meet<<<1, 64>>>(lock, out);
	CHECK(cudaDeviceSynchronize());
	puts("done");
	return 0;
}
