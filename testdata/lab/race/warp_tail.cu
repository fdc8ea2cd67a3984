// The first warp alone adds the last 64 elements, by volatile accesses and without barriers. Its
// lanes run in lock step on these devices: right. From sm_70 on, it is a race.
// output: 2016
// no finding
#include "../lab.h"

__global__ void sum(const int *a, int *out) {
	__shared__ int s[64];
	int t = threadIdx.x;
	s[t] = a[t];
	__syncthreads();
	if (t < 32) {
		volatile int *v = s;
		for (int n = 32; n > 0; n /= 2)
			v[t] = v[t] + v[t + n]; // note: race warp-synchronous shared
	}
	if (t == 0)
		*out = s[0];
}

int main() {
	int h[64], *a, *out;
	for (int i = 0; i < 64; i++)
		h[i] = i;
	CHECK(cudaMalloc(&a, sizeof h));
	CHECK(cudaMalloc(&out, sizeof(int)));
	CHECK(cudaMemcpy(a, h, sizeof h, cudaMemcpyHostToDevice));
	sum<<<1, 64>>>(a, out);
	CHECK(cudaMemcpy(h, out, sizeof(int), cudaMemcpyDeviceToHost));
	CHECK(cudaFree(out));
	CHECK(cudaFree(a));
	printf("%d\n", h[0]);
	return 0;
}
