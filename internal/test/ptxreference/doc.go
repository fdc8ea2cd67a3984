// Package ptxreference interprets PTX, simply and slowly, as the second body that a compiler of PTX is
// checked against. Its arithmetic is written from the definitions of the PTX ISA and shares nothing
// with the simulator; tests compare the two.
//
// To run a kernel, Load the module, map or allocate buffers in the program's Memory, and call
// Program.Run. The example shows it.
//
// # Reading order
//
// The outside: config.go (machine and launch), errors.go, memory.go (global memory), approx.go.
//
// From a module to code: program.go places variables, with layout.go; compile.go makes functions
// ready; operand.go binds operands; dispatch.go finds the file of an instruction; demote.go is
// map_f64_to_f32.
//
// Numbers: number.go (exact values), format.go (rounding), arith.go (add to sqrt, NaN rules), fmad.go
// (mad.f32 of sm_1x).
//
// Instructions that compute: pure.go, then integer.go, carry.go, bits.go, field.go, video.go,
// video_scalar.go, float.go, compare.go, convert.go, move.go, special.go.
//
// Instructions that do more: spaces.go, access.go, atomic.go, texture.go, control.go, call.go,
// builtin.go, together.go, barrier.go.
//
// The run: thread.go, schedule.go, run.go.
//
// # What PTX leaves open
//
// NaN results of f32 are 0x7fffffff, of f16 and bf16 0x7fff; neg and abs of the latter change the sign
// alone, and a bf16 that becomes an f32 or an f64 keeps its bits. NaNs of f64 are as on Tesla: the
// second operand if it is a NaN, then the addend, then the first operand, each made quiet, and
// 0xfff8000000000000 for an invalid operation. Conversions between f32 and f64 keep sign and payload.
//
// Results below the normal range are flushed after rounding to full precision with an unbounded
// exponent, as on Tesla. Results of f16 and bf16 are flushed if they are subnormal after rounding.
//
// An integer quotient by 0 has all bits set, and the remainder is the dividend. Registers and
// memory begin as zeros. A shuffle from a lane that does not take part returns the thread's own
// value. Atomic operations and stores happen in the order of the threads.
//
// With map_f64_to_f32 division is div.full, roots and reciprocals are approximate, and mad and fma
// are mad.f32.
//
// # What is missing
//
// Values of 128 bits, txq and suq, and alloca are errors of kind Unsupported when a kernel needs them,
// before it runs.
package ptxreference
