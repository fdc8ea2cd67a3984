package decoder

import (
	"fmt"

	"jacquard/tesla"
)

// EncodeError says that an architecture cannot encode an instruction.
type EncodeError struct {
	Arch        tesla.Arch
	Instruction tesla.Instruction
	Reason      string
}

// Error names the operation, the architecture and the reason.
func (e *EncodeError) Error() string {
	return fmt.Sprintf("cannot encode %s for %s: %s", e.Instruction.Op, e.Arch, e.Reason)
}

// Encode is the reverse of Decode: decoding the words gives in again, except for Raw and Form. It
// uses in.Form if that can express the instruction, else the first form of in.Op that can and has
// in.Size bytes (any, if Size is 0). w1 is 0 for a short instruction. Bits without effect are 0.
// The error is an *EncodeError.
func Encode(a tesla.Arch, in tesla.Instruction) (w0, w1 uint32, err error) {
	fail := func(reason string) (uint32, uint32, error) {
		return 0, 0, &EncodeError{Arch: a, Instruction: in, Reason: reason}
	}
	if in.Op == tesla.OpInvalid || int(in.Op) >= tesla.Ops {
		return fail("no such operation")
	}
	set := archSet(1) << a
	if f := in.Form; f != 0 && int(f) < tesla.Forms && forms[f].template.Op == in.Op {
		if w, ok := forms[f].encodeAs(a, &in); ok && forms[f].archs&set != 0 {
			return uint32(w), uint32(w >> 32), nil
		}
	}
	tried := 0
	for _, f := range formsOf[in.Op] {
		if forms[f].archs&set == 0 || in.Size != 0 && in.Size != forms[f].template.Size {
			continue
		}
		tried++
		if w, ok := forms[f].encodeAs(a, &in); ok {
			return uint32(w), uint32(w >> 32), nil
		}
	}
	if tried == 0 {
		return fail("the architecture has no such instruction")
	}
	return fail("no form has these operands and modifiers")
}

// encodeAs encodes in by the form's own steps and decodes it again: members that the form cannot
// express differ then.
func (f *form) encodeAs(a tesla.Arch, in *tesla.Instruction) (uint64, bool) {
	e := encoding{w: f.bits, owned: f.mask}
	for _, step := range f.encode {
		if !step(in, &e) {
			return 0, false
		}
	}
	back := Decode(a, uint32(e.w), uint32(e.w>>32))
	back.Raw, back.Form = in.Raw, in.Form
	if in.Size == 0 {
		back.Size = 0
	}
	return e.w, back == *in
}

// EncodeAs is Encode for the form in.Form only. It accepts operands that are impossible in compute
// programs.
func EncodeAs(a tesla.Arch, in tesla.Instruction) (w0, w1 uint32, ok bool) {
	if !Has(a, in.Form) {
		return 0, 0, false
	}
	judge(&in)
	w, ok := forms[in.Form].encodeAs(a, &in)
	return uint32(w), uint32(w >> 32), ok
}

// Has reports whether the architecture has a form.
func Has(a tesla.Arch, f tesla.Form) bool {
	return f != 0 && int(f) < tesla.Forms && forms[f].archs>>a&1 != 0
}

// Blank returns an instruction with the members common to all instructions of a form; the others
// are zero.
func Blank(f tesla.Form) tesla.Instruction {
	row := &forms[f]
	in := row.template
	for _, step := range row.decode {
		step(^archSet(0), row.bits, &in)
	}
	in.Bad, in.Guard, in.Idle, in.Dst = tesla.OK, tesla.Guard{}, 0, tesla.Operand{}
	in.Raw = [2]uint32{uint32(row.bits), uint32(row.bits >> 32)}
	return in
}
