// An allocation of a terabyte fails, and the program does not look.
// output: done
#include "../lab.h"

int main() {
	void *p = NULL;
	cudaMalloc(&p, (size_t)1 << 40); // finding: api unchecked
	puts("done");
	return 0;
}
