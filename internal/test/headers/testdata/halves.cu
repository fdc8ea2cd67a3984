// Numbers of 16 bits: every one of them as a float and back, roundings, and arithmetic.
#include "check.h"

#include "cuda_fp16.h"

__global__ void widen(float *out) {
	for (int i = threadIdx.x; i < 65536; i += blockDim.x) {
		out[i] = __half2float(__ushort_as_half(i));
	}
}

__global__ void round(const float *in, unsigned short *out) {
	out[threadIdx.x] = __half_as_ushort(__float2half(in[threadIdx.x]));
}

// The value of a number of 16 bits, by its definition.
static float valueOf(unsigned bits) {
	int exponent = bits >> 10 & 31, fraction = bits & 1023;
	float value = exponent == 0    ? ldexpf(fraction, -24)
	              : exponent == 31 ? (fraction ? NAN : HUGE_VALF)
	                               : ldexpf(1024 + fraction, exponent - 25);
	return bits & 0x8000 ? -value : value;
}

void testConversions() {
	Shared<float> wide(65536), in(128);
	Shared<unsigned short> out(128);
	widen<<<1, 128>>>(wide.device);
	finish();
	for (int i = 0; i < 65536; i++) {
		float want = valueOf(i), host = __half2float(__ushort_as_half(i));
		same(true, isnan(want) ? isnan(wide[i]) && isnan(host) : want == wide[i] && want == host);
		same(true, isnan(want) || __half_as_ushort(__float2half(want)) == i);
	}
	// Between two neighbours: a little less than half, half, a little more.
	for (int i = 0; i < 120; i++) {
		unsigned low = i / 3 * 797;
		float middle = (valueOf(low) + valueOf(low + 1)) / 2;
		in[i] = i % 3 == 0 ? nextafterf(middle, 0) : i % 3 == 1 ? middle : nextafterf(middle, 1e9f);
	}
	in[120] = 65519.99f;
	in[121] = 65520;
	in[122] = -1e-9f;
	round<<<1, 128>>>(in.device, out.device);
	finish();
	for (int i = 0; i < 120; i++) {
		unsigned low = i / 3 * 797, even = low + (low & 1);
		unsigned want = i % 3 == 0 ? low : i % 3 == 1 ? even : low + 1;
		same(want, (unsigned)out[i]);
		same(want, (unsigned)__half_as_ushort(__float2half(in[i])));
	}
	same(0x7bff, (int)out[120]);
	same(0x7c00, (int)out[121]);
	same(0x8000, (int)out[122]);
}

__host__ __device__ float work(int i) {
	half a = 1.5f + i, b = 0.333f;
	half2 c = __hadd2(__floats2half2_rn(1, 2), __half2half2(b));
	a += b * half(3) - b / a;
	return a > b ? float(-a) + __low2float(c) * __high2float(c) : float(hsqrt(b));
}

__global__ void compute(float *out) { out[threadIdx.x] = work(threadIdx.x); }

int main() {
	testConversions();
	Shared<float> out(32);
	compute<<<1, 32>>>(out.device);
	finish();
	for (int i = 0; i < 32; i++) {
		same(work(i), out[i]);
	}
	return verdict();
}
