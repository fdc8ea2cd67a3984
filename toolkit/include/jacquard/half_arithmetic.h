/*
 * jacquard/half_arithmetic.h: sums, products, comparisons and functions of numbers of 16 bits.
 */
#ifndef __JACQUARD_HALF_ARITHMETIC_H__
#define __JACQUARD_HALF_ARITHMETIC_H__

/* Operations of float that are rounded to nearest under all options. */
#ifdef __CUDA_ARCH__
__CUDA_HALF float __half_sum(float a, float b) { return __fadd_rn(a, b); }
__CUDA_HALF float __half_product(float a, float b) { return __fmul_rn(a, b); }
__CUDA_HALF float __half_quotient(float a, float b) { return __fdiv_rn(a, b); }
__CUDA_HALF float __half_root(float a) { return __fsqrt_rn(a); }
#else
__CUDA_HALF float __half_sum(float a, float b) { return a + b; }
__CUDA_HALF float __half_product(float a, float b) { return a * b; }
__CUDA_HALF float __half_quotient(float a, float b) { return a / b; }
__CUDA_HALF float __half_root(float a) { return sqrtf(a); }
#endif

__CUDA_HALF float __half_difference(float a, float b) { return __half_sum(a, -b); }

__CUDA_HALF __half __hneg(__half a) { return __ushort_as_half((unsigned short)(a.__x ^ 0x8000u)); }
__CUDA_HALF __half __habs(__half a) { return __ushort_as_half((unsigned short)(a.__x & 0x7fffu)); }
__CUDA_HALF __half2 __hneg2(__half2 a) { return __half2(__hneg(a.x), __hneg(a.y)); }
__CUDA_HALF __half2 __habs2(__half2 a) { return __half2(__habs(a.x), __habs(a.y)); }
__CUDA_HALF __half operator-(__half a) { return __hneg(a); }
__CUDA_HALF __half operator+(__half a) { return a; }
__CUDA_HALF __half2 operator-(__half2 a) { return __hneg2(a); }

__CUDA_HALF bool __hisnan(__half a) { return (a.__x & 0x7fffu) > 0x7c00u; }
__CUDA_HALF int __hisinf(__half a) { return a.__x == 0x7c00u ? 1 : a.__x == 0xfc00u ? -1 : 0; }
__CUDA_HALF __half2 __hisnan2(__half2 a) {
	return __half2(__half((int)__hisnan(a.x)), __half((int)__hisnan(a.y)));
}

/* NaN becomes 0. */
__CUDA_HALF __half __half_saturated(__half a) {
	return !((float)a > 0) ? __ushort_as_half(0) : (float)a > 1 ? __ushort_as_half(0x3c00) : a;
}

#define __CUDA_HALF_OPERATION(name, op, how) \
	__CUDA_HALF __half __h##name(__half a, __half b) { return __half(how(a, b)); } \
	__CUDA_HALF __half __h##name##_rn(__half a, __half b) { return __half(how(a, b)); } \
	__CUDA_HALF __half __h##name##_sat(__half a, __half b) { \
		return __half_saturated(__h##name(a, b)); \
	} \
	__CUDA_HALF __half2 __h##name##2(__half2 a, __half2 b) { \
		return __half2(__h##name(a.x, b.x), __h##name(a.y, b.y)); \
	} \
	__CUDA_HALF __half2 __h##name##2_sat(__half2 a, __half2 b) { \
		return __half2(__h##name##_sat(a.x, b.x), __h##name##_sat(a.y, b.y)); \
	} \
	__CUDA_HALF __half operator op(__half a, __half b) { return __h##name(a, b); } \
	__CUDA_HALF __half &operator op##=(__half &a, __half b) { return a = __h##name(a, b); } \
	__CUDA_HALF __half2 operator op(__half2 a, __half2 b) { return __h##name##2(a, b); } \
	__CUDA_HALF __half2 &operator op##=(__half2 &a, __half2 b) { return a = __h##name##2(a, b); }

__CUDA_HALF_OPERATION(add, +, __half_sum)
__CUDA_HALF_OPERATION(sub, -, __half_difference)
__CUDA_HALF_OPERATION(mul, *, __half_product)
__CUDA_HALF_OPERATION(div, /, __half_quotient)
#undef __CUDA_HALF_OPERATION

__CUDA_HALF __half2 __h2div(__half2 a, __half2 b) { return __hdiv2(a, b); }
__CUDA_HALF __half &operator++(__half &a) { return a += __half(1); }
__CUDA_HALF __half &operator--(__half &a) { return a -= __half(1); }

/*
 * a * b + c, rounded once. The product is exact in a float. Knuth's two-sum finds the rounding
 * error of the sum with c, which makes the last bit of the float odd.
 */
__CUDA_HALF __half __hfma(__half a, __half b, __half c) {
	float p = __half_product(a, b), z = c, s = __half_sum(p, z);
	float part = __half_difference(s, p);
	float lost = __half_sum(__half_difference(p, __half_difference(s, part)),
	                        __half_difference(z, part));
	if (!(lost != 0 && fabsf(s) < 1e30f)) {
		return __half(s);
	}
	unsigned int x = __float_as_uint(s);
	if ((lost < 0) != (s < 0)) {
		x--;
	}
	return __half(__uint_as_float(x | 1u));
}
__CUDA_HALF __half __hfma_sat(__half a, __half b, __half c) {
	return __half_saturated(__hfma(a, b, c));
}
__CUDA_HALF __half2 __hfma2(__half2 a, __half2 b, __half2 c) {
	return __half2(__hfma(a.x, b.x, c.x), __hfma(a.y, b.y, c.y));
}
__CUDA_HALF __half2 __hfma2_sat(__half2 a, __half2 b, __half2 c) {
	return __half2(__hfma_sat(a.x, b.x, c.x), __hfma_sat(a.y, b.y, c.y));
}

/* Comparisons are false for NaN; comparisons with a u are true. */
#define __CUDA_HALF_COMPARISON(name, op) \
	__CUDA_HALF bool __h##name(__half a, __half b) { return (float)a op (float)b; } \
	__CUDA_HALF bool __h##name##u(__half a, __half b) { \
		return __hisnan(a) || __hisnan(b) || (float)a op (float)b; \
	} \
	__CUDA_HALF __half2 __h##name##2(__half2 a, __half2 b) { \
		return __half2(__half((int)__h##name(a.x, b.x)), __half((int)__h##name(a.y, b.y))); \
	} \
	__CUDA_HALF __half2 __h##name##u2(__half2 a, __half2 b) { \
		return __half2(__half((int)__h##name##u(a.x, b.x)), __half((int)__h##name##u(a.y, b.y))); \
	} \
	__CUDA_HALF bool __hb##name##2(__half2 a, __half2 b) { \
		return __h##name(a.x, b.x) && __h##name(a.y, b.y); \
	} \
	__CUDA_HALF bool __hb##name##u2(__half2 a, __half2 b) { \
		return __h##name##u(a.x, b.x) && __h##name##u(a.y, b.y); \
	} \
	__CUDA_HALF bool operator op(__half a, __half b) { return (float)a op (float)b; } \
	__CUDA_HALF bool operator op(__half2 a, __half2 b) { return __hb##name##2(a, b); }

__CUDA_HALF_COMPARISON(eq, ==)
__CUDA_HALF_COMPARISON(ne, !=)
__CUDA_HALF_COMPARISON(lt, <)
__CUDA_HALF_COMPARISON(le, <=)
__CUDA_HALF_COMPARISON(gt, >)
__CUDA_HALF_COMPARISON(ge, >=)
#undef __CUDA_HALF_COMPARISON

/* The other operand if one is NaN. */
__CUDA_HALF __half __hmax(__half a, __half b) { return __half(fmaxf(a, b)); }
__CUDA_HALF __half __hmin(__half a, __half b) { return __half(fminf(a, b)); }
__CUDA_HALF __half2 __hmax2(__half2 a, __half2 b) {
	return __half2(__hmax(a.x, b.x), __hmax(a.y, b.y));
}
__CUDA_HALF __half2 __hmin2(__half2 a, __half2 b) {
	return __half2(__hmin(a.x, b.x), __hmin(a.y, b.y));
}

#define __CUDA_HALF_FUNCTION(name, of) \
	__CUDA_HALF __half h##name(__half a) { return __half(of); } \
	__CUDA_HALF __half2 h2##name(__half2 a) { return __half2(h##name(a.x), h##name(a.y)); }

__CUDA_HALF_FUNCTION(sqrt, __half_root(a))
__CUDA_HALF_FUNCTION(rsqrt, __half_quotient(1, __half_root(a)))
__CUDA_HALF_FUNCTION(rcp, __half_quotient(1, a))
__CUDA_HALF_FUNCTION(exp, expf(a))
__CUDA_HALF_FUNCTION(exp2, exp2f(a))
__CUDA_HALF_FUNCTION(exp10, powf(10, a))
__CUDA_HALF_FUNCTION(log, logf(a))
__CUDA_HALF_FUNCTION(log2, log2f(a))
__CUDA_HALF_FUNCTION(log10, log10f(a))
__CUDA_HALF_FUNCTION(sin, sinf(a))
__CUDA_HALF_FUNCTION(cos, cosf(a))
__CUDA_HALF_FUNCTION(ceil, ceilf(a))
__CUDA_HALF_FUNCTION(floor, floorf(a))
__CUDA_HALF_FUNCTION(trunc, truncf(a))
__CUDA_HALF_FUNCTION(rint, rintf(a))
#undef __CUDA_HALF_FUNCTION

#endif
