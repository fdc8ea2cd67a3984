// A destructor frees the buffer of a class on every way out of the function: right.
// output: done
// no finding
#include "../lab.h"

class Buffer {
	int *a;

public:
	Buffer(size_t bytes) { CHECK(cudaMalloc(&a, bytes)); }
	~Buffer() { CHECK(cudaFree(a)); }
	void clear(int n) { CHECK(cudaMemset(a, 0, n * sizeof(int))); }
};

static void work(int n) {
	Buffer buffer(256);
	if (n == 0)
		return;
	buffer.clear(n);
}

int main() {
	work(8);
	work(0);
	puts("done");
	return 0;
}
