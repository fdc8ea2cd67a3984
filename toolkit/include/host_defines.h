/*
 * host_defines.h: the words that CUDA adds to C and C++, as clang's attributes.
 *
 * A compiler that does not compile CUDA sees declarations only, so the words are empty for it.
 */
#ifndef __HOST_DEFINES_H__
#define __HOST_DEFINES_H__

#ifdef __CUDA__
#define __host__ __attribute__((host))
#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
#define __device_builtin_texture_type__ __attribute__((device_builtin_texture_type))
#define __device_builtin_surface_type__ __attribute__((device_builtin_surface_type))
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
#if __has_feature(cuda_noinline_keyword)
#define __CUDA_NOINLINE_KEYWORD__
#endif
#endif
#if defined(__CUDA__) && !defined(__CUDA_NOINLINE_KEYWORD__)
#define __noinline__ __attribute__((noinline))
#endif

#define __no_return__ __attribute__((noreturn))
#define __forceinline__ __inline__ __attribute__((always_inline))
#define __inline_hint__
#define __align__(n) __attribute__((aligned(n)))
#define __builtin_align__(n) __align__(n)
#define __thread__ __thread
#define __import__
#define __export__
#define __cdecl
#define __annotate__(a) __attribute__((a))
#define __location__(a) __annotate__(a)

/* Marks of NVIDIA's compiler for its own headers. Programs copy them, though they say nothing. */
#define __device_builtin__
#define __cudart_builtin__
#define __specialization_static static

#ifndef CUDARTAPI
#define CUDARTAPI
#endif
#define CUDART_CB

#endif
