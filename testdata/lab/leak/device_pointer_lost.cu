// A larger buffer takes the place of a smaller one in the pointer, and the smaller one is lost.
// output: done
#include "../lab.h"

int main() {
	int *a = NULL, room = 0;
	for (int need = 1; need <= 64; need *= 8)
		if (need > room) {
			CHECK(cudaMalloc(&a, need * sizeof(int))); // finding: leak device
			room = need;
		}
	CHECK(cudaFree(a));
	puts("done");
	return 0;
}
