// Conversions that clang's builtins do not keep: LLVM treats conversions towards zero as C's, which
// round integers to nearest, and have no result beyond the range.
#include "device.h"

#define CONVERSION(name, to, toKind, from, fromKind, instruction)             \
    API to __nv_##name(from x) {                                              \
        to y;                                                                 \
        asm("cvt." instruction " %0, %1;" : toKind(y) : fromKind(x));     \
        return y;                                                             \
    }

CONVERSION(int2float_rz, float, "=f", int, "r", "rz.f32.s32")
CONVERSION(uint2float_rz, float, "=f", uint, "r", "rz.f32.u32")
CONVERSION(ll2float_rz, float, "=f", llong, "l", "rz.f32.s64")
CONVERSION(ull2float_rz, float, "=f", ullong, "l", "rz.f32.u64")
CONVERSION(ll2double_rz, double, "=d", llong, "l", "rz.f64.s64")
CONVERSION(ull2double_rz, double, "=d", ullong, "l", "rz.f64.u64")

CONVERSION(float2int_rz, int, "=r", float, "f", "rzi.s32.f32")
CONVERSION(float2uint_rz, uint, "=r", float, "f", "rzi.u32.f32")
CONVERSION(float2ll_rz, llong, "=l", float, "f", "rzi.s64.f32")
CONVERSION(float2ull_rz, ullong, "=l", float, "f", "rzi.u64.f32")
CONVERSION(double2int_rz, int, "=r", double, "d", "rzi.s32.f64")
CONVERSION(double2uint_rz, uint, "=r", double, "d", "rzi.u32.f64")
CONVERSION(double2ll_rz, llong, "=l", double, "d", "rzi.s64.f64")
CONVERSION(double2ull_rz, ullong, "=l", double, "d", "rzi.u64.f64")
