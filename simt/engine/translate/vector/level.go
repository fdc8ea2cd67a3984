package vector

import "jacquard/simt/engine/translate/x86"

// Level is an instruction set of the host.
type Level uint8

// The levels. AVX2 has vectors of 8 lanes, and masks are vectors of all ones or zeros; it includes
// AVX2, FMA, F16C and BMI2. AVX512 has vectors of 16 lanes and mask registers; it adds AVX-512 F,
// BW, DQ, VL and CD.
const (
	AVX2 Level = iota + 1
	AVX512
)

// String is the name that host.Find knows: avx2 or avx512.
func (l Level) String() string { return [...]string{AVX2: "avx2", AVX512: "avx512"}[l] }

// Lanes is the number of 32-bit lanes of a vector.
func (l Level) Lanes() int { return [...]int{AVX2: 8, AVX512: 16}[l] }

// Parts is the number of vectors of a row.
func (l Level) Parts() int { return [...]int{AVX2: 4, AVX512: 2}[l] }

// Registers is the number of vector registers.
func (l Level) Registers() int { return [...]int{AVX2: 16, AVX512: 32}[l] }

// width is the width of a vector.
func (l Level) width() x86.Width { return [...]x86.Width{AVX2: x86.Y, AVX512: x86.Z}[l] }
