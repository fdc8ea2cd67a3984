// The loop compares with a pointer one past the end, and never reads there: right.
// output: 120
// no finding
#include "../lab.h"

__global__ void sum(const int *p, const int *end, int *out) {
	int total = 0;
	for (; p != end; p++)
		total += *p;
	*out = total;
}

int main() {
	int h[16], *a, *out;
	for (int i = 0; i < 16; i++)
		h[i] = i;
	CHECK(cudaMalloc(&a, sizeof h));
	CHECK(cudaMalloc(&out, sizeof(int)));
	CHECK(cudaMemcpy(a, h, sizeof h, cudaMemcpyHostToDevice));
	sum<<<1, 1>>>(a, a + 16, out);
	CHECK(cudaMemcpy(h, out, sizeof(int), cudaMemcpyDeviceToHost));
	CHECK(cudaFree(out));
	CHECK(cudaFree(a));
	printf("%d\n", h[0]);
	return 0;
}
