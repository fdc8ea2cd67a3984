// Package lane computes on registers that are rows of words: 32 lanes at a time, for all warps of a
// selection in one call. It knows widths, flags and masks, but no instructions.
//
// Kernels share a shape. The destination comes first, then the sources, then the selection: Add(d,
// a, b, s). A destination may be one of the sources. Lanes outside the selection keep their words
// and flags. Kernels work on words: a 16-bit operand is extended by its type, and the low half of
// the result counts; width is a parameter only if it changes a flag or a clamp. Flag kernels read
// operands, so they run before the arithmetic kernel.
//
// The integer instructions need these kernels:
//
//	add sub subr addc      Add Sub AddCarry, AddSat SubSat AddCarrySat;
//	                       AddFlags SubFlags AddCarryFlags
//	mul                    Mul (16 bits), Mul24LoU and its kin; ResultFlags
//	mad msub msubr madc    the product, then the add family; MulAdd for the common case
//	sad                    AbsDiffU AbsDiffS, then Add; AddFlags
//	shl shr                Shl ShrU ShrS; ShlFlags ShrUFlags ShrSFlags
//	set                    CompareU CompareS, Expand; MaskFlags
//	min max, logic, moves  MinU and its kin, And ..., Move; ResultFlags
//	mov from and to $c     FlagsToRow FlagsFromRow
//	guards, vote           Condition; MaskFlags
//
// float.go has f32, float_double.go f64 in pairs of registers, float_convert.go the
// conversions, and float_sfu.go the special functions.
//
// The functions are portable Go. Engines that translate code compute the same with vector
// instructions: simt/engine/translate/vector.
//
// Read rows.go for the types, each.go for the two forms of a kernel, body.go for the loops over
// lanes, and pack.go for turning lanes into masks. Tests compare the kernels with the scalar
// operations of simt/engine/reference/alu, fpu and sfu.
package lane
