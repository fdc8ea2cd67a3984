/*
 * jacquard/clang.h: clang's own headers for device code, in the required order.
 *
 * clang includes them from a wrapper around NVIDIA's headers, which -nocudainc leaves out. This
 * file and cuda_runtime.h take the wrapper's place. The forward declarations stand before <cmath>:
 * without them its constexpr functions would be functions of the device, too.
 */
#ifndef __JACQUARD_CLANG_H__
#define __JACQUARD_CLANG_H__

#include "jacquard/hide_macros.h"

#include <__clang_cuda_math_forward_declares.h>

#include <cmath>
#include <cstdlib>

#include <assert.h>
#include <limits.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* clang's headers ask for the release. cuda.h stays out: parameters there have names such as N. */
#ifndef CUDA_VERSION
#define CUDA_VERSION 10000
#endif

#include "cuda_runtime_api.h"
#include "vector_functions.h"

#include <__clang_cuda_builtin_vars.h>
#include <__clang_cuda_libdevice_declares.h>

/* LLVM votes only from sm_30 on; device_functions.h has votes for all targets. */
#define __all __clang_all
#define __any __clang_any
#define __ballot __clang_ballot
#include <__clang_cuda_device_functions.h>
#undef __ballot
#undef __any
#undef __all

/* clang's own functions give infinity or zero for all exponents of more than 32 bits, also for zero
 * and NaN. */
#define scalbln __clang_scalbln
#define scalblnf __clang_scalblnf
#include <__clang_cuda_math.h>
#undef scalblnf
#undef scalbln

static __device__ __forceinline__ double scalbln(double x, long __n) {
	return scalbn(x, __n > INT_MAX ? INT_MAX : __n < INT_MIN ? INT_MIN : (int)__n);
}

static __device__ __forceinline__ float scalblnf(float x, long __n) {
	return scalbnf(x, __n > INT_MAX ? INT_MAX : __n < INT_MIN ? INT_MIN : (int)__n);
}

#include "jacquard/device_library.h"

#include <__clang_cuda_cmath.h>

/* nvcc compiles for a later target than __CUDA_ARCH__ says if a source has names that need one. */
#pragma push_macro("__CUDA_ARCH__")
#ifdef __JACQUARD_TARGET__
#undef __CUDA_ARCH__
#define __CUDA_ARCH__ __JACQUARD_TARGET__
#endif
#include <__clang_cuda_intrinsics.h>
#include "jacquard/warps.h"
#pragma pop_macro("__CUDA_ARCH__")

#include <__clang_cuda_complex_builtins.h>

#include "jacquard/restore_macros.h"

#endif
