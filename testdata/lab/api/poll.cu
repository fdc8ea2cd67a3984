// The program asks again and again whether stream and event are ready. "Not ready" is an answer,
// not a failure: right.
// output: 31
// no finding
#include "../lab.h"

__global__ void fill(int *a) {
	a[threadIdx.x] = threadIdx.x;
}

int main() {
	int *a, h[32];
	cudaStream_t stream;
	cudaEvent_t end;
	CHECK(cudaMalloc(&a, sizeof h));
	CHECK(cudaStreamCreate(&stream));
	CHECK(cudaEventCreate(&end));
	fill<<<1, 32, 0, stream>>>(a);
	CHECK(cudaEventRecord(end, stream));
	while (cudaEventQuery(end) == cudaErrorNotReady)
		;
	while (cudaStreamQuery(stream) == cudaErrorNotReady)
		;
	CHECK(cudaMemcpy(h, a, sizeof h, cudaMemcpyDeviceToHost));
	CHECK(cudaEventDestroy(end));
	CHECK(cudaStreamDestroy(stream));
	CHECK(cudaFree(a));
	printf("%d\n", h[31]);
	return 0;
}
