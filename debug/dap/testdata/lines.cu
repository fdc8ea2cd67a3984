#include <cstdio>

__global__ void rows(int *out, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	int sum = 0;
	for (int k = 0; k < n; k++)
		sum += k * i; // sum
	out[i] = sum; // store
}

int main()
{
	int *d, h[128];
	cudaMalloc(&d, sizeof h);
	rows<<<4, 32>>>(d, 5);
	cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
	printf("%d %d\n", h[1], h[127]);
	return 0;
}
