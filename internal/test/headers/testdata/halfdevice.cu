// A macro makes functions those of the device in the half for the device alone.
#include "check.h"

#ifdef __CUDA_ARCH__
#define BOTH __host__ __device__
#else
#define BOTH
#endif

BOTH int twice(int x) { return 2 * x; }

template <class T>
BOTH T thrice(T x) {
	return x + twice(x);
}

struct Pair {
	int a, b;
	BOTH Pair(int a, int b) : a(a), b(b) {}
	BOTH int sum() const { return a + b; }
};

__device__ int fromDevice(int x) { return thrice(x); }
__global__ void kernel(int *out) { out[threadIdx.x] = Pair(fromDevice(threadIdx.x), 1).sum(); }

int main() {
	Shared<int> out(32);
	kernel<<<1, 32>>>(out.device);
	finish();
	for (int i = 0; i < 32; i++) {
		same(Pair(thrice(i), 1).sum(), out[i]);
	}
	return verdict();
}
