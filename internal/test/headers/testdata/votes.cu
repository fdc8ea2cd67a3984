// Votes of a warp, barriers that count, shuffles, and the names of before CUDA 2.
#include "check.h"

__global__ void votes(int *out) {
	int i = threadIdx.x;
	int odd = i & 1;
	int *mine = out + 16 * i;
	mine[0] = __any(i == 3);
	mine[1] = __any(i == 40);
	mine[2] = __all(i < 64);
	mine[3] = __all(i != 3);
	mine[4] = __ballot(odd);
	mine[5] = any(i == 3);
	mine[6] = all(i != 3);
	mine[7] = __syncthreads_count(i % 3 == 0);
	mine[8] = __syncthreads_and(i < 63);
	mine[9] = __syncthreads_or(i == 63);
	syncthreads();
	mine[10] = __popc(__ballot(i < 40));
	mine[11] = warpSize;
}

void testVotes() {
	Shared<int> out(16 * 64);
	votes<<<1, 64>>>(out.device);
	finish();
	for (int i = 0; i < 64; i++) {
		int *mine = out.host + 16 * i;
		bool first = i < 32;
		same(first, mine[0] != 0);
		same(!first, mine[1] != 0);
		same(true, mine[2] != 0);
		same(!first, mine[3] != 0);
		same((int)0xaaaaaaaa, mine[4]);
		same(first, mine[5] != 0);
		same(!first, mine[6] != 0);
		same(22, mine[7]);
		same(false, mine[8] != 0);
		same(true, mine[9] != 0);
		same(first ? 32 : 8, mine[10]);
		same(32, mine[11]);
	}
}

// A function of the program's own is preferred to an old name with the same parameters.
__device__ float saturate(float x) { return x + 1; }

__global__ void oldNames(float *real, int *whole, unsigned int *natural) {
	real[0] = saturate(7.0f);
	real[1] = int_as_float(0x3f800000);
	real[2] = int2float(16777217, cudaRoundPosInf);
	real[3] = uint2float(16777217u, cudaRoundZero);
	whole[0] = mul24(-3, 5);
	whole[1] = mulhi(0x40000000, 8);
	whole[2] = float_as_int(1.0f);
	whole[3] = float2int(-1.5f, cudaRoundMinInf);
	natural[0] = umul24(0xff000003u, 5);
	natural[1] = umulhi(0x80000000u, 6);
	natural[2] = float2uint(1.5f, cudaRoundNearest);
	natural[3] = (unsigned int)(umul64hi(1ull << 63, 6) + mul64hi(1ll << 62, -8));
	threadfence();
}

void testOldNames() {
	Shared<float> real(4);
	Shared<int> whole(4);
	Shared<unsigned int> natural(4);
	oldNames<<<1, 1>>>(real.device, whole.device, natural.device);
	finish();
	same(8.0f, real[0]);
	same(1.0f, real[1]);
	same(16777218.0f, real[2]);
	same(16777216.0f, real[3]);
	same(-15, whole[0]);
	same(2, whole[1]);
	same(0x3f800000, whole[2]);
	same(-2, whole[3]);
	same(15u, natural[0]);
	same(3u, natural[1]);
	same(2u, natural[2]);
	same(1u, natural[3]);
}

int main() {
	testVotes();
	testOldNames();
	return verdict();
}
