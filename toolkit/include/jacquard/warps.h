/*
 * jacquard/warps.h: operations of a warp that clang's headers lack: __match_any_sync,
 * __match_all_sync and __nanosleep, for targets from sm_70 on.
 */
#ifndef __JACQUARD_WARPS_H__
#define __JACQUARD_WARPS_H__

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 700

#define __CUDA_WARP static __device__ __forceinline__

#define __CUDA_MATCH(type, width, bits) \
	__CUDA_WARP unsigned int __match_any_sync(unsigned int __mask, type __v) { \
		return __match##width##_any_sync(__mask, bits); \
	} \
	__CUDA_WARP unsigned int __match_all_sync(unsigned int __mask, type __v, int *__pred) { \
		return __match##width##_all_sync(__mask, bits, __pred); \
	}

__CUDA_MATCH(int, 32, (unsigned int)__v)
__CUDA_MATCH(unsigned int, 32, __v)
__CUDA_MATCH(float, 32, __float_as_uint(__v))
__CUDA_MATCH(long, 64, (unsigned long long)__v)
__CUDA_MATCH(unsigned long, 64, __v)
__CUDA_MATCH(long long, 64, (unsigned long long)__v)
__CUDA_MATCH(unsigned long long, 64, __v)
__CUDA_MATCH(double, 64, (unsigned long long)__double_as_longlong(__v))

#undef __CUDA_MATCH

__CUDA_WARP void __nanosleep(unsigned int __ns) {
	asm volatile("nanosleep.u32 %0;" ::"r"(__ns));
}

#undef __CUDA_WARP

#endif

#endif
