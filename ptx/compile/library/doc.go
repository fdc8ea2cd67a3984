// Package library has the operations of PTX that Tesla lacks, written in PTX: division, correctly
// rounded floats, 64-bit conversions, bit fields, and atomics by compare-and-swap. The compiler
// builds a function of the library in place of each instruction that the machine cannot execute.
//
// A function is named like the instruction: div_rn_f32, shf_l_wrap_b32. One for atom is for red, too.
// A name that ends in _sm13 is the version for sm_13, which has f64. Operands and results are
// registers. Functions of f32 follow the machine: a subnormal operand or result is a zero of its
// sign, and every NaN is 0x7fffffff.
//
// The common case falls through to the first ret; rare cases stand behind it.
//
// Reading order: library.go, names.go, then a family:
//
//	integer.ptx   division of 16 and 32 bits
//	wide.ptx      64-bit integers
//	single.ptx    quotients and roots of f32
//	fused.ptx     fma of f32
//	directed.ptx  sums and products of f32 towards an infinity
//	double.ptx    quotients of f64
//	root.ptx      roots of f64
//	convert.ptx   conversions
//	bits.ptx      counts and places of bits
//	field.ptx     bit fields, funnel shifts, logic, products of bytes
//	bytes.ptx     permutations of bytes
//	test.ptx      tests of floats
//	function.ptx  approximations
//	half.ptx      f16 and bf16
//	atomic.ptx    atomic operations by compare-and-swap
//	lanes.ptx     instructions that look at other lanes
//	output.ptx    printf and assert
//
// A variable of the library in .shared is the part of one warp: a kernel that uses it has one for
// each warp that a block may have.
//
// Not here: the locks of shared memory, which PTX cannot name.
package library
