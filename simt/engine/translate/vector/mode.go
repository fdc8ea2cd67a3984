package vector

import (
	"encoding/binary"

	"jacquard/fpu"
	"jacquard/simt/engine/translate/x86"
)

// Mode is a value of MXCSR, the control register of floating point. The zero Mode means that the
// value is unknown.
type Mode uint32

// The modes. Neither has traps.
const (
	// ModeFloat is the arithmetic of f32: denormal operands are zeros of their sign, and so are
	// results that are below 2^-126 after rounding.
	ModeFloat Mode = modeMasks | modeDAZ | modeFTZ
	// ModeDouble is the arithmetic of f64, with denormals.
	ModeDouble Mode = modeMasks

	modeMasks = 0x1f80
	modeDAZ   = 1 << 6
	modeFTZ   = 1 << 15
)

// Rounded is the mode with another rounding than to nearest.
func (m Mode) Rounded(r fpu.Round) Mode { return m | Mode(r)<<13 }

// Mode makes the code that follows run under m. Code is only needed if another mode, or an unknown
// one, was current.
func (b *Builder) Mode(m Mode) {
	switch m {
	case 0:
		panic("vector: an unknown mode")
	case b.mode:
		return
	}
	b.mode = m
	var word [4]byte
	binary.LittleEndian.PutUint32(word[:], uint32(m))
	b.a.V(x86.Ins{Op: x86.VLDMXCSR, RM: b.a.Const(word[:], 4)})
}

// Assume states the mode at the present position, for instance at a label.
func (b *Builder) Assume(m Mode) { b.mode = m }

// CurrentMode is the mode at the present position.
func (b *Builder) CurrentMode() Mode { return b.mode }

// rounding prepares an instruction that rounds: it returns the embedded rounding of AVX512, and
// sets the mode. Embedded rounding keeps the treatment of denormals.
func (b *Builder) rounding(m Mode, r fpu.Round) x86.Round {
	if b.Level == AVX2 || r == fpu.RN {
		b.Mode(m.Rounded(r))
		return 0
	}
	b.Mode(m)
	return [...]x86.Round{fpu.RM: x86.RD, fpu.RP: x86.RU, fpu.RZ: x86.RZ}[r]
}
