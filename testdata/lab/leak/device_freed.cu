// Allocations are freed in another order than they were made, by other names and in a function:
// right.
// output: done
// no finding
#include "../lab.h"

struct Pair {
	int *first, *second;
};

static void release(const Pair *pair) {
	CHECK(cudaFree(pair->first));
	CHECK(cudaFree(pair->second));
}

int main() {
	Pair pair;
	CHECK(cudaMalloc(&pair.second, 64));
	CHECK(cudaMalloc(&pair.first, 100));
	release(&pair);
	puts("done");
	return 0;
}
