/*
 * channel_descriptor.h: cudaCreateChannelDesc<T>(), the format of texels of type T.
 *
 * A type that is no type of texels gives a format of kind cudaChannelFormatKindNone.
 */
#ifndef __CHANNEL_DESCRIPTOR_H__
#define __CHANNEL_DESCRIPTOR_H__

#ifdef __cplusplus

#include "cuda_runtime_api.h"

template <class T>
inline cudaChannelFormatDesc cudaCreateChannelDesc() {
	return cudaCreateChannelDesc(0, 0, 0, 0, cudaChannelFormatKindNone);
}

inline cudaChannelFormatDesc cudaCreateChannelDescHalf() {
	return cudaCreateChannelDesc(16, 0, 0, 0, cudaChannelFormatKindFloat);
}

inline cudaChannelFormatDesc cudaCreateChannelDescHalf1() {
	return cudaCreateChannelDesc(16, 0, 0, 0, cudaChannelFormatKindFloat);
}

inline cudaChannelFormatDesc cudaCreateChannelDescHalf2() {
	return cudaCreateChannelDesc(16, 16, 0, 0, cudaChannelFormatKindFloat);
}

inline cudaChannelFormatDesc cudaCreateChannelDescHalf4() {
	return cudaCreateChannelDesc(16, 16, 16, 16, cudaChannelFormatKindFloat);
}

#define __CUDA_CHANNEL(type, bits, kind) \
	template <> \
	inline cudaChannelFormatDesc cudaCreateChannelDesc<type>() { \
		return cudaCreateChannelDesc(bits, 0, 0, 0, kind); \
	}

#define __CUDA_CHANNELS(name, element, bits, kind) \
	__CUDA_CHANNEL(element, bits, kind) \
	__CUDA_CHANNEL(name##1, bits, kind) \
	template <> \
	inline cudaChannelFormatDesc cudaCreateChannelDesc<name##2>() { \
		return cudaCreateChannelDesc(bits, bits, 0, 0, kind); \
	} \
	template <> \
	inline cudaChannelFormatDesc cudaCreateChannelDesc<name##4>() { \
		return cudaCreateChannelDesc(bits, bits, bits, bits, kind); \
	}

__CUDA_CHANNEL(char, 8, cudaChannelFormatKindSigned)
__CUDA_CHANNELS(char, signed char, 8, cudaChannelFormatKindSigned)
__CUDA_CHANNELS(uchar, unsigned char, 8, cudaChannelFormatKindUnsigned)
__CUDA_CHANNELS(short, short, 16, cudaChannelFormatKindSigned)
__CUDA_CHANNELS(ushort, unsigned short, 16, cudaChannelFormatKindUnsigned)
__CUDA_CHANNELS(int, int, 32, cudaChannelFormatKindSigned)
__CUDA_CHANNELS(uint, unsigned int, 32, cudaChannelFormatKindUnsigned)
__CUDA_CHANNELS(float, float, 32, cudaChannelFormatKindFloat)

#undef __CUDA_CHANNELS
#undef __CUDA_CHANNEL

#endif

#endif
