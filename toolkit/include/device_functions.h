/*
 * device_functions.h: intrinsics that clang's headers lack, and names from before CUDA 2.
 *
 * The old names are not reserved, so programs may have functions of the same name and parameters.
 * So the old names are templates here: a function is preferred to a template.
 */
#ifndef __DEVICE_FUNCTIONS_H__
#define __DEVICE_FUNCTIONS_H__

#include "device_types.h"

#if defined(__cplusplus) && defined(__CUDA__)

#define __CUDA_INTRINSIC static __device__ __forceinline__

__CUDA_INTRINSIC unsigned int __isGlobal(const void *__p) { return __nvvm_isspacep_global(__p); }
__CUDA_INTRINSIC unsigned int __isShared(const void *__p) { return __nvvm_isspacep_shared(__p); }
__CUDA_INTRINSIC unsigned int __isConstant(const void *__p) { return __nvvm_isspacep_const(__p); }
__CUDA_INTRINSIC unsigned int __isLocal(const void *__p) { return __nvvm_isspacep_local(__p); }

/* Votes of the active lanes of a warp. */
#define __CUDA_VOTE(name, result, how) \
	__CUDA_INTRINSIC result name(int __condition) { \
		result __r; \
		asm volatile("{ .reg .pred c, v; setp.ne.s32 c, %1, 0; " how " }" \
		             : "=r"(__r) : "r"(__condition)); \
		return __r; \
	}

__CUDA_VOTE(__all, int, "vote.all.pred v, c; selp.s32 %0, 1, 0, v;")
__CUDA_VOTE(__any, int, "vote.any.pred v, c; selp.s32 %0, 1, 0, v;")
__CUDA_VOTE(__ballot, unsigned int, "vote.ballot.b32 %0, c;")

#undef __CUDA_VOTE

/* Before sm_32 a load through the read-only cache is a load. */
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 320
template <class T>
__CUDA_INTRINSIC T __ldg(const T *__p) {
	return *__p;
}
#endif

/* Names from before CUDA 2. */
#define __CUDA_OLD template <int __unused = 0> __CUDA_INTRINSIC

/* cuda_fp16.h has functions of these names that return and take a __half. */
__CUDA_OLD unsigned short __float2half_rn(float x) { return __nv_float2half_rn(x); }
__CUDA_OLD float __half2float(unsigned short x) { return __nv_half2float(x); }

__CUDA_OLD float saturate(float x) { return __saturatef(x); }
__CUDA_OLD int mul24(int x, int y) { return __mul24(x, y); }
__CUDA_OLD unsigned int umul24(unsigned int x, unsigned int y) { return __umul24(x, y); }
__CUDA_OLD int mulhi(int x, int y) { return __mulhi(x, y); }
__CUDA_OLD unsigned int umulhi(unsigned int x, unsigned int y) { return __umulhi(x, y); }
__CUDA_OLD long long mul64hi(long long x, long long y) { return __mul64hi(x, y); }
__CUDA_OLD int float_as_int(float x) { return __float_as_int(x); }
__CUDA_OLD float int_as_float(int x) { return __int_as_float(x); }
__CUDA_OLD void syncthreads() { __syncthreads(); }
__CUDA_OLD void threadfence() { __threadfence(); }
__CUDA_OLD void threadfence_block() { __threadfence_block(); }
__CUDA_OLD void trap() { __trap(); }

__CUDA_OLD unsigned long long umul64hi(unsigned long long x, unsigned long long y) {
	return __umul64hi(x, y);
}

/* std::any is a type from C++17 on. */
#if __cplusplus < 201703L
__CUDA_OLD bool any(bool __condition) { return __any(__condition); }
__CUDA_OLD bool all(bool __condition) { return __all(__condition); }
#endif

/* Conversions whose rounding mode is an argument. */
#define __CUDA_OLD_CONVERSION(name, to, from) \
	__CUDA_OLD to name(from x, enum cudaRoundMode __mode) { \
		switch (__mode) { \
		case cudaRoundZero: return __##name##_rz(x); \
		case cudaRoundPosInf: return __##name##_ru(x); \
		case cudaRoundMinInf: return __##name##_rd(x); \
		default: return __##name##_rn(x); \
		} \
	}

__CUDA_OLD_CONVERSION(float2int, int, float)
__CUDA_OLD_CONVERSION(float2uint, unsigned int, float)
__CUDA_OLD_CONVERSION(int2float, float, int)
__CUDA_OLD_CONVERSION(uint2float, float, unsigned int)

#undef __CUDA_OLD_CONVERSION
#undef __CUDA_OLD
#undef __CUDA_INTRINSIC

#endif

#endif
