package program

import (
	"fmt"

	"jacquard/simt/source"
	"jacquard/tesla"
)

// Kernel is the input of Lower: decoded code and resources.
type Kernel struct {
	Name      string
	Arch      tesla.Arch // of the device that decoded the code
	Code      []tesla.Instruction
	Registers int // 32-bit registers per thread
	Shared    int // bytes per block: header, parameters, static arrays
	Local     int // bytes per thread
	Modes     Modes
	Host      Host
	// Source returns the source line of the instruction at pc. It is nil without a line table.
	Source func(pc uint32) source.Line
}

// Host says how the host computes. Any gives the same results. The zero Host is the fastest.
type Host struct {
	// Engine is translate, interp or reference; "" is translate where it can run, else interp.
	Engine string
	// SIMD is the best vector instructions that translated code may use: avx2 or avx512; "" is the
	// host's best. off means no translated code.
	SIMD string
}

// SourceOf returns the source of the instruction at pc, as "file:line", or "" if it is not known.
func (k *Kernel) SourceOf(pc uint32) string {
	if k.Source == nil {
		return ""
	}
	return k.Source(pc).String()
}

// SameLine reports whether two instructions are known to be of one line.
func (k *Kernel) SameLine(a, b uint32) bool {
	s := k.SourceOf(a)
	return s != "" && s == k.SourceOf(b)
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
	// Resources: the launch needs too many registers, threads or too much memory for the device;
	// else a value is bad.
	Resources bool
	Reason    string
}

// Error returns the reason.
func (e *LaunchError) Error() string { return e.Reason }
