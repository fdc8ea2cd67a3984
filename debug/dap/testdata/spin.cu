#include <cstdio>
#include <unistd.h>
__global__ void spin(volatile int *go, int *out)
{
	int n = 0;
	while (*go)
		n++;
	out[threadIdx.x] = n;
}
int main()
{
	int *d, one = 1, h[32];
	cudaMalloc(&d, 256);
	cudaMemcpy(d, &one, 4, cudaMemcpyHostToDevice);
	printf("begin\n"); fflush(stdout);
	spin<<<1, 32>>>(d, d + 1);
	cudaMemcpy(h, d + 1, 128, cudaMemcpyDeviceToHost);
	printf("end %d\n", h[0] > 0);
	return 0;
}
