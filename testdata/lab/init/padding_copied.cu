// Structures are copied with their padding, which has no value, and the host gets the members
// alone: right.
// output: 7
// no finding
#include "../lab.h"

struct Entry {
	char key;
	int value;
};

__global__ void fill(Entry *a) {
	a[threadIdx.x].key = threadIdx.x;
	a[threadIdx.x].value = 7;
}

__global__ void copy(const long long *from, long long *to) {
	to[threadIdx.x] = from[31 - threadIdx.x];
}

__global__ void values(const Entry *a, int *out) {
	out[threadIdx.x] = a[threadIdx.x].value;
}

int main() {
	Entry *a, *b;
	int *out, h[32];
	CHECK(cudaMalloc(&a, 32 * sizeof(Entry)));
	CHECK(cudaMalloc(&b, 32 * sizeof(Entry)));
	CHECK(cudaMalloc(&out, sizeof h));
	fill<<<1, 32>>>(a);
	copy<<<1, 32>>>((long long *)a, (long long *)b);
	values<<<1, 32>>>(b, out);
	CHECK(cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost));
	CHECK(cudaFree(out));
	CHECK(cudaFree(b));
	CHECK(cudaFree(a));
	printf("%d\n", h[0]);
	return 0;
}
