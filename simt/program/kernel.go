package program

import (
	"fmt"

	"jacquard/internal/debuginfo"
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
	// Debug describes functions and variables; nil if nothing is known of them.
	Debug *debuginfo.Info
}

// Host says how the host computes. Any gives the same results. The zero Host is the fastest.
type Host struct {
	// Engine is translate, interp or reference; "" is translate where it can run, else interp.
	Engine string
	// SIMD is the best vector instructions that translated code may use: avx2 or avx512; "" is the
	// host's best. off means no translated code.
	SIMD string
}

// SourceOf returns the user's line for the instruction at pc, as "file:line", or "" if it is not
// known. Of a function in a header of the toolkit, that is the line of the call, if it is known to be
// inlined.
func (k *Kernel) SourceOf(pc uint32) string {
	frames := k.known(pc)
	for _, f := range frames {
		if !f.System && f.File != "" {
			return f.String()
		}
	}
	return frames[0].String()
}

// Frames returns the functions that the instruction at pc is part of, innermost first. The last is the
// kernel; the others are inlined. Where nothing is known of inlined functions, and the line is one of
// a header of the toolkit, the user's line before it in the code stands for the call, and the function
// of the first frame has no name.
func (k *Kernel) Frames(pc uint32) []source.Frame {
	frames := k.known(pc)
	if len(frames) > 1 || !frames[0].System {
		return frames
	}
	for before := pc; before > 0; {
		before -= 4
		if user := source.NewFrame(k.Name, k.lineAt(before)); !user.System && user.File != "" {
			frames[0].Function = ""
			return append(frames, user)
		}
	}
	return frames
}

// known returns the frames that are known for certain: at least that of the kernel.
func (k *Kernel) known(pc uint32) []source.Frame {
	at := k.lineAt(pc)
	frames := k.Debug.Frames(uint64(pc), debuginfo.Line(at))
	if len(frames) == 0 {
		return []source.Frame{source.NewFrame(k.Name, at)}
	}
	out := make([]source.Frame, len(frames))
	for i, f := range frames {
		out[i] = source.NewFrame(f.Function, source.Line(f.Line))
	}
	out[len(out)-1].Function = k.Name
	return out
}

func (k *Kernel) lineAt(pc uint32) source.Line {
	if k.Source == nil {
		return source.Line{}
	}
	return k.Source(pc)
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
