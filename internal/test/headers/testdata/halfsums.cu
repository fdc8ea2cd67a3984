// Sums, products and roundings of numbers of 16 bits, by their definition: the nearest of two, the
// even one of two that are as near. A double holds each exact result, or more of it than matters.
#include "check.h"

#include "cuda_fp16.h"

const int cases = 20000;

struct Case {
	unsigned short a, b, c, sum, product, quotient, fused, root, zero, up, down, twice;
};

__host__ __device__ void compute(Case *x, float f, double d) {
	half a = __ushort_as_half(x->a), b = __ushort_as_half(x->b), c = __ushort_as_half(x->c);
	x->sum = __half_as_ushort(__hadd(a, b));
	x->product = __half_as_ushort(a * b);
	x->quotient = __half_as_ushort(__hdiv(a, b));
	x->fused = __half_as_ushort(__hfma(a, b, c));
	x->root = __half_as_ushort(hsqrt(__habs(a)));
	x->zero = __half_as_ushort(__float2half_rz(f));
	x->up = __half_as_ushort(__float2half_ru(f));
	x->down = __half_as_ushort(__float2half_rd(f));
	x->twice = __half_as_ushort(__double2half(d));
}

__global__ void computeAll(Case *x, const float *f, const double *d) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < cases) {
		compute(&x[i], f[i], d[i]);
	}
}

static double valueOf(unsigned bits) {
	int exponent = bits >> 10 & 31, fraction = bits & 1023;
	double value = exponent ? ldexp(1024 + fraction, exponent - 25) : ldexp(fraction, -24);
	return bits & 0x8000 ? -value : value;
}

// The greatest number of 16 bits that is not above a positive value; 65536 stands for infinity.
static unsigned below(double value) {
	unsigned low = 0, high = 0x7c00;
	while (low < high) {
		unsigned middle = (low + high + 1) / 2;
		if (valueOf(middle) <= value) low = middle;
		else high = middle - 1;
	}
	return low;
}

static unsigned nearest(double value) {
	unsigned sign = signbit(value) ? 0x8000 : 0;
	if (isnan(value)) return 0x7fff;
	value = fabs(value);
	unsigned low = below(value);
	if (low == 0x7c00) return sign | low;
	double from = value - valueOf(low), to = valueOf(low + 1) - value;
	return sign | (low + (from > to || (from == to && low % 2)));
}

static unsigned toZero(double value) {
	unsigned low = below(fabs(value));
	return (low == 0x7c00 && !isinf(value) ? 0x7bff : low) | (signbit(value) ? 0x8000 : 0);
}

static unsigned upward(double value) {
	unsigned zero = toZero(value);
	return value > valueOf(zero) ? zero + 1 : zero;
}

static void check(const Case &x, float f, double d) {
	double a = valueOf(x.a), b = valueOf(x.b), c = valueOf(x.c);
	same(nearest(a + b), (unsigned)x.sum);
	same(nearest(a * b), (unsigned)x.product);
	if (b != 0) same(nearest(a / b), (unsigned)x.quotient);
	same(nearest(a * b + c), (unsigned)x.fused);
	same(nearest(sqrt(fabs(a))), (unsigned)x.root);
	same(toZero(f), (unsigned)x.zero);
	same(upward(f), (unsigned)x.up);
	same(upward(-f) ^ 0x8000, (unsigned)x.down);
	same(nearest(d), (unsigned)x.twice);
}

// A finite number, often one whose fraction is near an end.
static unsigned short any() {
	unsigned r = (unsigned)rand() >> 4, bits = r & 0xffff;
	if (r >> 16 & 1) bits = (bits & 0xfc03) | (r >> 17 & 1 ? 0x3fc : 0);
	return (bits & 0x7c00) == 0x7c00 ? bits & 0xbfff : bits;
}

int main() {
	Shared<Case> x(cases);
	Shared<float> f(cases);
	Shared<double> d(cases);
	for (int i = 0; i < cases; i++) {
		x[i].a = any();
		x[i].b = any();
		x[i].c = i % 3 ? any() : nearest(-valueOf(x[i].a) * valueOf(x[i].b)) & 0xfbff;
		unsigned low = any();
		double middle = (valueOf(low) + valueOf(low ^ 1)) / 2;
		f[i] = (float)(i % 2 ? middle : middle * (1 + ldexp(rand() % 9 - 4, -20)));
		d[i] = i % 2 ? middle * (1 + ldexp(rand() % 9 - 4, -40)) : f[i];
	}
	f[0] = 1e30f, f[1] = -1e30f, f[2] = 1e-30f, f[3] = -1e-30f, f[4] = 65519.99f;
	d[0] = 1e300, d[1] = -65520.0, d[2] = 1e-9, d[3] = 65519.9999999, d[4] = -HUGE_VAL;
	computeAll<<<(cases + 127) / 128, 128>>>(x.device, f.device, d.device);
	finish();
	for (int i = 0; i < cases; i++) {
		check(x[i], f[i], d[i]);
		compute(&x[i], f[i], d[i]);
		check(x[i], f[i], d[i]);
	}
	return verdict();
}
