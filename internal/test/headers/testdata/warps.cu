// What lanes of a warp do together, by the names of before and after CUDA 9, for any architecture.
// Options: -arch=sm_75
#include "check.h"

const unsigned whole = 0xffffffff;

// Each lane leaves one bit for each function that gave what it should.
__global__ void together(unsigned *out) {
	int lane = threadIdx.x % 32, n = 0;
	unsigned right = 0;
#define right(condition) right |= (unsigned)(condition) << n++
	right(__shfl_sync(whole, lane, 3) == 3);
	right(__shfl_up_sync(whole, (unsigned)lane, 1, 8) == (lane % 8 ? lane - 1u : lane));
	right(__shfl_down_sync(whole, (float)lane, 2) == (lane < 30 ? lane + 2 : lane));
	right(__shfl_xor_sync(whole, (double)lane, 5) == (lane ^ 5));
	right(__shfl_sync(whole, (long long)lane << 40, 7, 16) == (long long)(lane / 16 * 16 + 7) << 40);
	right(__shfl(lane, lane + 1) == (lane + 1) % 32);
	right(__shfl_up(lane, 4) == (lane < 4 ? lane : lane - 4));
	right(__shfl_down(lane, 4, 4) == lane);
	right(__shfl_xor(1ull << lane, 1) == 1ull << (lane ^ 1));
	right(__ballot_sync(whole, lane & 1) == 0xaaaaaaaa);
	right(__ballot(lane & 1) == 0xaaaaaaaa);
	right(__all_sync(whole, lane < 32) && !__all_sync(whole, lane) && __all(1) && !__all(lane));
	right(__any_sync(whole, lane == 9) && !__any_sync(whole, lane > 31) && __any(lane) && !__any(0));
	right(__uni_sync(whole, lane < 32) && !__uni_sync(whole, lane));
	right(__match_any_sync(whole, lane / 4) == 0xfu << lane / 4 * 4);
	right(__match_any_sync(whole, (unsigned long long)(lane % 2) << 40) == 0x55555555u << lane % 2);
	right(__match_any_sync(whole, 0.5 * (lane / 16)) == 0xffffu << lane / 16 * 16);
	int same = 2;
	right(__match_all_sync(whole, 7, &same) == whole && same == 1);
	right(__match_all_sync(whole, lane, &same) == 0 && same == 0);
	right(__match_all_sync(whole, 7ll << 33, &same) == whole && same == 1);
	right(__activemask() == whole);
	bool active = true;
	if (lane % 2) {
		active = __activemask() == 0xaaaaaaaa && __shfl_sync(0xaaaaaaaa, lane, 1) == 1;
	}
	right(active);
	__syncwarp();
	__nanosleep(10);
	out[threadIdx.x] = right == (1u << n) - 1 ? 1 : right;
#undef right
}

int main() {
	Shared<unsigned> out(64);
	together<<<1, 64>>>(out.device);
	finish();
	for (int i = 0; i < 64; i++) {
		same(1u, out[i]);
	}
	return verdict();
}
