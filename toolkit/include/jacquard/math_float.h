/*
 * jacquard/math_float.h: mathematics of float under the names of double, for the device.
 *
 * __clang_cuda_math_forward_declares.h declares most of these functions, and __clang_cuda_cmath.h
 * has the others.
 */
#ifndef __JACQUARD_MATH_FLOAT_H__
#define __JACQUARD_MATH_FLOAT_H__

#define __CUDA_FLOAT static __device__ __forceinline__

#define __CUDA_FLOAT_1(name) \
	__CUDA_FLOAT float name(float x) { return ::name##f(x); }
#define __CUDA_FLOAT_2(name) \
	__CUDA_FLOAT float name(float x, float y) { return ::name##f(x, y); }
#define __CUDA_FLOAT_TO(result, name) \
	__CUDA_FLOAT result name(float x) { return ::name##f(x); }

__CUDA_FLOAT_1(acosh)
__CUDA_FLOAT_1(asinh)
__CUDA_FLOAT_1(atanh)
__CUDA_FLOAT_1(cbrt)
__CUDA_FLOAT_1(erf)
__CUDA_FLOAT_1(erfc)
__CUDA_FLOAT_1(exp2)
__CUDA_FLOAT_1(expm1)
__CUDA_FLOAT_1(lgamma)
__CUDA_FLOAT_1(log1p)
__CUDA_FLOAT_1(log2)
__CUDA_FLOAT_1(logb)
__CUDA_FLOAT_1(nearbyint)
__CUDA_FLOAT_1(rint)
__CUDA_FLOAT_1(round)
__CUDA_FLOAT_1(tgamma)
__CUDA_FLOAT_1(trunc)
__CUDA_FLOAT_2(copysign)
__CUDA_FLOAT_2(fdim)
__CUDA_FLOAT_2(fmax)
__CUDA_FLOAT_2(fmin)
__CUDA_FLOAT_2(hypot)
__CUDA_FLOAT_2(nextafter)
__CUDA_FLOAT_2(remainder)
__CUDA_FLOAT_TO(int, ilogb)
__CUDA_FLOAT_TO(long, lrint)
__CUDA_FLOAT_TO(long, lround)
__CUDA_FLOAT_TO(long long, llrint)
__CUDA_FLOAT_TO(long long, llround)
__CUDA_FLOAT float fma(float x, float y, float z) { return ::fmaf(x, y, z); }
__CUDA_FLOAT float remquo(float x, float y, int *__q) { return ::remquof(x, y, __q); }
__CUDA_FLOAT float scalbn(float x, int __n) { return ::scalbnf(x, __n); }
__CUDA_FLOAT float scalbln(float x, long __n) { return ::scalblnf(x, __n); }
__CUDA_FLOAT double nan(const char *__tag) { return __nv_nan((const signed char *)__tag); }
__CUDA_FLOAT float nanf(const char *__tag) { return __nv_nanf((const signed char *)__tag); }

/* CUDA's own functions. */
__CUDA_FLOAT_1(cospi)
__CUDA_FLOAT_1(erfcinv)
__CUDA_FLOAT_1(erfcx)
__CUDA_FLOAT_1(erfinv)
__CUDA_FLOAT_1(exp10)
__CUDA_FLOAT_1(normcdf)
__CUDA_FLOAT_1(normcdfinv)
__CUDA_FLOAT_1(rcbrt)
__CUDA_FLOAT_1(rsqrt)
__CUDA_FLOAT_1(sinpi)
__CUDA_FLOAT_2(rhypot)
__CUDA_FLOAT float fdivide(float x, float y) { return ::fdividef(x, y); }
__CUDA_FLOAT void sincos(float x, float *__s, float *__c) { ::sincosf(x, __s, __c); }
__CUDA_FLOAT void sincospi(float x, float *__s, float *__c) { ::sincospif(x, __s, __c); }

#undef __CUDA_FLOAT_TO
#undef __CUDA_FLOAT_2
#undef __CUDA_FLOAT_1
#undef __CUDA_FLOAT

#endif
