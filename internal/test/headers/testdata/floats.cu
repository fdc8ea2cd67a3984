// Mathematics: roundings, conversions, the overloads for float, and the host's own functions.
#include "check.h"
#include "math_constants.h"

static bool near(double want, double got, double relative) {
	return want == got || fabs(want - got) <= relative * fabs(want) || (want != want && got != got);
}

static void closeTo(double want, double got, const char *what) {
	if (!near(want, got, 1e-5)) {
		printf("want %.9g, got %.9g: %s\n", want, got, what);
		wrong++;
	}
}

#define close(want, got) closeTo(want, got, #want)

/* Names that mean the same on both sides, for float (with and without f) and for double. */
#define COMMON(is) \
	is(round(x)) is(rint(x)) is(trunc(x)) is(floor(x)) is(ceil(x)) is(nearbyint(x)) \
	is(fmax(x, y)) is(fmin(x, y)) is(fdim(x, y)) is(hypot(x, y)) is(copysign(x, y)) \
	is(fmod(x, y)) is(remainder(x, y)) is(pow(fabs(x), y)) is(pow(x, 3)) is(ldexp(x, 5)) \
	is(sqrt(y)) is(cbrt(x)) is(exp(x)) is(exp2(x)) is(expm1(x)) is(log(y)) is(log2(y)) \
	is(log10(y)) is(log1p(y)) is(sin(x)) is(cos(x)) is(tan(x)) is(asin(x / 8)) is(acos(x / 8)) \
	is(atan(x)) is(atan2(x, y)) is(sinh(x)) is(cosh(x)) is(tanh(x)) is(asinh(x)) is(acosh(y + 1)) \
	is(atanh(x / 8)) is(erf(x)) is(erfc(x)) is(tgamma(y)) is(lgamma(y)) is(logb(x)) \
	is(scalbn(x, -3)) is(fma(x, y, x)) is(fabs(x)) is(abs(x)) is(lrint(x)) is(lround(x)) \
	is(llrint(x)) is(llround(x)) is(ilogb(x)) is(rsqrt(y)) is(rcbrt(y)) is(sinpi(x)) is(cospi(x)) \
	is(exp10(x)) is(rhypot(x, y)) is(normcdf(x)) is(fdivide(x, y)) is(min(x, y)) is(max(x, y)) \
	is(min(1.0, x)) is(max(2.0f, y)) is(isnan(x)) is(isinf(x)) is(isfinite(x)) is(signbit(x)) \
	is(std::sqrt(y)) is(std::abs(x)) is(std::pow(y, x))

enum { most = 80 };

template <class T>
__global__ void compute(T x, T y, double *out) {
	int n = 0;
#define DEVICE(expression) out[n++] = expression;
	COMMON(DEVICE)
}

template <class T>
void test(T x, T y) {
	Shared<double> out(most);
	compute<<<1, 1>>>(x, y, out.device);
	finish();
	int n = 0;
#define HOST(expression) close((double)(expression), out[n]), n++;
	COMMON(HOST)
	same(true, n <= (int)most);
}

/* Roundings, whose results are exact. */
__global__ void rounded(float x, float y, double z, float *single, double *both, int *whole) {
	float s[] = {__fadd_rz(x, y), __fadd_rn(x, y), __fmul_rz(x, y), __fmul_rn(x, y),
	             __fmaf_rn(x, y, -y), __fdiv_rn(y, x), __frcp_rn(x), __fsqrt_rn(x),
	             __saturatef(x), __int_as_float(__float_as_int(x)), __half2float(0x3c01),
	             __half2float(__float2half_rn(1.00048828125f)), CUDART_INF_F, CUDART_PI_F};
	double d[] = {__dadd_rn(z, x), __dmul_rz(z, z), __fma_rn(z, z, -z), __ddiv_rn(1.0, z),
	              __drcp_rn(z), __dsqrt_rn(z), __hiloint2double(0x3ff00000, 1), CUDART_PI};
	int w[] = {__float2int_rz(-2.5f), __float2int_rn(2.5f), __float2int_ru(2.25f),
	           __float2int_rd(-2.25f), __double2int_rz(-2.5), __double2hiint(1.0),
	           __double2loint(CUDART_PI), (int)__float2uint_rn(3.5f), (int)__float2ll_rd(-0.5f)};
	for (int i = 0; i < 14; i++) {
		single[i] = s[i];
	}
	for (int i = 0; i < 8; i++) {
		both[i] = d[i];
	}
	for (int i = 0; i < 9; i++) {
		whole[i] = w[i];
	}
}

/* down is the float next to zero from x, which a truncated result of x gives. */
void testRoundings() {
	const float x = 1.0000001f, y = 3e-8f;
	const double z = 1.1;
	Shared<float> s(14);
	Shared<double> d(8);
	Shared<int> w(9);
	rounded<<<1, 1>>>(x, y, z, s.device, d.device, w.device);
	finish();
	float product = (float)((double)x * y);
	float truncated = product > (double)x * y ? nextafterf(product, 0) : product;
	float wantSingle[] = {x, (float)((double)x + y), truncated, product,
	                      fmaf(x, y, -y), y / x, 1 / x, sqrtf(x), 1, x, 1.0009765625f,
	                      1.0f, HUGE_VALF, 3.14159265f};
	double square = z * z;
	double wantBoth[] = {z + x, fma(z, z, -square) < 0 ? nextafter(square, 0) : square,
	                     fma(z, z, -z), 1 / z, 1 / z, sqrt(z), 1 + ldexp(1.0, -52), acos(-1.0)};
	int wantWhole[] = {-2, 2, 3, -3, -2, 0x3ff00000, 0x54442d18, 4, -1};
	for (int i = 0; i < 14; i++) {
		same(wantSingle[i], s[i]);
	}
	for (int i = 0; i < 8; i++) {
		same(wantBoth[i], d[i]);
	}
	for (int i = 0; i < 9; i++) {
		same(wantWhole[i], w[i]);
	}
}

/* Functions with several results, and fast ones, which are approximate. */
__global__ void several(float x, float *out) {
	double s, c, whole;
	int exponent, quotient;
	sincosf(x, &out[0], &out[1]);
	sincos(x, &out[2], &out[3]);
	sincos((double)x, &s, &c);
	out[4] = s + c;
	out[5] = modf(x, &out[6]);
	out[7] = modf((double)x, &whole) + whole;
	out[8] = frexp(x, &exponent) + exponent;
	out[9] = remquo(x, 0.75f, &quotient) + quotient;
	out[10] = __sinf(x);
	out[11] = __cosf(x);
	out[12] = __expf(x);
	out[13] = __logf(x);
	out[14] = __powf(x, 1.5f);
	out[15] = __fdividef(x, 3);
	out[16] = __log2f(x) + __log10f(x);
	out[17] = __tanf(x);
}

void testSeveral() {
	const float x = 2.3f;
	float whole;
	int exponent, quotient;
	Shared<float> out(18);
	several<<<1, 1>>>(x, out.device);
	finish();
	double fraction = modff(x, &whole);
	float want[] = {sinf(x), cosf(x), sinf(x), cosf(x), sinf(x) + cosf(x), (float)fraction, whole,
	                x, frexpf(x, &exponent) + exponent, 0, sinf(x), cosf(x), expf(x), logf(x),
	                powf(x, 1.5f), x / 3, log2f(x) + log10f(x), tanf(x)};
	want[8] = frexpf(x, &exponent);
	want[8] += exponent;
	want[9] = remquof(x, 0.75f, &quotient);
	want[9] += quotient;
	for (int i = 0; i < 18; i++) {
		close(want[i], out[i]);
	}
}

/* Powers of two beyond 32 bits, of numbers, zeros and NaN. float has no subnormal numbers. */
enum { bases = 9, powers = 6 };

__global__ void scale(const double *x, const long *n, float *single, double *both) {
	int i = threadIdx.x, j = threadIdx.y;
	single[i * powers + j] = scalblnf((float)x[i], n[j]);
	both[i * powers + j] = scalbln(x[i], n[j]);
}

void testScales() {
	const double x[bases] = {0.0, -0.0, 1.5, -1.5, 1e-310, -1e-310, HUGE_VAL, -HUGE_VAL, NAN};
	const long n[powers] = {1L << 40, -(1L << 40), LONG_MAX, LONG_MIN, 3, -3};
	Shared<double> base(bases), both(bases * powers);
	Shared<long> power(powers);
	Shared<float> single(bases * powers);
	for (int i = 0; i < bases; i++) {
		base[i] = x[i];
	}
	for (int j = 0; j < powers; j++) {
		power[j] = n[j];
	}
	scale<<<1, dim3(bases, powers)>>>(base.device, power.device, single.device, both.device);
	finish();
	for (int i = 0; i < bases; i++) {
		for (int j = 0; j < powers; j++) {
			double want = scalbln(x[i], n[j]), got = both[i * powers + j];
			float want1 = scalblnf((float)x[i], n[j]), got1 = single[i * powers + j];
			same(true, near(want, got, 0) && (want != want || signbit(want) == signbit(got)));
			same(true, near(want1, got1, 0) && (want1 != want1 || signbit(want1) == signbit(got1)));
		}
	}
}

int main() {
	test<float>(0.7f, 2.5f);
	test<float>(-1.5f, 0.3f);
	test<double>(0.7, 2.5);
	test<double>(-1.5, 0.3);
	testRoundings();
	testSeveral();
	testScales();
	same(1.0f, __int_as_float(0x3f800000));
	same(0x3f800000, __float_as_int(1.0f));
	same(0x3ff0000000000000ll, __double_as_longlong(1.0));
	same(0.5f, rsqrtf(4.0f));
	same(3u, umax(3u, 2u));
	return verdict();
}
