// Every atomic operation of each type: the old values and the new ones.
#include "check.h"

// Each function takes the operation's own name, so that overloads are chosen as programs do.
#define OPERATION(name) \
	template <class T> \
	__global__ void name##Of(T *word, T value, T *old) { *old = name(word, value); } \
	template <class T> \
	void name##Is(T from, T value, T want) { \
		Shared<T> old(1); \
		T *word, now; \
		succeed(cudaMalloc(&word, sizeof(T))); \
		succeed(cudaMemcpy(word, &from, sizeof(T), cudaMemcpyHostToDevice)); \
		name##Of<<<1, 1>>>(word, value, old.device); \
		finish(); \
		succeed(cudaMemcpy(&now, word, sizeof(T), cudaMemcpyDeviceToHost)); \
		succeed(cudaFree(word)); \
		same(from, old[0]); \
		same(want, now); \
	}

typedef unsigned int uint;
typedef unsigned long long ull;
typedef long long ll;

OPERATION(atomicAdd)
OPERATION(atomicSub)
OPERATION(atomicExch)
OPERATION(atomicMin)
OPERATION(atomicMax)
OPERATION(atomicInc)
OPERATION(atomicDec)
OPERATION(atomicAnd)
OPERATION(atomicOr)
OPERATION(atomicXor)

template <class T>
__global__ void compareAndSwap(T *words, T compare, T value, T *old) {
	old[threadIdx.x] = atomicCAS(&words[threadIdx.x], compare, value);
}

template <class T>
void compareAndSwapIs(T compare, T value) {
	T words[2] = {compare, (T)(compare + 1)}, *device;
	Shared<T> old(2);
	succeed(cudaMalloc(&device, sizeof words));
	succeed(cudaMemcpy(device, words, sizeof words, cudaMemcpyHostToDevice));
	compareAndSwap<<<1, 2>>>(device, compare, value, old.device);
	finish();
	succeed(cudaMemcpy(words, device, sizeof words, cudaMemcpyDeviceToHost));
	succeed(cudaFree(device));
	same(compare, old[0]);
	same((T)(compare + 1), old[1]);
	same(value, words[0]);
	same((T)(compare + 1), words[1]);
}

// Many threads and one word: no operation may be lost, in global memory nor in shared memory.
__global__ void crowd(int *sum, float *real, double *wide, uint *ring) {
	__shared__ int local;
	if (threadIdx.x == 0) {
		local = 0;
	}
	__syncthreads();
	atomicAdd(&local, (int)threadIdx.x);
	atomicAdd(real, 0.5f);
	atomicAdd(wide, 0.25);
	atomicInc(ring, 6u);
	__syncthreads();
	if (threadIdx.x == 0) {
		atomicAdd(sum, local);
	}
}

void crowdIs() {
	struct Words { double wide; int sum; float real; uint ring; } zero = {0, 0, 0, 0}, *words;
	succeed(cudaMalloc(&words, sizeof zero));
	succeed(cudaMemcpy(words, &zero, sizeof zero, cudaMemcpyHostToDevice));
	crowd<<<3, 64>>>(&words->sum, &words->real, &words->wide, &words->ring);
	finish();
	succeed(cudaMemcpy(&zero, words, sizeof zero, cudaMemcpyDeviceToHost));
	succeed(cudaFree(words));
	same(3 * 63 * 64 / 2, zero.sum);
	same(96.0f, zero.real);
	same(48.0, zero.wide);
	same(192u % 7u, zero.ring);
}

int main() {
	atomicAddIs<int>(-3, 5, 2);
	atomicAddIs<uint>(0xffffffffu, 2, 1);
	atomicAddIs<ull>(0xffffffffull, 1, 0x100000000ull);
	atomicAddIs<float>(1.5f, 2.25f, 3.75f);
	atomicAddIs<double>(1.5, 1e-9, 1.5 + 1e-9);
	atomicSubIs<int>(1, 3, -2);
	atomicSubIs<uint>(1, 3, 0xfffffffeu);
	atomicExchIs<int>(1, -2, -2);
	atomicExchIs<uint>(1, 7, 7);
	atomicExchIs<ull>(1, 0x123456789abcull, 0x123456789abcull);
	atomicExchIs<float>(1.5f, -0.25f, -0.25f);
	atomicMinIs<int>(1, -2, -2);
	atomicMinIs<uint>(1, 0xfffffffeu, 1);
	atomicMinIs<ull>(1, 0xffffffff00000000ull, 1);
	atomicMinIs<ll>(1, -0x100000000ll, -0x100000000ll);
	atomicMaxIs<int>(1, -2, 1);
	atomicMaxIs<uint>(1, 0xfffffffeu, 0xfffffffeu);
	atomicMaxIs<ull>(1, 0x100000000ull, 0x100000000ull);
	atomicMaxIs<ll>(1, -0x100000000ll, 1);
	atomicIncIs<uint>(4, 5, 5);
	atomicIncIs<uint>(5, 5, 0);
	atomicDecIs<uint>(0, 5, 5);
	atomicDecIs<uint>(9, 5, 5);
	atomicDecIs<uint>(3, 5, 2);
	atomicAndIs<int>(-1, 12, 12);
	atomicAndIs<uint>(10, 12, 8);
	atomicAndIs<ull>(0xff00000000ull, 0x0f00000001ull, 0x0f00000000ull);
	atomicOrIs<int>(1, 12, 13);
	atomicOrIs<uint>(10, 12, 14);
	atomicOrIs<ull>(1, 0xf00000000ull, 0xf00000001ull);
	atomicXorIs<int>(-1, 12, -13);
	atomicXorIs<uint>(10, 12, 6);
	atomicXorIs<ull>(3, 0xf00000001ull, 0xf00000002ull);
	compareAndSwapIs<int>(-4, 9);
	compareAndSwapIs<uint>(4, 9);
	compareAndSwapIs<ull>(0x400000004ull, 0x900000009ull);
	crowdIs();
	return verdict();
}
