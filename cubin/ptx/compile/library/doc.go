// Package library has the operations of PTX that Tesla lacks, written in PTX: division, correctly
// rounded floats, 64-bit conversions, bit fields, and atomics by compare-and-swap. The compiler
// builds a function of the library in place of each instruction that the machine cannot execute.
//
// A function is named like the instruction: div_rn_f32, shf_l_wrap_b32. A name that ends in _sm13 is
// the version for sm_13, which has f64. Operands and results are registers. Functions of f32 follow
// the machine: a subnormal operand or result is a zero of its sign, and every NaN is 0x7fffffff.
//
// The common case falls through to the first ret; rare cases stand behind it.
//
// Reading order: library.go, then the family of interest: integer.ptx, wide.ptx (64-bit integers),
// single.ptx (f32), fused.ptx (fma), directed.ptx (sums and products towards an infinity),
// double.ptx (f64), convert.ptx, bits.ptx, field.ptx, test.ptx, atomic.ptx.
package library
