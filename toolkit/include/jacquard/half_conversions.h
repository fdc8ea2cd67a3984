/*
 * jacquard/half_conversions.h: from and to numbers of 16 bits, and pairs of them.
 */
#ifndef __JACQUARD_HALF_CONVERSIONS_H__
#define __JACQUARD_HALF_CONVERSIONS_H__

__CUDA_HALF __half __ushort_as_half(unsigned short bits) {
	__half_raw r = {bits};
	return r;
}
__CUDA_HALF __half __short_as_half(short bits) { return __ushort_as_half((unsigned short)bits); }
__CUDA_HALF unsigned short __half_as_ushort(__half h) { return h.__x; }
__CUDA_HALF short __half_as_short(__half h) { return (short)h.__x; }

__CUDA_HALF float __half2float(__half h) { return h; }
__CUDA_HALF __half __float2half(float f) { return __half(f); }
__CUDA_HALF __half __float2half_rn(float f) { return __half(f); }
__CUDA_HALF __half __double2half(double d) { return __half(d); }

/* Other roundings are one step from the nearest number if that is on the wrong side. */
__CUDA_HALF __half __float2half_rz(float f) {
	__half h(f);
	return fabsf(h) > fabsf(f) ? __ushort_as_half((unsigned short)(h.__x - 1)) : h;
}
__CUDA_HALF __half __float2half_ru(float f) {
	__half h(f);
	int step = h.__x & 0x8000u ? -1 : 1;
	return (float)h < f ? __ushort_as_half((unsigned short)(h.__x + step)) : h;
}
__CUDA_HALF __half __float2half_rd(float f) {
	__half h(f);
	int step = h.__x & 0x8000u ? 1 : -1;
	return (float)h > f ? __ushort_as_half((unsigned short)(h.__x + step)) : h;
}

/* A float holds all integers that a number of 16 bits can be near to. */
#define __CUDA_HALF_INTEGER(name, type) \
	__CUDA_HALF type __half2##name##_rz(__half h) { return (type)(float)h; } \
	__CUDA_HALF type __half2##name##_rn(__half h) { return (type)rintf(h); } \
	__CUDA_HALF type __half2##name##_rd(__half h) { return (type)floorf(h); } \
	__CUDA_HALF type __half2##name##_ru(__half h) { return (type)ceilf(h); } \
	__CUDA_HALF __half __##name##2half_rn(type i) { return __half((float)i); } \
	__CUDA_HALF __half __##name##2half_rz(type i) { return __float2half_rz((float)i); } \
	__CUDA_HALF __half __##name##2half_rd(type i) { return __float2half_rd((float)i); } \
	__CUDA_HALF __half __##name##2half_ru(type i) { return __float2half_ru((float)i); }

__CUDA_HALF_INTEGER(short, short)
__CUDA_HALF_INTEGER(ushort, unsigned short)
__CUDA_HALF_INTEGER(int, int)
__CUDA_HALF_INTEGER(uint, unsigned int)
__CUDA_HALF_INTEGER(ll, long long)
__CUDA_HALF_INTEGER(ull, unsigned long long)

#undef __CUDA_HALF_INTEGER

__CUDA_HALF __half2 __halves2half2(__half x, __half y) { return __half2(x, y); }
__CUDA_HALF __half2 make_half2(__half x, __half y) { return __half2(x, y); }
__CUDA_HALF __half2 __half2half2(__half h) { return __half2(h, h); }
__CUDA_HALF __half2 __float2half2_rn(float f) { return __half2half2(__half(f)); }
__CUDA_HALF __half2 __floats2half2_rn(float x, float y) { return __half2(__half(x), __half(y)); }
__CUDA_HALF __half2 __float22half2_rn(float2 f) { return __floats2half2_rn(f.x, f.y); }
__CUDA_HALF float2 __half22float2(__half2 h) { return make_float2(h.x, h.y); }
__CUDA_HALF __half __low2half(__half2 h) { return h.x; }
__CUDA_HALF __half __high2half(__half2 h) { return h.y; }
__CUDA_HALF float __low2float(__half2 h) { return h.x; }
__CUDA_HALF float __high2float(__half2 h) { return h.y; }
__CUDA_HALF __half2 __low2half2(__half2 h) { return __half2(h.x, h.x); }
__CUDA_HALF __half2 __high2half2(__half2 h) { return __half2(h.y, h.y); }
__CUDA_HALF __half2 __lows2half2(__half2 a, __half2 b) { return __half2(a.x, b.x); }
__CUDA_HALF __half2 __highs2half2(__half2 a, __half2 b) { return __half2(a.y, b.y); }
__CUDA_HALF __half2 __lowhigh2highlow(__half2 h) { return __half2(h.y, h.x); }

#endif
