package tags

import (
	"jacquard/simt"
	"jacquard/tesla"
)

// State holds the tags of a warp's registers.
type State struct {
	regs  [128]Tag
	addrs [8]Tag // $a1 to $a7; $a0 is 0
	conds [4]Tag // Uniform or Unknown
}

// Register returns the tag of register r.
func (s *State) Register(r int) Tag { return s.regs[r] }

// Start returns the tags of a warp of so many lanes at the start of a block. Registers are 0, except
// $r0: it packs the thread's index, x in the lower half, y and z in the upper. If the threads of a
// warp differ only in x, it is Split.
func Start(block [3]int, warp, lanes int) (s State) {
	first := warp * lanes
	last := min(first+lanes, block[0]*block[1]*block[2]) - 1
	s.regs[0] = Unknown
	if first/block[0] == last/block[0] {
		s.regs[0] = Split
	}
	return s
}

// read returns the tag of a source, and counts it if it is a register.
func (s *State) read(o *tesla.Operand, n *simt.Operands) Tag {
	var t Tag
	switch o.Kind {
	case tesla.Reg, tesla.Pair, tesla.Quadruple:
		t = s.span(o.Span())
	case tesla.Half:
		t = half(s.regs[o.Index/2], o.Index%2 == 1)
	case tesla.Global:
		t = s.regs[o.Value&127]
	case tesla.AddrReg:
		return s.addrs[o.Index&7]
	case tesla.CondReg:
		return s.conds[o.Index&3]
	case tesla.Shared, tesla.Const:
		return uniformOr(s.addrs[o.Base&7])
	case tesla.Imm, tesla.None, tesla.Discard:
		return Uniform
	default:
		return Unknown
	}
	n.Reads++
	count(t, &n.ReadsUniform, &n.ReadsAffine)
	return t
}

// count counts an operand by its tag.
func count(t Tag, uniform, affine *uint64) {
	switch t {
	case Uniform:
		*uniform++
	case Split, Affine:
		*affine++
	}
}

// half returns the tag of a half of a register, extended to 32 bits.
func half(t Tag, high bool) Tag {
	switch {
	case t == Split && high:
		return Uniform
	case t == Affine:
		return Unknown // halves of a sum that wraps or carries have no pattern
	}
	return t
}

// span returns the tag of consecutive registers.
func (s *State) span(first, words int) Tag {
	t := Uniform
	for _, x := range s.regs[min(first, len(s.regs)):min(first+words, len(s.regs))] {
		t = max(t, x)
	}
	return t
}

// write sets the registers of e, which in writes, to a tag, and counts them as one operand. A write
// by only some lanes makes them Unknown.
func (s *State) write(in *tesla.Instruction, e *simt.Effects, t Tag, all bool, n *simt.Operands) {
	for _, c := range e.Conditions {
		s.conds[c] = Unknown
		if all && t == Uniform && in.Mods&tesla.Lock == 0 { // one lane gets a lock
			s.conds[c] = Uniform
		}
	}
	if in.Dst.Kind == tesla.AddrReg {
		s.addrs[in.Dst.Index&7] = Unknown
		if all {
			s.addrs[in.Dst.Index&7] = uniformOr(t)
		}
	}
	if len(e.Registers) == 0 {
		return
	}
	if in.Dst.Kind == tesla.Half {
		t = s.inserted(int(in.Dst.Index), t)
	}
	if !all {
		t = Unknown
	}
	for _, r := range e.Registers {
		s.regs[r] = t
	}
	n.Writes++
	count(t, &n.WritesUniform, &n.WritesAffine)
}

// inserted returns the tag of a register after a write of tag t to one of its halves.
func (s *State) inserted(index int, t Tag) Tag {
	old := s.regs[index/2]
	switch {
	case t == Uniform && (old == Uniform || old == Split && index%2 == 1):
		return old
	case t == Split && index%2 == 0 && old <= Split:
		return Split
	}
	return Unknown
}

// Tag describes a register of a warp, for the live lanes.
type Tag uint8

// The tags, the most specific first. Each includes the ones before it.
const (
	// Uniform registers hold one value in all lanes.
	Uniform Tag = iota

	// Split registers hold one value in the upper half, and b + s*l in the lower half of lane l,
	// for some b and s, without wrapping, below 2^15. The packed thread index is Split.
	Split

	// Affine registers hold b + s*l in lane l, modulo 2^32.
	Affine

	// Unknown registers hold any values.
	Unknown
)

// join returns the most specific tag that includes all in list.
func join(list ...Tag) Tag {
	t := Uniform
	for _, x := range list {
		t = max(t, x)
	}
	return t
}

// uniformOr returns Uniform if all tags are Uniform, else Unknown: the rule of every operation
// without a better one.
func uniformOr(list ...Tag) Tag {
	if join(list...) == Uniform {
		return Uniform
	}
	return Unknown
}
