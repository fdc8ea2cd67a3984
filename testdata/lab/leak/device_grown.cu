// A larger buffer takes the place of a smaller one, which is freed before: right.
// output: done
// no finding
#include "../lab.h"

int main() {
	int *a = NULL, room = 0;
	for (int need = 1; need <= 64; need *= 8)
		if (need > room) {
			CHECK(cudaFree(a));
			CHECK(cudaMalloc(&a, need * sizeof(int)));
			room = need;
		}
	CHECK(cudaFree(a));
	puts("done");
	return 0;
}
