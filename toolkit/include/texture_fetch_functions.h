/*
 * texture_fetch_functions.h: tex1Dfetch, tex1D, tex2D and tex3D for kernels.
 *
 * Each is one PTX instruction, which gives four components of 32 bits. A type with fewer or
 * narrower components takes a part of these. cudaReadModeNormalizedFloat makes components of 8 and
 * 16 bits floats of [0, 1] or [-1, 1].
 */
#ifndef __TEXTURE_FETCH_FUNCTIONS_H__
#define __TEXTURE_FETCH_FUNCTIONS_H__

#if defined(__cplusplus) && defined(__CUDACC__)

#include "cuda_texture_types.h"

namespace __cuda_texture {

/* __texel<T>::__four is the hardware's result for T, __normal the type of normalised texels. */
template <class T> struct __texel {};

#define __CUDA_TEXEL(type, hardware, components, float_type) \
	template <> struct __texel<type> { \
		typedef hardware __four; \
		typedef float_type __normal; \
		enum { __count = components }; \
	};

#define __CUDA_TEXELS(name, element, hardware) \
	__CUDA_TEXEL(element, hardware, 0, float) \
	__CUDA_TEXEL(name##1, hardware, 1, float1) \
	__CUDA_TEXEL(name##2, hardware, 2, float2) \
	__CUDA_TEXEL(name##4, hardware, 4, float4)

__CUDA_TEXEL(char, int4, 0, float)
__CUDA_TEXELS(char, signed char, int4)
__CUDA_TEXELS(uchar, unsigned char, uint4)
__CUDA_TEXELS(short, short, int4)
__CUDA_TEXELS(ushort, unsigned short, uint4)
__CUDA_TEXELS(int, int, int4)
__CUDA_TEXELS(uint, unsigned int, uint4)
__CUDA_TEXELS(float, float, float4)

#undef __CUDA_TEXELS
#undef __CUDA_TEXEL

/* __narrow<T, count>::__of(v) is the part of v that T has. A count of 0 means that T is no vector. */
template <class T, int __count> struct __narrow;

template <class T> struct __narrow<T, 0> {
	template <class __V> static __device__ __forceinline__ T __of(__V __v) { return (T)__v.x; }
};

#define __CUDA_PART(field) __r.field = (decltype(__r.field))__v.field

template <class T> struct __narrow<T, 1> {
	template <class __V> static __device__ __forceinline__ T __of(__V __v) {
		T __r;
		__CUDA_PART(x);
		return __r;
	}
};

template <class T> struct __narrow<T, 2> {
	template <class __V> static __device__ __forceinline__ T __of(__V __v) {
		T __r;
		__CUDA_PART(x);
		__CUDA_PART(y);
		return __r;
	}
};

template <class T> struct __narrow<T, 4> {
	template <class __V> static __device__ __forceinline__ T __of(__V __v) {
		T __r;
		__CUDA_PART(x);
		__CUDA_PART(y);
		__CUDA_PART(z);
		__CUDA_PART(w);
		return __r;
	}
};

#undef __CUDA_PART

/* __fetch has one overload for each instruction: for each result, geometry and kind of coordinate.
 * */
#define __CUDA_FETCH(four, code, letter) \
	__CUDA_FETCH_AT(four, code ".s32", letter, "1d", "%5", (int x), "r"(x)) \
	__CUDA_FETCH_AT(four, code ".f32", letter, "1d", "%5", (float x), "f"(x)) \
	__CUDA_FETCH_AT(four, code ".f32", letter, "2d", "%5, %6", (float x, float y), \
		"f"(x), "f"(y)) \
	__CUDA_FETCH_AT(four, code ".f32", letter, "3d", "%5, %6, %7, %7", \
		(float x, float y, float z), "f"(x), "f"(y), "f"(z))

#define __CUDA_FETCH_AT(four, code, letter, geometry, registers, coordinates, ...) \
	template <class __Texture> \
	static __device__ __forceinline__ void __fetch(four &__r, __Texture __t, \
		__CUDA_FETCH_LIST coordinates) { \
		asm("tex." geometry ".v4." code " {%0, %1, %2, %3}, [%4, {" registers "}];" \
		    : "=" letter(__r.x), "=" letter(__r.y), "=" letter(__r.z), "=" letter(__r.w) \
		    : "l"(__t), __VA_ARGS__); \
	}

#define __CUDA_FETCH_LIST(...) __VA_ARGS__

__CUDA_FETCH(int4, "s32", "r")
__CUDA_FETCH(uint4, "u32", "r")
__CUDA_FETCH(float4, "f32", "f")

#undef __CUDA_FETCH_LIST
#undef __CUDA_FETCH_AT
#undef __CUDA_FETCH

template <class T, class __Texture, class... __Coordinates>
static __device__ __forceinline__ T __element(__Texture __t, __Coordinates... __at) {
	typename __texel<T>::__four __r;
	__fetch(__r, __t, __at...);
	return __narrow<T, __texel<T>::__count>::__of(__r);
}

template <class T, class __Texture, class... __Coordinates>
static __device__ __forceinline__ typename __texel<T>::__normal __normal(__Texture __t,
                                                                         __Coordinates... __at) {
	float4 __r;
	__fetch(__r, __t, __at...);
	return __narrow<typename __texel<T>::__normal, __texel<T>::__count>::__of(__r);
}

}

#define __CUDA_TEX(name, kind, parameters, ...) \
	template <class T> \
	static __device__ __forceinline__ T name(texture<T, kind, cudaReadModeElementType> __t, \
		__CUDA_TEX_LIST parameters) { \
		return __cuda_texture::__element<T>(__t, __VA_ARGS__); \
	} \
	template <class T> \
	static __device__ __forceinline__ typename __cuda_texture::__texel<T>::__normal name( \
		texture<T, kind, cudaReadModeNormalizedFloat> __t, __CUDA_TEX_LIST parameters) { \
		return __cuda_texture::__normal<T>(__t, __VA_ARGS__); \
	}

#define __CUDA_TEX_LIST(...) __VA_ARGS__

__CUDA_TEX(tex1Dfetch, cudaTextureType1D, (int x), x)
__CUDA_TEX(tex1D, cudaTextureType1D, (float x), x)
__CUDA_TEX(tex2D, cudaTextureType2D, (float x, float y), x, y)
__CUDA_TEX(tex3D, cudaTextureType3D, (float x, float y, float z), x, y, z)

#undef __CUDA_TEX_LIST
#undef __CUDA_TEX

#endif

#endif
