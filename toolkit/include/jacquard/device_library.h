/*
 * jacquard/device_library.h: functions that kernels call and clang's headers only mention: printf,
 * malloc, free, assert, new, delete, and threadIdx and its like as a uint3 or dim3.
 */
#ifndef __JACQUARD_DEVICE_LIBRARY_H__
#define __JACQUARD_DEVICE_LIBRARY_H__

extern "C" {
/* clang turns each printf into a call of vprintf. */
__device__ int vprintf(const char *__format, const char *__arguments);
__device__ int printf(const char *__format, ...);

__device__ void *malloc(size_t size) __attribute__((__nothrow__)) __attribute__((__malloc__));
__device__ void free(void *__pointer) __attribute__((__nothrow__));

__device__ void __assertfail(const char *__message, const char *__file, unsigned __line,
                             const char *__function, size_t __charSize);

/* The macro of <assert.h> also calls this name on the device. */
static __device__ __inline__ void __assert_fail(const char *__message, const char *__file,
                                                unsigned __line, const char *__function) {
	__assertfail(__message, __file, __line, __function, sizeof(char));
}
}

namespace std {
static __device__ __inline__ void *malloc(size_t size) { return ::malloc(size); }
static __device__ __inline__ void free(void *__pointer) { ::free(__pointer); }
}

/* clang's wrapper of <new> has operator new and delete for the device, made of malloc and free. */
#include <new>

#define __CUDA_BUILTIN_VARIABLE(name) \
	__device__ __inline__ __cuda_builtin_##name##_t::operator dim3() const { \
		return dim3(x, y, z); \
	} \
	__device__ __inline__ __cuda_builtin_##name##_t::operator uint3() const { \
		return make_uint3(x, y, z); \
	}

__CUDA_BUILTIN_VARIABLE(threadIdx)
__CUDA_BUILTIN_VARIABLE(blockIdx)
__CUDA_BUILTIN_VARIABLE(blockDim)
__CUDA_BUILTIN_VARIABLE(gridDim)

#undef __CUDA_BUILTIN_VARIABLE

#endif
