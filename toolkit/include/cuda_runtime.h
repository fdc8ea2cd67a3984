/*
 * cuda_runtime.h: CUDA C++ for kernels and hosts; the header before line 1 of every .cu file.
 *
 * C programs get the runtime's functions. C++ programs get its templates, too. Where clang
 * compiles CUDA, kernels get the functions of the device.
 */
#ifndef __CUDA_RUNTIME_H__
#define __CUDA_RUNTIME_H__

#include "host_defines.h"

#ifdef __CUDA__

#if !defined(__clang__) || __cplusplus < 201103L
#error "CUDA programs are compiled by clang, as C++11 or later: give nvcc -std=c++11 or later"
#endif

#ifndef __CUDACC__
#define __CUDACC__
#endif
#ifndef __CUDACC_VER_MAJOR__
#define __CUDACC_VER_MAJOR__ 10
#define __CUDACC_VER_MINOR__ 0
#define __CUDACC_VER_BUILD__ 130
#endif

#include "jacquard/clang.h"

#include "math_functions.h"
#include "device_functions.h"
#include "device_atomic_functions.h"
#include "texture_fetch_functions.h"
#include "surface_functions.h"

#endif

#include "builtin_types.h"
#include "channel_descriptor.h"
#include "cuda_runtime_api.h"
#include "driver_functions.h"
#include "vector_functions.h"

#ifdef __cplusplus
#include "jacquard/launch.h"
#include "jacquard/memory.h"
#include "jacquard/occupancy.h"
#include "jacquard/textures.h"
#endif

#endif
