/*
 * surface_functions.h: surf1Dread, surf2Dwrite and so on, for kernels that are compiled for more than
 * one device.
 *
 * Surfaces came with sm_20. The functions have no bodies here: source that mentions the functions
 * compiles, and ptxas refuses a kernel that calls one, with the function's name.
 */
#ifndef __SURFACE_FUNCTIONS_H__
#define __SURFACE_FUNCTIONS_H__

#if defined(__cplusplus) && defined(__CUDACC__)

#include "cuda_surface_types.h"

/* The functions of one geometry: x is in bytes. */
#define __CUDA_SURFACE(name, kind, ...) \
	template <class T> \
	__device__ void name##write(T __value, surface<void, kind> __s, __VA_ARGS__, \
		cudaSurfaceBoundaryMode __mode = cudaBoundaryModeTrap); \
	template <class T> \
	__device__ void name##read(T *__value, surface<void, kind> __s, __VA_ARGS__, \
		cudaSurfaceBoundaryMode __mode = cudaBoundaryModeTrap); \
	template <class T> \
	__device__ T name##read(surface<void, kind> __s, __VA_ARGS__, \
		cudaSurfaceBoundaryMode __mode = cudaBoundaryModeTrap);

__CUDA_SURFACE(surf1D, cudaSurfaceType1D, int x)
__CUDA_SURFACE(surf2D, cudaSurfaceType2D, int x, int y)
__CUDA_SURFACE(surf3D, cudaSurfaceType3D, int x, int y, int z)
__CUDA_SURFACE(surf1DLayered, cudaSurfaceType1DLayered, int x, int __layer)
__CUDA_SURFACE(surf2DLayered, cudaSurfaceType2DLayered, int x, int y, int __layer)
__CUDA_SURFACE(surfCubemap, cudaSurfaceTypeCubemap, int x, int y, int __face)
__CUDA_SURFACE(surfCubemapLayered, cudaSurfaceTypeCubemapLayered, int x, int y, int __face)

#undef __CUDA_SURFACE

#endif

#endif
