/*
 * jacquard/math_host.h: CUDA's own mathematics for the host, made of the C library's.
 *
 * The inverses of error functions (erfinv, erfcinv, normcdfinv) and Bessel functions of the second
 * kind exist only on the device.
 */
#ifndef __JACQUARD_MATH_HOST_H__
#define __JACQUARD_MATH_HOST_H__

#define __CUDA_HOST static __inline__ __host__

/* Each function for double, under its own name and the name for float, and as an overload for
 * float. */
#define __CUDA_HOST_1(name, value) \
	__CUDA_HOST double name(double x) { return value; } \
	__CUDA_HOST float name##f(float x) { return (float)name((double)x); } \
	__CUDA_HOST float name(float x) { return name##f(x); }

/*
 * The sine of x half turns plus a number of quarter turns. Whole turns and quarters are subtracted
 * exactly, so multiples of a quarter give 0, 1 and -1.
 */
__CUDA_HOST double __sinpiLater(double x, int __quarters) {
	x = ::fmod(x, 2.0);
	double __nearest = ::rint(2 * x);
	double __rest = 3.14159265358979323846 * (x - __nearest / 2);
	switch (((int)__nearest + __quarters) & 3) {
	case 0: return ::sin(__rest);
	case 1: return ::cos(__rest);
	case 2: return -::sin(__rest);
	default: return -::cos(__rest);
	}
}

__CUDA_HOST_1(sinpi, __sinpiLater(x, 0))
__CUDA_HOST_1(cospi, __sinpiLater(x, 1))
__CUDA_HOST_1(rsqrt, 1.0 / ::sqrt(x))
__CUDA_HOST_1(rcbrt, 1.0 / ::cbrt(x))
__CUDA_HOST_1(normcdf, 0.5 * ::erfc(-0.70710678118654752440 * x))

__CUDA_HOST double rhypot(double x, double y) { return 1.0 / ::hypot(x, y); }
__CUDA_HOST float rhypotf(float x, float y) { return (float)rhypot((double)x, (double)y); }
__CUDA_HOST double norm3d(double x, double y, double z) { return ::hypot(::hypot(x, y), z); }
__CUDA_HOST float norm3df(float x, float y, float z) { return (float)norm3d(x, y, z); }
__CUDA_HOST double fdivide(double x, double y) { return x / y; }
__CUDA_HOST float fdividef(float x, float y) { return x / y; }
__CUDA_HOST float fdivide(float x, float y) { return x / y; }

__CUDA_HOST void sincospi(double x, double *__s, double *__c) {
	*__s = sinpi(x);
	*__c = cospi(x);
}

__CUDA_HOST void sincospif(float x, float *__s, float *__c) {
	*__s = sinpif(x);
	*__c = cospif(x);
}

__CUDA_HOST unsigned int umin(unsigned int x, unsigned int y) { return x < y ? x : y; }
__CUDA_HOST unsigned int umax(unsigned int x, unsigned int y) { return x > y ? x : y; }
__CUDA_HOST long long llmin(long long x, long long y) { return x < y ? x : y; }
__CUDA_HOST long long llmax(long long x, long long y) { return x > y ? x : y; }

__CUDA_HOST unsigned long long ullmin(unsigned long long x, unsigned long long y) {
	return x < y ? x : y;
}

__CUDA_HOST unsigned long long ullmax(unsigned long long x, unsigned long long y) {
	return x > y ? x : y;
}

/* The bits of one type as another. */
#define __CUDA_HOST_BITS(name, to, from) \
	__CUDA_HOST to name(from x) { \
		to __bits; \
		::memcpy(&__bits, &x, sizeof __bits); \
		return __bits; \
	}

__CUDA_HOST_BITS(__float_as_int, int, float)
__CUDA_HOST_BITS(__float_as_uint, unsigned int, float)
__CUDA_HOST_BITS(__int_as_float, float, int)
__CUDA_HOST_BITS(__uint_as_float, float, unsigned int)
__CUDA_HOST_BITS(__double_as_longlong, long long, double)
__CUDA_HOST_BITS(__longlong_as_double, double, long long)

#undef __CUDA_HOST_BITS
#undef __CUDA_HOST_1
#undef __CUDA_HOST

#endif
