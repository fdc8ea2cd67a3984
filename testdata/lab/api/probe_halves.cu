// The program takes half as much until an allocation succeeds. It compares each result, and needs
// no other look: right.
// output: less than a terabyte
// no finding
#include "../lab.h"

int main() {
	void *p;
	size_t n = (size_t)1 << 40;
	while (cudaMalloc(&p, n) != cudaSuccess)
		n /= 2;
	CHECK(cudaFree(p));
	if (n < (size_t)1 << 40)
		puts("less than a terabyte");
	return 0;
}
