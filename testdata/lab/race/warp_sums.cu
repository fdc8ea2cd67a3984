// Each warp adds its own 32 elements without barriers, and a barrier comes before the sums of the
// warps are added: right on these devices.
// output: 8128
// no finding
#include "../lab.h"

__global__ void sum(const int *a, int *out) {
	__shared__ volatile int s[128 + 16];
	__shared__ int sums[4];
	int t = threadIdx.x, lane = t % 32;
	s[t] = a[t]; // with a
	for (int n = 16; n > 0; n /= 2)
		if (lane < n)
			s[t] = s[t] + s[t + n]; // note a: race warp-synchronous shared; with a
	if (lane == 0)
		sums[t / 32] = s[t];
	__syncthreads();
	if (t == 0)
		*out = sums[0] + sums[1] + sums[2] + sums[3];
}

int main() {
	int h[128], *a, *out;
	for (int i = 0; i < 128; i++)
		h[i] = i;
	CHECK(cudaMalloc(&a, sizeof h));
	CHECK(cudaMalloc(&out, sizeof(int)));
	CHECK(cudaMemcpy(a, h, sizeof h, cudaMemcpyHostToDevice));
	sum<<<1, 128>>>(a, out);
	CHECK(cudaMemcpy(h, out, sizeof(int), cudaMemcpyDeviceToHost));
	CHECK(cudaFree(out));
	CHECK(cudaFree(a));
	printf("%d\n", h[0]);
	return 0;
}
