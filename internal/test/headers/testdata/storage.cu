// Numbers of 16 bits under the names that programs use: conversions, pairs, comparisons.
#include "check.h"

#include "cuda_fp16.h"

__global__ void convert(__half *h, float *f) {
	__half x = __float2half(1.5f);
	h[0] = x;
	h[1] = __float2half_rz(0.1f);
	__half2 pair = __floats2half2_rn(1, 2);
	f[0] = __half2float(x);
	f[1] = __low2float(pair);
	f[2] = __high2float(pair);
	f[3] = __half2float(__hadd(__float2half(1), __float2half(2)));
	f[4] = __low2float(__hfma2(pair, pair, __float2half2_rn(0.5f)));
	f[5] = __high2float(__lowhigh2highlow(pair));
	f[6] = __half2int_rd(__float2half(-2.5f)) + __half2uint_ru(__int2half_rn(3));
	f[7] = __hgt(x, pair.x) && !__hlt(x, x) && __hbeq2(pair, pair) &&
	       __hneu(x, hrcp(__half(0)) - hrcp(__half(0)));
	f[8] = __half2float(__hmax(x, __hneg(x))) + __half2float(hexp2(__half(3u)));
	f[9] = __half22float2(__hgt2(pair, __half2half2(x))).y;
}

int main() {
	Shared<__half> h(2);
	Shared<float> f(10);
	convert<<<1, 1>>>(h.device, f.device);
	finish();
	const float want[] = {1.5f, 1, 2, 3, 1.5f, 1, 0, 1, 9.5f, 1};
	for (int i = 0; i < 10; i++) same(want[i], f[i]);
	same(0x3e00u, (unsigned)__half_as_ushort(h[0]));
	same(0x2e66u, (unsigned)__half_as_ushort(h[1]));
	return verdict();
}
