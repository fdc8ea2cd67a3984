package tesla

import "math/bits"

// Class is the kind of work of an operation, regardless of its operands' places: an addition of a
// word of s[] is of ClassInteger.
type Class uint8

// Classes is the number of classes.
const Classes = len(classNames)

// String returns the name of the class.
func (c Class) String() string { return NameOf(classNames[:], "Class", c) }

// operation describes an operation, for all its forms.
type operation struct {
	class       Class
	data        uint8 // sources handed to memory, bit i for Src[i]
	immediate   uint8 // sources that the immediate format has as a number, bit i for Src[i]
	accumulates bool  // there are forms with the destination as Src[2]
	flags       bool  // S and Z of the flags written describe the result
	overflow    bool  // and O may be set
	coordinates bool  // it reads Tex.Coords registers from its destination up
	components  bool  // it writes one register per bit of Tex.Mask
	target      bool  // Target is an address
	guarded     bool  // lanes for which the guard does not hold are left out
	lane        bool  // the result depends on the lane, not only on the sources
	leaves      bool  // lanes may go elsewhere than to the next instruction, or end
	short       bool  // it has forms of 4 bytes that come in pairs
	texels      bool  // it reads texels
}

// about returns the entry of an operation, or the entry of OpInvalid for other numbers.
func (o Op) about() *operation {
	if int(o) >= Ops {
		o = OpInvalid
	}
	return &operations[o]
}

// Class returns the class of the operation, ClassUnknown if compute programs lack it.
func (o Op) Class() Class { return o.about().class }

// HasTarget reports whether the operation names an address in the code: Instruction.Target.
func (o Op) HasTarget() bool { return o.about().target }

// Guarded reports whether a guard leaves out lanes of the operation. Most control instructions ignore
// it, and a vote reads it as its source.
func (o Op) Guarded() bool { return o.about().guarded }

// DependsOnLane reports whether lanes with the same sources may get different results: from special
// registers, local memory and neighbours, and of atomics, which lanes do one after the other.
func (o Op) DependsOnLane() bool { return o.about().lane }

// Leaves reports whether lanes may go elsewhere than to the next instruction, or end.
func (o Op) Leaves() bool { return o.about().leaves }

// HasShort reports whether the operation has forms of 4 bytes that come in pairs.
func (o Op) HasShort() bool { return o.about().short }

// ReadsTexels reports whether the operation reads texels. Those that are not simulated do not count.
func (o Op) ReadsTexels() bool { return o.about().texels }

// HandsOver reports whether the operation hands source i to memory. The last source
// of a compare-and-swap is the new value.
func (o Op) HandsOver(i int) bool { return o.about().data>>i&1 != 0 }

// Immediate returns the source that the immediate format has as a number of up to 32 bits, -1 for
// operations without such a form.
func (o Op) Immediate() int {
	if m := o.about().immediate; m != 0 {
		return bits.TrailingZeros8(m)
	}
	return -1
}

// Accumulates reports whether the operation has forms with one register for the destination and the
// addend, Src[2]: all short forms and immediate forms with an addend are such.
func (o Op) Accumulates() bool { return o.about().accumulates }

// Flags reports whether S and Z of the flags that the operation writes describe its result, and
// whether O may be set then (docs/isa/operations.md). Comparisons and conversions write other
// flags.
func (o Op) Flags() (ofResult, overflow bool) { return o.about().flags, o.about().overflow }

// Uses returns the registers that the instruction reads, including its guard's. An instruction that
// cannot execute reads none.
func (in *Instruction) Uses() (s Registers) {
	if in.Bad != OK {
		return s
	}
	for i := range in.Src {
		s.read(&in.Src[i])
	}
	if in.CarryIn != NoCond {
		s.conditions |= 1 << in.CarryIn.Index()
	}
	if in.Guard.Cond != CondAlways && in.Guard.Cond != CondNever {
		s.conditions |= 1 << (in.Guard.Reg & 3)
	}
	if in.Op.about().coordinates {
		s.span(int(in.Dst.Index), int(in.Tex.Coords))
	}
	return s
}

// Defs returns the registers that the instruction writes in the lanes that execute it. A half
// register counts as the whole one, although its other half stays.
func (in *Instruction) Defs() (s Registers) {
	if in.Bad != OK {
		return s
	}
	switch first, count := in.Dst.Span(); {
	case in.Op.about().components:
		s.span(int(in.Dst.Index), bits.OnesCount8(in.Tex.Mask))
	case in.Dst.Kind == AddrReg:
		s.addresses |= 1 << (in.Dst.Index & 7)
	default:
		s.span(first, count)
	}
	if in.CDst != NoCond {
		s.conditions |= 1 << in.CDst.Index()
	}
	for i := range in.Src {
		if o := &in.Src[i]; o.Post {
			s.addresses |= 1 << (o.Base & 7)
		}
	}
	return s
}
