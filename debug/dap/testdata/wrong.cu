#include <cstdio>

// Thread 17 of block 2 writes into the word of another thread.
__global__ void wrong(int *out)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	out[i] = i; // right
	__syncthreads();
	if (i == 81)
		out[i - 11] = -1; // culprit
	__syncthreads();
	out[i] += 100; // later
}

int main()
{
	int *d, h[128];
	cudaMalloc(&d, sizeof h);
	wrong<<<4, 32>>>(d);
	cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
	printf("%d\n", h[70]);
	return 0;
}
