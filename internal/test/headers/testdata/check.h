/* check.h: what the programs of this folder compare values with. */
#ifndef CHECK_H
#define CHECK_H

#include <cstdio>
#include <cstdlib>

static int wrong = 0;

/* succeed ends the program if a call of the runtime has failed. */
#define succeed(call) \
	do { \
		cudaError_t result = (call); \
		if (result != cudaSuccess) { \
			std::printf("%s: %s\n", #call, cudaGetErrorString(result)); \
			std::exit(1); \
		} \
	} while (0)

/* same compares two values whose type has an ==. */
template <class W, class G>
static inline void sameAs(const W &want, const G &got, const char *what, int line) {
	if (!(want == got)) {
		std::printf("line %d: want %.17g, got %.17g: %s\n", line, (double)want, (double)got, what);
		wrong++;
	}
}

#define same(want, got) sameAs(want, got, #got, __LINE__)

/* Shared is memory that kernels write and the host reads. */
template <class T>
struct Shared {
	T *host, *device;
	explicit Shared(int n) {
		succeed(cudaHostAlloc((void **)&host, n * sizeof(T), cudaHostAllocMapped));
		succeed(cudaHostGetDevicePointer((void **)&device, host, 0));
		for (int i = 0; i < n; i++) {
			host[i] = T();
		}
	}
	~Shared() { cudaFreeHost(host); }
	T &operator[](int i) { return host[i]; }
};

/* finish waits for the kernel that was launched. */
static inline void finish() {
	succeed(cudaGetLastError());
	succeed(cudaDeviceSynchronize());
}

static inline int verdict() {
	std::printf(wrong ? "FAILED\n" : "PASSED\n");
	return wrong != 0;
}

#endif
