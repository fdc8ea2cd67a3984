// Three of the four floats of a vector are written. All 16 bytes are read at once, and three floats
// are used: right.
// output: 6.0
// no finding
#include "../lab.h"

__global__ void fill(float4 *a) {
	float4 *v = a + threadIdx.x;
	v->x = 1;
	v->y = 2;
	v->z = 3;
}

__global__ void sums(const float4 *a, float *out) {
	float4 v = a[threadIdx.x];
	out[threadIdx.x] = v.x + v.y + v.z;
}

int main() {
	float4 *a;
	float *out, h[32];
	CHECK(cudaMalloc(&a, 32 * sizeof(float4)));
	CHECK(cudaMalloc(&out, sizeof h));
	fill<<<1, 32>>>(a);
	sums<<<1, 32>>>(a, out);
	CHECK(cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost));
	CHECK(cudaFree(out));
	CHECK(cudaFree(a));
	printf("%.1f\n", h[31]);
	return 0;
}
