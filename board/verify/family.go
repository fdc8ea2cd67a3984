package verify

import (
	"fmt"
	"strings"

	"jacquard/asm"
	"jacquard/tesla"
)

// outcome is what a reference computed. flags is meaningful only if hasFlags, r2 only if
// hasR2.
type outcome struct {
	r, r2    uint64
	flags    uint8
	hasFlags bool
	hasR2    bool
}

// instructions are the operations of vector files: instructions without types, modifiers and
// operands. An operation has the name that it has in tesla, without the I of integers; its
// variants have names of their own.
var instructions = func() map[string]tesla.Instruction {
	m := map[string]tesla.Instruction{"fslct": asm.Plain(tesla.OpSlct)}
	for op := range tesla.Op(tesla.Ops) {
		name := strings.ToLower(op.String())
		switch op.Class() {
		case tesla.ClassInteger:
			m[strings.TrimPrefix(name, "i")] = asm.Plain(op)
		case tesla.ClassFloat, tesla.ClassDouble, tesla.ClassSpecial:
			m[name] = asm.Plain(op)
		}
	}
	sums := []tesla.Arith{tesla.Add, tesla.Sub, tesla.SubR, tesla.AddC}
	for i, name := range []string{"mad", "msub", "msubr", "madc"} {
		add, mad := asm.Plain(tesla.OpIAdd), asm.Plain(tesla.OpIMad)
		add.Arith, mad.Arith = sums[i], sums[i]
		if sums[i] == tesla.AddC {
			add.CarryIn, mad.CarryIn = tesla.C0, tesla.C0
		}
		m[sums[i].String()], m[name] = add, mad
	}
	for _, l := range []tesla.Logic{tesla.And, tesla.Or, tesla.Xor, tesla.Pass} {
		in := asm.Plain(tesla.OpLogic)
		in.Logic = l
		m[l.String()] = in
	}
	for _, name := range []string{"i2i", "i2f", "f2i", "f2f", "i2f64", "f2i64", "f2f64"} {
		m[name] = asm.Plain(tesla.OpCvt)
	}
	for a := tesla.AtomAdd; a <= tesla.AtomXor; a++ {
		in := asm.Plain(tesla.OpAtom)
		in.Atom = a
		m["atom."+a.String()] = in
	}
	return m
}()

// formOf returns the instruction that does what r says.
func formOf(r *Row) (form, error) {
	in, ok := instructions[r.Op]
	if !ok {
		return form{}, fmt.Errorf("unknown operation %q", r.Op)
	}
	f := form{in: in, flags: true}
	var err error
	switch in.Op.Class() {
	case tesla.ClassInteger:
		err = f.integer(r)
	case tesla.ClassConvert:
		err = f.conversion(r)
	case tesla.ClassSpecial:
		err = f.special(r)
	case tesla.ClassAtomic:
		err = f.atomic(r)
	default:
		err = f.float(r)
	}
	return f, err
}

// modError says that an operation has no such modifier.
func modError(r *Row, mod string) error {
	return fmt.Errorf("%s: unknown modifier %q", r.Op, mod)
}

// named returns values by their names.
func named[T fmt.Stringer](values ...T) map[string]T {
	m := map[string]T{}
	for _, v := range values {
		m[v.String()] = v
	}
	return m
}
