/*
 * jacquard/math_minmax.h: min and max of all pairs of arithmetic types, on both sides.
 *
 * For an integer and a wider or unsigned one, the result has C's type of their sum. For a NaN and a
 * number, the result is the number.
 */
#ifndef __JACQUARD_MATH_MINMAX_H__
#define __JACQUARD_MATH_MINMAX_H__

#define __CUDA_ORDER(left, right, result) \
	static __inline__ __host__ __device__ result min(left x, right y) { \
		return (result)x < (result)y ? (result)x : (result)y; \
	} \
	static __inline__ __host__ __device__ result max(left x, right y) { \
		return (result)x > (result)y ? (result)x : (result)y; \
	}

#define __CUDA_ORDER_MIXED(integer) \
	__CUDA_ORDER(unsigned integer, unsigned integer, unsigned integer) \
	__CUDA_ORDER(integer, unsigned integer, unsigned integer) \
	__CUDA_ORDER(unsigned integer, integer, unsigned integer)

#define __CUDA_ORDER_REAL(left, right, result, suffix) \
	static __inline__ __host__ __device__ result min(left x, right y) { \
		return ::fmin##suffix(x, y); \
	} \
	static __inline__ __host__ __device__ result max(left x, right y) { \
		return ::fmax##suffix(x, y); \
	}

__CUDA_ORDER_MIXED(int)
__CUDA_ORDER_MIXED(long)
__CUDA_ORDER_MIXED(long long)
__CUDA_ORDER(long, long, long)
__CUDA_ORDER(long long, long long, long long)
__CUDA_ORDER_REAL(float, float, float, f)
__CUDA_ORDER_REAL(double, double, double, )
__CUDA_ORDER_REAL(float, double, double, )
__CUDA_ORDER_REAL(double, float, double, )

/* clang has the functions of two ints for the device. */
static __inline__ __host__ int min(int x, int y) { return x < y ? x : y; }
static __inline__ __host__ int max(int x, int y) { return x > y ? x : y; }

#undef __CUDA_ORDER_REAL
#undef __CUDA_ORDER_MIXED
#undef __CUDA_ORDER

#endif
