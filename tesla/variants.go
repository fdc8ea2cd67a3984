package tesla

import (
	"iter"
	"slices"
)

// RoleDst is the role of the destination; the role of a source is its index in Src.
const RoleDst = -1

// Places lists the places of the operand with a role in the form's instructions.
func (f Form) Places(role int) []Place {
	i := f.source(role)
	if role == RoleDst && int(f) < len(syntax) {
		i = slices.IndexFunc(syntax[f], func(p piece) bool { return p.show == showDst })
	}
	if i < 0 {
		return nil
	}
	return syntax[f][i].takes
}

// source returns the place of source i in the form's text, -1 if it has none.
func (f Form) source(i int) int {
	if int(f) >= len(syntax) {
		return -1
	}
	return slices.IndexFunc(syntax[f], func(p piece) bool { return p.show >= showSrc && p.arg == i })
}

// Variants yields the instructions of the form of blank that differ in named modifiers: types,
// rounding, flags, markers, lanes. Instructions without modifiers come first. Comparisons and the
// modifiers of sources and quads do not vary.
func Variants(blank Instruction) iter.Seq[Instruction] {
	return func(yield func(Instruction) bool) {
		if int(blank.Form) < len(syntax) {
			variants(syntax[blank.Form], blank, yield)
		}
	}
}

// variants yields the instructions that differ from in by the modifiers of pieces. It reports
// whether to go on.
func variants(pieces []piece, in Instruction, yield func(Instruction) bool) bool {
	if len(pieces) == 0 {
		return yield(in)
	}
	p, rest := pieces[0], pieces[1:]
	switch {
	case p.show == showFlag:
		with := in
		with.Mods |= Mods(p.arg)
		return variants(rest, in, yield) && variants(rest, with, yield)
	case p.show == showLanes:
		for in.Idle = range uint8(16) {
			if !variants(rest, in, yield) {
				return false
			}
		}
		return true
	case (p.show == showOne || p.show == showMaybe) && !member(p.arg).attribute():
		for v, word := range p.words {
			if word == "" && (v != 0 || p.show == showOne) {
				continue
			}
			if in.setMember(member(p.arg), int64(v)); !variants(rest, in, yield) {
				return false
			}
		}
		return true
	}
	return variants(rest, in, yield)
}

// attribute reports whether the member belongs to one source, or to one lane of a quad.
func (m member) attribute() bool { return m >= memberQuad0 && m <= memberNot2 }
