// C++17, and what CUDA has from sm_30 on: shuffles, votes and barriers of named lanes.
// Options: -std=c++17 -arch=sm_35
#include "check.h"

#include <type_traits>

template <class T, class Combine>
__device__ T reduce(T x, Combine combine) {
	for (int offset = 16; offset > 0; offset /= 2) {
		x = combine(x, __shfl_down_sync(0xffffffff, x, offset));
	}
	return __shfl_sync(0xffffffff, x, 0);
}

template <class... T>
__host__ __device__ constexpr auto sum(T... x) { return (x + ...); }

template <class T>
__device__ T twice(T x) {
	if constexpr (std::is_floating_point_v<T>) {
		return x * T(2);
	} else {
		return x << 1;
	}
}

__global__ void lanes(int *whole, double *real, unsigned long long *wide) {
	int i = threadIdx.x;
	auto add = [](auto a, auto b) { return a + b; };
	whole[i] = reduce(i, add);
	whole[32 + i] = __shfl_xor_sync(0xffffffff, i, 5) + 100 * __shfl_up_sync(0xffffffff, i, 2);
	whole[64 + i] = __shfl_sync(0xffffffff, i, 3, 8);
	whole[96 + i] = __any_sync(0xffffffff, i == 3) + 2 * __all_sync(0xffffffff, i < 9);
	whole[128 + i] = __ballot_sync(0xffffffff, i % 3 == 0);
	whole[160 + i] = twice(i) + (int)twice(0.5f) + __ldg(whole + i) + sum(1, 2, 3);
	__syncwarp();
	real[i] = reduce(i + 0.5, add);
	wide[i] = __shfl_sync(0xffffffff, (unsigned long long)i << 40, 7);
}

int main() {
	static_assert(sum(1, 2, 3) == 6);
	Shared<int> whole(192);
	Shared<double> real(32);
	Shared<unsigned long long> wide(32);
	lanes<<<1, 32>>>(whole.device, real.device, wide.device);
	finish();
	for (int i = 0; i < 32; i++) {
		same(496, whole[i]);
		same((i ^ 5) + 100 * (i < 2 ? i : i - 2), whole[32 + i]);
		same(i / 8 * 8 + 3, whole[64 + i]);
		same(1, whole[96 + i]);
		same(0x49249249, whole[128 + i]);
		same(2 * i + 1 + 496 + 6, whole[160 + i]);
		same(512.0, real[i]);
		same(7ull << 40, wide[i]);
	}
	return verdict();
}
