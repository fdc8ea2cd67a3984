#include <cstdio>

__global__ void races(const int *in, int *out)
{
	__shared__ int s[64];
	int t = threadIdx.x;
	s[t] = in[t]; // write
	if (t > 0)
		out[t] = s[t - 1]; // read
}

int main()
{
	int *d, *o, h[64];
	for (int i = 0; i < 64; i++)
		h[i] = i;
	cudaMalloc(&d, sizeof h);
	cudaMalloc(&o, sizeof h);
	cudaMemcpy(d, h, sizeof h, cudaMemcpyHostToDevice);
	cudaMemset(o, 0, sizeof h);
	for (int i = 0; i < 3; i++)
		races<<<1, 64>>>(d, o);
	cudaMemcpy(h, o, sizeof h, cudaMemcpyDeviceToHost);
	printf("%d\n", h[33]);
	cudaFree(d);
	cudaFree(o);
	return 0;
}
