// Half of a table of places was copied to the device, and all of it is used.
// output: done
#include "../lab.h"

__global__ void gather(const int *place, const int *in, int *out) {
	int at = place[threadIdx.x] & 31; // with a
	out[threadIdx.x] = in[at]; // finding a: init address global
}

int main() {
	int *place, *in, *out, h[32] = {};
	CHECK(cudaMalloc(&place, sizeof h));
	CHECK(cudaMalloc(&in, sizeof h));
	CHECK(cudaMalloc(&out, sizeof h));
	CHECK(cudaMemcpy(place, h, sizeof h / 2, cudaMemcpyHostToDevice));
	CHECK(cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice));
	gather<<<1, 32>>>(place, in, out);
	CHECK(cudaDeviceSynchronize());
	CHECK(cudaFree(out));
	CHECK(cudaFree(in));
	CHECK(cudaFree(place));
	puts("done");
	return 0;
}
