#include <cstdio>

__device__ __noinline__ int leaf(int v)
{
	int w = v + 1; // leaf
	return w;
}

__device__ __noinline__ int trunk(int v)
{
	int a = leaf(v); // trunk
	int b = leaf(a); // second
	return a + b; // sum
}

__global__ void calls(int *out)
{
	int r = trunk(threadIdx.x); // root
	out[threadIdx.x] = r; // end
}

int main()
{
	int *d, h[32];
	cudaMalloc(&d, sizeof h);
	calls<<<1, 32>>>(d);
	cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
	printf("%d\n", h[3]);
	return 0;
}
