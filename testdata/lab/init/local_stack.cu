// A thread uses a local array as a stack: it pops what it pushed, and never reads beyond: right.
// output: 21
// no finding
#include "../lab.h"

__global__ void sum(int *out, int n) {
	int stack[16], top = 0, total = 0;
	for (int i = 1; i <= n; i++)
		stack[top++] = i;
	while (top > 0)
		total += stack[--top];
	out[threadIdx.x] = total;
}

int main() {
	int *out, h[32];
	CHECK(cudaMalloc(&out, sizeof h));
	sum<<<1, 32>>>(out, 6);
	CHECK(cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost));
	CHECK(cudaFree(out));
	printf("%d\n", h[31]);
	return 0;
}
