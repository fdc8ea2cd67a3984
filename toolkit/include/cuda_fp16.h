/*
 * cuda_fp16.h: numbers of 16 bits, as storage and for sums, products and comparisons.
 *
 * The hardware converts them and no more, so operations are those of float, whose result is rounded
 * once more. For + - * / and sqrt that gives the nearest number of 16 bits. A fused product and sum
 * would not be exact, so there is none.
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

/* __float_to_half_bits rounds to the nearest, to the even one of two. NaNs become 0x7fff. */
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

/* __half has no constructor that does something, so that shared variables may have the type. */
struct __half {
	unsigned short __x;
	__half() = default;
	__host__ __device__ __half(const __half_raw &r) : __x(r.x) {}
	__host__ __device__ __half(float f) : __x(__float_to_half_bits(f)) {}
	__host__ __device__ __half(double f) : __x(__float_to_half_bits((float)f)) {}
	__host__ __device__ __half(int i) : __x(__float_to_half_bits((float)i)) {}
	__host__ __device__ operator float() const { return __half_bits_to_float(__x); }
	__host__ __device__ operator __half_raw() const {
		__half_raw r = {__x};
		return r;
	}
};
typedef __half half;

struct __align__(4) __half2 {
	__half x, y;
};
typedef __half2 half2;

__CUDA_HALF __half __float2half(float f) { return __half(f); }
__CUDA_HALF float __half2float(__half h) { return h; }
__CUDA_HALF __half __ushort_as_half(unsigned short bits) {
	__half_raw r = {bits};
	return r;
}
__CUDA_HALF unsigned short __half_as_ushort(__half h) { return h.__x; }

__CUDA_HALF __half2 __halves2half2(__half x, __half y) {
	__half2 h;
	h.x = x;
	h.y = y;
	return h;
}

__CUDA_HALF __half2 make_half2(__half x, __half y) { return __halves2half2(x, y); }
__CUDA_HALF __half2 __half2half2(__half h) { return __halves2half2(h, h); }
__CUDA_HALF __half2 __float2half2_rn(float f) { return __half2half2(f); }
__CUDA_HALF __half2 __floats2half2_rn(float x, float y) { return __halves2half2(x, y); }
__CUDA_HALF __half2 __float22half2_rn(float2 f) { return __halves2half2(f.x, f.y); }
__CUDA_HALF float2 __half22float2(__half2 h) { return make_float2(h.x, h.y); }
__CUDA_HALF __half __low2half(__half2 h) { return h.x; }
__CUDA_HALF __half __high2half(__half2 h) { return h.y; }
__CUDA_HALF float __low2float(__half2 h) { return h.x; }
__CUDA_HALF float __high2float(__half2 h) { return h.y; }

#define __CUDA_HALF_OPERATION(name, op) \
	__CUDA_HALF __half __h##name(__half a, __half b) { return __half((float)a op (float)b); } \
	__CUDA_HALF __half operator op(__half a, __half b) { return __h##name(a, b); } \
	__CUDA_HALF __half &operator op##=(__half &a, __half b) { return a = __h##name(a, b); } \
	__CUDA_HALF __half2 __h##name##2(__half2 a, __half2 b) { \
		return __halves2half2(__h##name(a.x, b.x), __h##name(a.y, b.y)); \
	}

#define __CUDA_HALF_COMPARISON(name, op) \
	__CUDA_HALF bool __h##name(__half a, __half b) { return (float)a op (float)b; } \
	__CUDA_HALF bool operator op(__half a, __half b) { return (float)a op (float)b; }

__CUDA_HALF_OPERATION(add, +)
__CUDA_HALF_OPERATION(sub, -)
__CUDA_HALF_OPERATION(mul, *)
__CUDA_HALF_OPERATION(div, /)
__CUDA_HALF_COMPARISON(eq, ==)
__CUDA_HALF_COMPARISON(ne, !=)
__CUDA_HALF_COMPARISON(lt, <)
__CUDA_HALF_COMPARISON(le, <=)
__CUDA_HALF_COMPARISON(gt, >)
__CUDA_HALF_COMPARISON(ge, >=)

#undef __CUDA_HALF_COMPARISON
#undef __CUDA_HALF_OPERATION

__CUDA_HALF __half __hneg(__half a) { return __ushort_as_half(a.__x ^ 0x8000u); }
__CUDA_HALF __half operator-(__half a) { return __hneg(a); }
__CUDA_HALF bool __hisnan(__half a) { return (a.__x & 0x7fffu) > 0x7c00u; }
__CUDA_HALF __half hsqrt(__half a) { return __half(sqrtf(a)); }

#undef __CUDA_HALF

#endif
