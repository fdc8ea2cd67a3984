// Package sfu is the special function unit, bit for bit: reciprocal, reciprocal square
// root, binary logarithm and exponential, sine and cosine, and the range reductions
// that precede the last three.
//
// All values are words: a uint32 holds the bits of an f32 or of one of the two fixed-point formats
// of PreSin and PreEx2. Denormal inputs are zeros, small results are flushed, and the only NaN is
// 0x7fffffff. No function has rounding modes or flags.
//
// Each function exists twice. The scalar function is the reference and reads like the description
// of the datapath; the row function computes the 32 lanes of a warp with a cheaper but equal
// square. Accuracy: exact for all 2^32 inputs of each function, by digests of a model checked
// against boards.
//
// Reading order: interpolate.go, then rcp.go; the other functions are similar. tables_gen.go is
// made from tables/*.csv.
package sfu
