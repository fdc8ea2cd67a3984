#include <cstdio>

__device__ __forceinline__ int twice(int v)
{
	int doubled = 2 * v; // inner
	return doubled;
}

__device__ __forceinline__ int shifted(int v)
{
	int more = twice(v) + 1; // middle
	return more;
}

__global__ void inlined(int *out)
{
	int t = threadIdx.x;
	int r = shifted(t); // outer
	out[t] = r; // after
}

int main()
{
	int *d, h[32];
	cudaMalloc(&d, sizeof h);
	inlined<<<1, 32>>>(d);
	cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
	printf("%d\n", h[7]);
	return 0;
}
