// Atomic operations that name whose threads see them: those of a block, or of the system.
#include "check.h"

template <class T>
__global__ void counts(T *out) {
	atomicAdd_block(&out[0], 1);
	atomicAdd_system(&out[1], 2);
	atomicExch_block(&out[2], 7);
	atomicCAS_system(&out[3], 0, 5);
	atomicCAS_block(&out[3], 5, 6);
	atomicMin_block(&out[4], 3);
	atomicMax_system(&out[5], 9);
	atomicAnd_block(&out[6], 6);
	atomicOr_system(&out[7], 8);
	atomicXor_block(&out[8], 0);
}

__global__ void others(unsigned *u, float *f, double *d) {
	atomicInc_block(&u[0], 1000);
	atomicDec_system(&u[1], 1000);
	atomicSub_block(&u[2], 1);
	atomicAdd_block(&f[0], 0.5f);
	atomicExch_system(&f[1], 2.5f);
	atomicAdd_system(&d[0], 0.25);
}

template <class T>
void testCounts() {
	Shared<T> out(9);
	for (int i = 0; i < 9; i++) out[i] = i == 4 || i == 6 ? 7 : 0;
	counts<<<2, 64>>>(out.device);
	finish();
	const int want[] = {128, 256, 7, 6, 3, 9, 6, 8, 0};
	for (int i = 0; i < 9; i++) same(want[i], (int)out[i]);
}

int main() {
	testCounts<int>();
	testCounts<unsigned>();
	testCounts<unsigned long long>();
	Shared<unsigned> u(3);
	Shared<float> f(2);
	Shared<double> d(1);
	u[0] = u[2] = 0;
	u[1] = 1000;
	f[0] = f[1] = 0;
	d[0] = 0;
	others<<<2, 64>>>(u.device, f.device, d.device);
	finish();
	same(128u, u[0]);
	same(872u, u[1]);
	same(0u - 128, u[2]);
	same(64.0f, f[0]);
	same(2.5f, f[1]);
	same(32.0, d[0]);
	return verdict();
}
