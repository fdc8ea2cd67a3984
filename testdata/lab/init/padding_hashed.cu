// Kernels write the members of structures and hash all bytes: three bytes of padding behind the
// char have no value, and the hash depends on them.
// output: done
#include "../lab.h"

struct Entry {
	char key;
	int value;
};

__global__ void fill(Entry *a) {
	a[threadIdx.x].key = threadIdx.x;
	a[threadIdx.x].value = 1;
}

__global__ void hash(const unsigned char *bytes, unsigned *out) {
	unsigned h = 17;
	for (int i = 0; i < sizeof(Entry); i++)
		h = h * 31 + bytes[threadIdx.x * sizeof(Entry) + i]; // with a
	out[threadIdx.x] = h;
}

int main() {
	Entry *a;
	unsigned *out, h[32];
	CHECK(cudaMalloc(&a, 32 * sizeof(Entry)));
	CHECK(cudaMalloc(&out, sizeof h));
	fill<<<1, 32>>>(a);
	hash<<<1, 32>>>((unsigned char *)a, out);
	CHECK(cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost)); // finding a: init output global
	CHECK(cudaFree(out));
	CHECK(cudaFree(a));
	puts("done");
	return 0;
}
