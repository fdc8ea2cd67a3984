/*
 * host_defines.h: the words that CUDA adds to C and C++, as clang's attributes.
 *
 * Each attribute has a spelling that is no macro of a program, so -Dshared=7 is allowed. A macro is
 * not replaced in its own text, so __shared__ is the attribute there.
 *
 * A compiler that does not compile CUDA sees only declarations, so these words are empty for it.
 */
#ifndef __HOST_DEFINES_H__
#define __HOST_DEFINES_H__

#ifdef __CUDA__
#define __host__ __attribute__((__host__))
#define __device__ __attribute__((__device__))
#define __global__ __attribute__((__global__))
#define __shared__ __attribute__((__shared__))
#define __constant__ __attribute__((__constant__))
#define __launch_bounds__(...) __attribute__((__launch_bounds__(__VA_ARGS__)))
#define __device_builtin_texture_type__ __attribute__((__device_builtin_texture_type__))
#define __device_builtin_surface_type__ __attribute__((__device_builtin_surface_type__))
#else
#define __host__
#define __device__
#define __global__
#define __shared__
#define __constant__
#define __device_builtin_texture_type__
#define __device_builtin_surface_type__
#endif

/* Compilers later than 14 know __noinline__ in CUDA as a keyword; libstdc++ uses that name, too. */
#ifdef __has_feature
#if __has_feature(__cuda_noinline_keyword__)
#define __CUDA_NOINLINE_KEYWORD__
#endif
#endif
#if defined(__CUDA__) && !defined(__CUDA_NOINLINE_KEYWORD__)
#define __noinline__ __attribute__((__noinline__))
#endif

#define __no_return__ __attribute__((__noreturn__))
#define __forceinline__ __inline__ __attribute__((__always_inline__))
#define __inline_hint__
#define __align__(n) __attribute__((__aligned__(n)))
#define __builtin_align__(n) __align__(n)
#define __thread__ __thread
#define __import__
#define __export__
#define __cdecl
#define __annotate__(a) __attribute__((a))
#define __location__(a) __annotate__(a)

/* Marks of NVIDIA's compiler for its own headers. Programs copy these marks, although they have no
 * effect. */
#define __device_builtin__
#define __cudart_builtin__
#define __specialization_static static

#ifndef CUDARTAPI
#define CUDARTAPI
#endif
#define CUDART_CB

#endif
