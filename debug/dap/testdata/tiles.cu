#include <cstdio>

__global__ void tiles(const int *in, int *out)
{
	__shared__ int tile[64];
	int t = threadIdx.x;
	tile[t] = in[blockIdx.x * 64 + t];
	__syncthreads();
	if (t % 2)
		tile[t] = -tile[t]; // odd
	else
		tile[t] *= 2; // even
	__syncthreads();
	out[blockIdx.x * 64 + t] = tile[63 - t]; // out
}

int main()
{
	int *d, *o, h[256];
	for (int i = 0; i < 256; i++)
		h[i] = i;
	cudaMalloc(&d, sizeof h);
	cudaMalloc(&o, sizeof h);
	cudaMemcpy(d, h, sizeof h, cudaMemcpyHostToDevice);
	tiles<<<4, 64>>>(d, o);
	cudaMemcpy(h, o, sizeof h, cudaMemcpyDeviceToHost);
	printf("%d %d\n", h[0], h[255]);
	return 0;
}
