// Package vector holds the vector algorithms of the machine's operations, as a library that emits
// code for the host at run time. Each is written once for both levels, AVX2 and AVX-512.
//
// A [Builder] wraps an assembler and hands out vector registers. Its methods are the bodies: each
// emits code that computes one vector of a result, a part of a row of 32 lanes, from the same part
// of the sources. They compute what the kernels of package lane with the same names do, bit for
// bit, in all lanes. Lanes that are not active may compute anything: nothing traps.
//
//   - A body returns fresh registers, leaves its sources as they are, and frees all others. It
//     takes at most [Demand] registers besides its sources, the special functions [SpecialDemand].
//   - It may destroy RAX, RCX, RDX, R8 to R11 and the flags of the processor.
//   - It states the floating-point mode that it needs, with [Builder.Mode]. Between bodies the mode
//     is whatever the last one needed.
//   - Flags of the machine are collected part by part in general registers: see [RegZ].
//   - What rarely happens is out-of-line code: see [Builder.Cold] and [Builder.FlushCold].
//
// Reading order: level.go, builder.go, emit.go, mask.go; then integer.go, compare.go, flags.go,
// float.go and mad.go; convert.go; special.go; pair.go.
package vector
