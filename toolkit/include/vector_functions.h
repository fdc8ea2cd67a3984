/* vector_functions.h: make_TYPE for the types of vector_types.h. */
#ifndef __VECTOR_FUNCTIONS_H__
#define __VECTOR_FUNCTIONS_H__

#include "vector_types.h"

#define __CUDA_MAKE(name, element) \
	static __inline__ __host__ __device__ name##1 make_##name##1(element x) { \
		name##1 v; \
		v.x = x; \
		return v; \
	} \
	static __inline__ __host__ __device__ name##2 make_##name##2(element x, element y) { \
		name##2 v; \
		v.x = x; \
		v.y = y; \
		return v; \
	} \
	static __inline__ __host__ __device__ name##3 make_##name##3(element x, element y, \
		element z) { \
		name##3 v; \
		v.x = x; \
		v.y = y; \
		v.z = z; \
		return v; \
	} \
	static __inline__ __host__ __device__ name##4 make_##name##4(element x, element y, \
		element z, element w) { \
		name##4 v; \
		v.x = x; \
		v.y = y; \
		v.z = z; \
		v.w = w; \
		return v; \
	}

#ifdef __GNUC__
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wlong-long"
#endif

__CUDA_MAKE(char, signed char)
__CUDA_MAKE(uchar, unsigned char)
__CUDA_MAKE(short, short)
__CUDA_MAKE(ushort, unsigned short)
__CUDA_MAKE(int, int)
__CUDA_MAKE(uint, unsigned int)
__CUDA_MAKE(float, float)
__CUDA_MAKE(long, long)
__CUDA_MAKE(ulong, unsigned long)
__CUDA_MAKE(longlong, long long)
__CUDA_MAKE(ulonglong, unsigned long long)
__CUDA_MAKE(double, double)

#ifdef __GNUC__
#pragma GCC diagnostic pop
#endif

#undef __CUDA_MAKE

#endif
