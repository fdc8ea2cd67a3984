// Idioms of locks, run one after the other. The program that includes this file has State, h, blocks
// and threads before the line, and the table of idioms.
#pragma once
#include <cstdio>
#include <cstring>

struct Idiom {
	const char *name;
	void (*kernel)(State *);
	bool (*right)(); // of what the kernel left in h
};

#define IDIOM(k, r) {#k, k, r}

// Runs all idioms, or the one that the arguments name, and returns the status of the program.
template <int n> int run(Idiom (&idioms)[n], int argc, char **argv) {
	bool bad = false;
	for (Idiom &i : idioms) {
		if (argc > 1 && strcmp(argv[1], i.name)) continue;
		State *d;
		cudaMalloc(&d, sizeof h);
		cudaMemset(d, 0, sizeof h);
		i.kernel<<<blocks, threads>>>(d);
		cudaError_t e = cudaMemcpy(&h, d, sizeof h, cudaMemcpyDeviceToHost);
		bool ok = e == cudaSuccess && i.right();
		if (!ok) printf("%s: %s, %d %d\n", i.name, cudaGetErrorString(e), h.count[0], h.count[1]);
		bad = bad || !ok;
		cudaDeviceReset();
	}
	puts(bad ? "FAILED" : "PASSED");
	return bad;
}
