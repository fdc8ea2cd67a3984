// Records of six bytes are read byte by byte, so that no access is misaligned: right.
// output: 134678021
// no finding
#include "../lab.h"

__global__ void field(const unsigned char *records, unsigned *out) {
	const unsigned char *p = records + 6 * threadIdx.x + 1;
	out[threadIdx.x] = p[0] | p[1] << 8 | p[2] << 16 | (unsigned)p[3] << 24;
}

int main() {
	unsigned char h[12] = {0, 1, 2, 3, 4, 0, 0, 5, 6, 7, 8, 0}, *records;
	unsigned *out, got[2];
	CHECK(cudaMalloc(&records, sizeof h));
	CHECK(cudaMemcpy(records, h, sizeof h, cudaMemcpyHostToDevice));
	CHECK(cudaMalloc(&out, sizeof got));
	field<<<1, 2>>>(records, out);
	CHECK(cudaMemcpy(got, out, sizeof got, cudaMemcpyDeviceToHost));
	CHECK(cudaFree(out));
	CHECK(cudaFree(records));
	printf("%u\n", got[1]);
	return 0;
}
