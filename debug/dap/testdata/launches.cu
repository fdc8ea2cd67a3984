#include <cstdio>

template <typename T> __global__ void fill(T *out, T v)
{
	out[threadIdx.x] = v; // fill
}

__global__ void second(int *out)
{
	out[threadIdx.x] *= 3; // second
}

int main(int argc, char **argv)
{
	int *d, h[32];
	cudaMalloc(&d, 4 * sizeof h);
	fill<float><<<1, 32>>>((float *)d, 1.0f);
	for (int i = 0; i < argc; i++) {
		fill<int><<<1, 32>>>(d, i + 1);
		second<<<1, 32>>>(d);
	}
	cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
	printf("%d\n", h[31]);
	return argc;
}
