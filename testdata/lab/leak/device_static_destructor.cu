// The destructor of a static object frees the buffer, behind the end of main: right.
// output: done
// no finding
#include "../lab.h"

class Buffer {
	int *a;

public:
	Buffer() : a(NULL) {}
	~Buffer() { CHECK(cudaFree(a)); }
	void grow(size_t bytes) { CHECK(cudaMalloc(&a, bytes)); }
};

static Buffer buffer;

int main() {
	buffer.grow(256);
	puts("done");
	return 0;
}
