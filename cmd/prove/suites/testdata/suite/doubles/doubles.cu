// Doubles numbers and checks them: a suite of one program for the tests of cmd/prove/suites.

#include <stdio.h>

__global__ void twice(int *numbers)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	numbers[i] = 2 * numbers[i] + 1;
}

int main()
{
	const int n = 128;
	int numbers[n], *memory, wrong = 0;

	for (int i = 0; i < n; i++)
		numbers[i] = i;
	cudaMalloc((void **)&memory, sizeof(numbers));
	cudaMemcpy(memory, numbers, sizeof(numbers), cudaMemcpyHostToDevice);
	twice<<<2, n / 2>>>(memory);
	cudaMemcpy(numbers, memory, sizeof(numbers), cudaMemcpyDeviceToHost);
	cudaFree(memory);
	for (int i = 0; i < n; i++)
		wrong += numbers[i] != 2 * i + 1;
	puts(wrong ? "FAILED" : "PASSED");
	return wrong != 0;
}
