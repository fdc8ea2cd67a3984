package program

import (
	"fmt"

	"jacquard/simt/source"
	"jacquard/tesla"
)

// Kernel is a kernel as Lower takes it: decoded code and resources.
type Kernel struct {
	Name      string
	Arch      tesla.Arch // of the decoding device
	Code      []tesla.Instruction
	Registers int // 32-bit registers per thread
	Shared    int // bytes per block: header, parameters, static arrays
	Local     int // bytes per thread
	Modes     Modes
	Host      Host
	// Source returns the line that the instruction at pc is made of. It is nil without a line table.
	Source func(pc uint32) source.Line
}

// Host says how the host computes. Results are the same for any. The zero Host is the fastest.
type Host struct {
	// Engine is translate, interp or reference; "" is translate where it can run, else interp.
	Engine string
	// SIMD is the most vector instructions that translated code may have: avx2 or avx512; "" is the
	// host's best. off is no translated code.
	SIMD string
}

// SourceOf returns where the instruction at pc comes from, as "file:line"; "" if that is unknown.
func (k *Kernel) SourceOf(pc uint32) string {
	if k.Source == nil {
		return ""
	}
	return k.Source(pc).String()
}

// Place names an instruction by its byte address, and by its source if that is known.
func Place(pc uint32, source string) string {
	if source == "" {
		return fmt.Sprintf("pc 0x%x", pc)
	}
	return fmt.Sprintf("pc 0x%x, %s", pc, source)
}

// Modes are the two bits of a multiprocessor that change f32 arithmetic. A driver sets them for a
// launch; a cubin cannot. CUDA runs with the zero value.
type Modes struct {
	// A product with a zero or denormal factor is +0 for any other factor.
	// Unverified: whether the multiply-add heeds it; here it does not.
	MulZeroWins bool
	// From sm_12 on, saturation turns NaN into +0.
	SatNaNZero bool
}

// LaunchError says that a launch was refused.
type LaunchError struct {
	// Resources: too many registers or threads, or too much memory, for the device; else a bad
	// value.
	Resources bool
	Reason    string
}

// Error returns the reason.
func (e *LaunchError) Error() string { return e.Reason }
