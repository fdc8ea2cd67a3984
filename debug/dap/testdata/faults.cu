#include <cstdio>

__global__ void faults(int *a, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n)
		a[i] = i;
	else
		a[i + 1000000] = i; // beyond
}

int main()
{
	int *d;
	cudaMalloc(&d, 400);
	faults<<<4, 32>>>(d, 100);
	printf("%s\n", cudaThreadSynchronize() == cudaSuccess ? "good" : "bad");
	return 3;
}
