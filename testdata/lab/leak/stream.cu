// Each round makes a stream and destroys none.
// output: done
#include "../lab.h"

__global__ void nothing() {
}

int main() {
	for (int round = 0; round < 3; round++) {
		cudaStream_t stream;
		CHECK(cudaStreamCreate(&stream)); // finding: leak stream
		nothing<<<1, 1, 0, stream>>>();
		CHECK(cudaStreamSynchronize(stream));
	}
	puts("done");
	return 0;
}
