/*
 * vector_types.h: vectors of one to four elements, and dim3.
 *
 * Vectors of two elements are aligned to their size; so are vectors of four up to 16 bytes. Vectors
 * of three are aligned as their elements, so arrays of such vectors have no gaps.
 */
#ifndef __VECTOR_TYPES_H__
#define __VECTOR_TYPES_H__

#include "host_defines.h"

#define __CUDA_VECTORS(name, element, align2, align4) \
	struct name##1 { element x; }; \
	struct __align__(align2) name##2 { element x, y; }; \
	struct name##3 { element x, y, z; }; \
	struct __align__(align4) name##4 { element x, y, z, w; }; \
	typedef struct name##1 name##1; \
	typedef struct name##2 name##2; \
	typedef struct name##3 name##3; \
	typedef struct name##4 name##4;

#ifdef __GNUC__
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wlong-long"
#endif

__CUDA_VECTORS(char, signed char, 2, 4)
__CUDA_VECTORS(uchar, unsigned char, 2, 4)
__CUDA_VECTORS(short, short, 4, 8)
__CUDA_VECTORS(ushort, unsigned short, 4, 8)
__CUDA_VECTORS(int, int, 8, 16)
__CUDA_VECTORS(uint, unsigned int, 8, 16)
__CUDA_VECTORS(float, float, 8, 16)
__CUDA_VECTORS(long, long, 2 * __SIZEOF_LONG__, 16)
__CUDA_VECTORS(ulong, unsigned long, 2 * __SIZEOF_LONG__, 16)
__CUDA_VECTORS(longlong, long long, 16, 16)
__CUDA_VECTORS(ulonglong, unsigned long long, 16, 16)
__CUDA_VECTORS(double, double, 16, 16)

#ifdef __GNUC__
#pragma GCC diagnostic pop
#endif

#undef __CUDA_VECTORS

/* dim3 is the extent of a grid or block. Extents that are not given are 1. */
struct dim3 {
	unsigned int x, y, z;
#ifdef __cplusplus
	__host__ __device__ dim3(unsigned int vx = 1, unsigned int vy = 1, unsigned int vz = 1)
		: x(vx), y(vy), z(vz) {}
	__host__ __device__ dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
	__host__ __device__ operator uint3() const {
		uint3 v = {x, y, z};
		return v;
	}
#endif
};
typedef struct dim3 dim3;

#endif
