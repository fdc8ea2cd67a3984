/* cuda_surface_types.h: surface<T, kind>, which programs may declare and bind. */
#ifndef __CUDA_SURFACE_TYPES_H__
#define __CUDA_SURFACE_TYPES_H__

#if defined(__cplusplus) && defined(__CUDACC__)

#include "channel_descriptor.h"
#include "surface_types.h"

template <class T, int kind = cudaSurfaceType1D>
struct __device_builtin_surface_type__ surface : public surfaceReference {
	__host__ surface() { channelDesc = cudaCreateChannelDesc<T>(); }
};

template <int kind>
struct __device_builtin_surface_type__ surface<void, kind> : public surfaceReference {
	__host__ surface() { channelDesc = cudaCreateChannelDesc<void>(); }
};

#endif

#endif
