/*
 * cuda_fp16.h: numbers of 16 bits, as storage and for sums, products and comparisons.
 *
 * The hardware only converts such numbers, so each operation is computed in float, and its result
 * is rounded once more. For + - * / and sqrt that gives the nearest number of 16 bits: a float has
 * more than twice as many bits. __hfma rounds its sum to an odd float, with the same effect. Other
 * functions are rounded functions of float.
 */
#ifndef __CUDA_FP16_H__
#define __CUDA_FP16_H__

#if !defined(__cplusplus) || !defined(__CUDA__)
#error "cuda_fp16.h is for CUDA C++ alone: include it in a .cu file"
#endif

#define __CUDA_HALF static __inline__ __host__ __device__

struct __half_raw {
	unsigned short x;
};

/* __float_to_half_bits rounds to the nearest, and ties to even. NaNs become 0x7fff. */
__CUDA_HALF unsigned short __float_to_half_bits(float value) {
#ifdef __CUDA_ARCH__
	return __nv_float2half_rn(value);
#else
	unsigned int x = __float_as_uint(value), sign = x >> 16 & 0x8000u;
	x &= 0x7fffffffu;
	if (x > 0x7f800000u) {
		return 0x7fff;
	}
	if (x >= 0x47800000u) {
		return (unsigned short)(sign | 0x7c00u); /* 65536 and more */
	}
	if (x < 0x38800000u) { /* the last bit of 0.5 is that of the smallest numbers of 16 bits */
		return (unsigned short)(sign | (__float_as_uint(__uint_as_float(x) + 0.5f) - 0x3f000000u));
	}
	x += 0xfffu + (x >> 13 & 1u);
	return (unsigned short)(sign | (x - 0x38000000u) >> 13);
#endif
}

__CUDA_HALF float __half_bits_to_float(unsigned short bits) {
#ifdef __CUDA_ARCH__
	return __nv_half2float(bits);
#else
	unsigned int sign = (bits & 0x8000u) << 16, x = (bits & 0x7fffu) << 13;
	if (x >= 0x0f800000u) {
		return __uint_as_float(sign | 0x70000000u | x); /* infinities and NaNs */
	}
	if (x < 0x00800000u) {
		return __uint_as_float(sign | __float_as_uint((bits & 0x3ffu) * 5.9604644775390625e-8f));
	}
	return __uint_as_float(sign | (x + 0x38000000u));
#endif
}

/* A double is rounded to an odd float first, so that the second rounding is right. */
__CUDA_HALF float __double_to_odd_float(double value) {
	float f = (float)value;
	unsigned int x = __float_as_uint(f);
	if ((double)f == value) {
		return f;
	}
	if (fabs((double)f) > fabs(value)) {
		x--;
	}
	return __uint_as_float(x | 1u);
}

/* __half has only trivial constructors, so that shared variables may have the type. */
#define __CUDA_HALF_FROM(type) \
	__host__ __device__ __half(type i) : __x(__float_to_half_bits((float)i)) {}

struct __half {
	unsigned short __x;
	__half() = default;
	__host__ __device__ __half(const __half_raw &r) : __x(r.x) {}
	__host__ __device__ __half(float f) : __x(__float_to_half_bits(f)) {}
	__host__ __device__ __half(double f) : __x(__float_to_half_bits(__double_to_odd_float(f))) {}
	__CUDA_HALF_FROM(short)
	__CUDA_HALF_FROM(unsigned short)
	__CUDA_HALF_FROM(int)
	__CUDA_HALF_FROM(unsigned int)
	__CUDA_HALF_FROM(long)
	__CUDA_HALF_FROM(unsigned long)
	__CUDA_HALF_FROM(long long)
	__CUDA_HALF_FROM(unsigned long long)
	__host__ __device__ operator float() const { return __half_bits_to_float(__x); }
	__host__ __device__ operator __half_raw() const {
		__half_raw r = {__x};
		return r;
	}
};
typedef __half half;

#undef __CUDA_HALF_FROM

struct __align__(4) __half2 {
	__half x, y;
	__half2() = default;
	__host__ __device__ __half2(__half a, __half b) : x(a), y(b) {}
};
typedef __half2 half2;

#include "jacquard/half_conversions.h"
#include "jacquard/half_arithmetic.h"

#undef __CUDA_HALF

#endif
