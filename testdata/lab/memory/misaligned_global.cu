// A word is read at an odd address of a message.
// output: misaligned address
// exit: 1
#include "../lab.h"

__global__ void field(const char *message, int at, int *out) {
	*out = *(const int *)(message + at); // finding: memory misaligned global
}

int main() {
	char *message;
	int *out;
	CHECK(cudaMalloc(&message, 16));
	CHECK(cudaMemset(message, 0, 16));
	CHECK(cudaMalloc(&out, sizeof(int)));
	field<<<1, 1>>>(message, 5, out);
	CHECK(cudaDeviceSynchronize());
	puts("done");
	return 0;
}
