/*
 * cuda_texture_types.h: texture<T, kind, mode>, the texture references of kernels.
 *
 * On the host a texture is a structure that the runtime reads at a binding. In device code clang
 * makes the texture a handle of 64 bits.
 */
#ifndef __CUDA_TEXTURE_TYPES_H__
#define __CUDA_TEXTURE_TYPES_H__

#if defined(__cplusplus) && defined(__CUDACC__)

#include "channel_descriptor.h"
#include "texture_types.h"

template <class T, int kind = cudaTextureType1D,
          enum cudaTextureReadMode __mode = cudaReadModeElementType>
struct __device_builtin_texture_type__ texture : public textureReference {
	__host__ texture(int norm = 0, enum cudaTextureFilterMode __filter = cudaFilterModePoint,
	                 enum cudaTextureAddressMode __address = cudaAddressModeClamp) {
		__set(norm, __filter, __address, cudaCreateChannelDesc<T>());
	}

	__host__ texture(int norm, enum cudaTextureFilterMode __filter,
	                 enum cudaTextureAddressMode __address, struct cudaChannelFormatDesc desc) {
		__set(norm, __filter, __address, desc);
	}

private:
	__host__ void __set(int norm, enum cudaTextureFilterMode __filter,
	                    enum cudaTextureAddressMode __address,
	                    const struct cudaChannelFormatDesc &desc) {
		normalized = norm;
		filterMode = __filter;
		addressMode[0] = addressMode[1] = addressMode[2] = __address;
		channelDesc = desc;
		sRGB = 0;
	}
};

#endif

#endif
