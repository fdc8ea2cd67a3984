/*
 * jacquard/textures.h: memory and arrays bound to textures and surfaces, with types.
 *
 * Without a format a texture has the format of its texels, or of the array to which it is bound.
 */
#ifndef __JACQUARD_TEXTURES_H__
#define __JACQUARD_TEXTURES_H__

#ifdef __CUDACC__

#include "cuda_surface_types.h"
#include "cuda_texture_types.h"

#define __CUDA_TEXTURE template <class T, int kind, enum cudaTextureReadMode __mode> static inline

__CUDA_TEXTURE cudaError_t cudaBindTexture(size_t *offset, const texture<T, kind, __mode> &tex,
                                           const void *devPtr,
                                           const struct cudaChannelFormatDesc &desc,
                                           size_t size = UINT_MAX) {
	return ::cudaBindTexture(offset, (const struct textureReference *)&tex, devPtr, &desc, size);
}

__CUDA_TEXTURE cudaError_t cudaBindTexture(size_t *offset, const texture<T, kind, __mode> &tex,
                                           const void *devPtr, size_t size = UINT_MAX) {
	return cudaBindTexture(offset, tex, devPtr, tex.channelDesc, size);
}

__CUDA_TEXTURE cudaError_t cudaBindTexture2D(size_t *offset, const texture<T, kind, __mode> &tex,
                                             const void *devPtr,
                                             const struct cudaChannelFormatDesc &desc,
                                             size_t width, size_t height, size_t pitch) {
	return ::cudaBindTexture2D(offset, (const struct textureReference *)&tex, devPtr, &desc, width,
	                           height, pitch);
}

__CUDA_TEXTURE cudaError_t cudaBindTexture2D(size_t *offset, const texture<T, kind, __mode> &tex,
                                             const void *devPtr, size_t width, size_t height,
                                             size_t pitch) {
	return cudaBindTexture2D(offset, tex, devPtr, tex.channelDesc, width, height, pitch);
}

__CUDA_TEXTURE cudaError_t cudaBindTextureToArray(const texture<T, kind, __mode> &tex,
                                                  cudaArray_const_t array,
                                                  const struct cudaChannelFormatDesc &desc) {
	return ::cudaBindTextureToArray((const struct textureReference *)&tex, array, &desc);
}

__CUDA_TEXTURE cudaError_t cudaBindTextureToArray(const texture<T, kind, __mode> &tex,
                                                  cudaArray_const_t array) {
	struct cudaChannelFormatDesc desc;
	cudaError_t __e = ::cudaGetChannelDesc(&desc, array);
	return __e == cudaSuccess ? cudaBindTextureToArray(tex, array, desc) : __e;
}

__CUDA_TEXTURE cudaError_t cudaUnbindTexture(const texture<T, kind, __mode> &tex) {
	return ::cudaUnbindTexture((const struct textureReference *)&tex);
}

__CUDA_TEXTURE cudaError_t cudaGetTextureAlignmentOffset(size_t *offset,
                                                         const texture<T, kind, __mode> &tex) {
	return ::cudaGetTextureAlignmentOffset(offset, (const struct textureReference *)&tex);
}

#undef __CUDA_TEXTURE

template <class T, int kind>
static inline cudaError_t cudaBindSurfaceToArray(const surface<T, kind> &surf,
                                                 cudaArray_const_t array,
                                                 const struct cudaChannelFormatDesc &desc) {
	return ::cudaBindSurfaceToArray((const struct surfaceReference *)&surf, array, &desc);
}

template <class T, int kind>
static inline cudaError_t cudaBindSurfaceToArray(const surface<T, kind> &surf,
                                                 cudaArray_const_t array) {
	struct cudaChannelFormatDesc desc;
	cudaError_t __e = ::cudaGetChannelDesc(&desc, array);
	return __e == cudaSuccess ? cudaBindSurfaceToArray(surf, array, desc) : __e;
}

#endif

#endif
