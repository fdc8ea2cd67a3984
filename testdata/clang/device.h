// What CUDA C++ of this folder takes from NVIDIA's headers, by clang's own builtins.
#pragma once

#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define KERNEL extern "C" __global__ void

typedef unsigned char u8;
typedef unsigned short u16;
typedef unsigned int u32;
typedef unsigned long long u64;
typedef signed char s8;
typedef short s16;
typedef int s32;
typedef long long s64;

struct Index { u32 x, y, z; };

#define INDEX(name) (Index{(u32)__nvvm_read_ptx_sreg_##name##_x(), \
                           (u32)__nvvm_read_ptx_sreg_##name##_y(), \
                           (u32)__nvvm_read_ptx_sreg_##name##_z()})
#define threadIdx INDEX(tid)
#define blockIdx INDEX(ctaid)
#define blockDim INDEX(ntid)

// The number of this thread in the grid: the item that the thread works on.
__device__ inline u32 item() { return blockIdx.x * blockDim.x + threadIdx.x; }

template <typename To, typename From> __device__ inline To bitsAs(From from) {
    static_assert(sizeof(To) == sizeof(From), "sizes differ");
    To to;
    __builtin_memcpy(&to, &from, sizeof to);
    return to;
}

__device__ inline void put64(u32 *at, u64 v) {
    at[0] = (u32)v;
    at[1] = (u32)(v >> 32);
}

__device__ inline u64 get64(const u32 *at) { return (u64)at[1] << 32 | at[0]; }
