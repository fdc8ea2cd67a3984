package isa

import (
	"fmt"
	"maps"
	"math/bits"
	"slices"
	"strings"
)

// check refuses unused definitions, forms that claim the same encoding, and bits of a form with two
// owners or none.
func (p *parser) check() error {
	for _, f := range p.d.Fields {
		if !p.used[f] {
			return errorf(f.Pos, "field %s is not used", f.Name)
		}
	}
	for _, f := range p.d.Formats {
		if !p.used[f] {
			return errorf(f.Pos, "format %s is not used", f.Name)
		}
		if f.Over != "" && p.formats[f.Over] == nil {
			return errorf(f.Pos, "unknown format %q", f.Over)
		}
	}
	for _, m := range p.d.Mods {
		if !p.used[m] {
			return errorf(m.Pos, "mod %s is not used", m.Name)
		}
	}
	for _, o := range p.d.Operands {
		if !p.used[o] {
			return errorf(o.Pos, "operand %s is not used", o.Name)
		}
	}
	for _, f := range p.d.Forms {
		if f.Over != "" && p.forms[f.Over] == nil {
			return errorf(f.Pos, "unknown form %q", f.Over)
		}
		if err := f.checkOwners(); err != nil {
			return err
		}
	}
	if err := p.checkOperations(); err != nil {
		return err
	}
	return p.checkOverlap()
}

// checkOverlap refuses two forms that could both match one instruction, unless
// one of them says that it takes precedence.
func (p *parser) checkOverlap() error {
	for i, a := range p.d.Forms {
		for _, b := range p.d.Forms[:i] {
			if a.Archs&b.Archs == 0 || a.Over == b.ID || b.Over == a.ID {
				continue
			}
			if a.Format.Over == b.Format.Name || b.Format.Over == a.Format.Name {
				continue
			}
			bitsA, maskA := a.Match()
			bitsB, maskB := b.Match()
			if (bitsA^bitsB)&maskA&maskB == 0 {
				return errorf(a.Pos, "form %s overlaps form %s at %s", a.ID, b.ID, b.Pos)
			}
		}
	}
	return nil
}

// owner is a part of a form that gives fields a meaning.
type owner struct {
	name   string
	mod    bool
	fields []*Field
}

func (o owner) mask() uint64 {
	var m uint64
	for _, f := range o.fields {
		m |= f.Mask()
	}
	return m
}

// owners lists the parts of the form that read fields.
func (f *Form) owners() []owner {
	var out []owner
	for _, c := range f.Conds {
		out = append(out, owner{name: "the match " + c.Field.Name, fields: []*Field{c.Field}})
	}
	for _, c := range f.Emit {
		out = append(out, owner{name: "emit " + c.Field.Name, mod: true, fields: []*Field{c.Field}})
	}
	for _, piece := range f.Pieces() {
		switch {
		case piece.Field != nil:
			o := owner{name: "mod " + piece.Mod.Name, mod: true, fields: []*Field{piece.Field}}
			for _, row := range piece.Mod.Rows {
				for _, c := range row.Conds {
					o.fields = append(o.fields, c.Field)
				}
			}
			out = append(out, o)
		case piece.Operand != nil:
			out = append(out, owner{name: "operand " + piece.Operand.Name, fields: piece.Operand.fields()})
		}
	}
	return out
}

// fields lists the fields an operand reads.
func (o *Operand) fields() []*Field {
	var out []*Field
	for _, l := range o.Lines {
		for _, c := range l.Conds {
			out = append(out, c.Field)
		}
		for _, key := range slices.Sorted(maps.Keys(l.Field)) {
			out = append(out, l.Field[key])
		}
	}
	return out
}

// checkOwners refuses bits of the form with two owners or with none. Two owners
// may share a whole field, as a condition register serves guard and carry, but
// no two modifiers may.
func (f *Form) checkOwners() error {
	owners := f.owners()
	used := f.Ignore
	for i, a := range owners {
		for _, b := range owners[:i] {
			if err := f.checkShared(a, b); err != nil {
				return err
			}
		}
		if m := a.mask() & f.Ignore; m != 0 {
			return errorf(f.Pos, "form %s ignores %s, which belong to %s", f.ID, describe(m), a.name)
		}
		used |= a.mask()
	}
	all := uint64(1)<<(8*f.Format.Size) - 1
	if f.Format.Size == 8 {
		all = ^uint64(0)
	}
	if m := used &^ all; m != 0 {
		return errorf(f.Pos, "form %s has %d bytes but uses %s", f.ID, f.Format.Size, describe(m))
	}
	if m := all &^ used; m != 0 {
		return errorf(f.Pos, "form %s: nothing owns %s", f.ID, describe(m))
	}
	return nil
}

func (f *Form) checkShared(a, b owner) error {
	for _, x := range a.fields {
		for _, y := range b.fields {
			m := x.Mask() & y.Mask()
			if m == 0 {
				continue
			}
			primary := a.mod && b.mod && x == a.fields[0] && y == b.fields[0]
			if x == y && !primary || slices.Contains(b.fields, x) && !primary || slices.Contains(a.fields, y) && !primary {
				continue
			}
			return errorf(f.Pos, "form %s: %s and %s both use %s", f.ID, a.name, b.name, describe(m))
		}
	}
	return nil
}

// describe lists the bits of a mask in the syntax of a description.
func describe(m uint64) string {
	var parts []string
	for _, word := range []string{"w1", "w0"} {
		half := uint32(m)
		if word == "w1" {
			half = uint32(m >> 32)
		}
		for half != 0 {
			high := 31 - bits.LeadingZeros32(half)
			low := high
			for low > 0 && half>>(low-1)&1 != 0 {
				low--
			}
			if low == high {
				parts = append(parts, fmt.Sprintf("%s.%d", word, low))
			} else {
				parts = append(parts, fmt.Sprintf("%s.%d-%d", word, high, low))
			}
			half &^= (1<<(high-low+1) - 1) << low
		}
	}
	return strings.Join(parts, " ")
}
