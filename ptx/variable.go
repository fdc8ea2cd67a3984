package ptx

import (
	"math"
	"math/bits"
)

// maxRegisters limits the registers that a text declares, besides one per byte of the text.
const maxRegisters = 1 << 20

// maxBytes limits the size of a variable.
const maxBytes = min(1<<32, math.MaxInt-1)

// maxDims limits the dimensions of an array.
const maxDims = 16

// declaration reads what stands between a state space and the names: a type, an alignment, the
// length of vectors. The result lacks a name.
func (p *parser) declaration(pos Pos, space Space) Var {
	v := Var{Pos: pos, Space: space, Vector: 1}
	if space == Const && p.accept('[') {
		v.Bank = p.count("a bank")
		p.expect(']')
	}
	for p.tok.kind == tokWord && !p.bad {
		p.attribute(&v)
	}
	if v.Type == NoType {
		p.want("a type such as .u32")
	}
	if v.Align == 0 {
		v.Align = natural(&v)
	}
	return v
}

// natural returns the alignment of a variable that is declared without one.
func natural(v *Var) int { return max(v.Type.Bytes()*v.Vector, 1) }

// attribute reads one word of a declaration.
func (p *parser) attribute(v *Var) {
	word := p.tok
	p.next()
	switch word.text {
	case "align":
		v.Align = p.alignment()
	case "v2":
		v.Vector = 2
	case "v4":
		v.Vector = 4
	case "ptr":
		v.Pointer = p.pointer()
	case "attribute":
		p.attributes(v)
	default:
		m, odd := p.typeNamed(word.text), oddBytes[word.text]
		switch {
		case odd > 0 && v.Type == NoType && (v.Space == Global || v.Space == Const):
			v.Type, v.Dims, v.odd = U8, []int{odd}, true
		case m == NoType:
			p.errorAt(word.pos, "found %s; expected a type, .align, .v2 or .v4", word.describe())
			v.Type = B32 // not to ask for a type again
		case v.Type != NoType:
			p.errorAt(word.pos, "second type %s", word.describe())
		default:
			v.Type = m
		}
	}
}

var oddBytes = map[string]int{"u24": 3, "u40": 5, "u48": 6, "u56": 7}

// attributes reads (.managed, .unified(1, 2)) after .attribute. The argument of .unified, an
// identity among the devices of a system, is dropped: there is one memory.
func (p *parser) attributes(v *Var) {
	p.expect('(')
	for !p.bad {
		switch {
		case p.acceptWord("managed"):
			v.Managed = true
		case p.acceptWord("unified"):
			p.expect('(')
			p.expression()
			p.expect(',')
			p.expression()
			p.expect(')')
		default:
			p.want("one of .managed, .unified")
		}
		if !p.accept(',') {
			break
		}
	}
	p.expect(')')
}

// typeNamed returns the type of a name that registers and variables may have, NoType if there is none.
func (p *parser) typeNamed(text string) Type {
	for t, name := range typeNames {
		if name == text && Type(t) < U2 {
			return Type(t)
		}
	}
	return NoType
}

// alignment reads a power of two.
func (p *parser) alignment() int {
	t := p.tok
	n := p.count("an alignment")
	if !p.bad && bits.OnesCount(uint(n)) != 1 {
		p.errorAt(t.pos, "alignment %s; expected a power of two", t.describe())
		return 1
	}
	return n
}

// pointer reads what stands after .ptr.
func (p *parser) pointer() *Pointer {
	const unsaid = 4
	ptr := &Pointer{Align: unsaid}
	if space, ok := p.space(); ok {
		ptr.Space = space
	}
	if p.acceptWord("align") {
		ptr.Align = p.alignment()
	}
	return ptr
}

// dims reads the dimensions of an array after its name.
func (p *parser) dims(v *Var) {
	for !v.odd && p.tok.kind == '[' {
		t := p.tok
		p.next()
		n := 0
		if p.tok.kind != ']' {
			n = p.count("a length")
		} else if v.Dims != nil {
			p.want("a length")
		}
		p.expect(']')
		if len(v.Dims) == maxDims {
			p.errorAt(t.pos, "more than %d dimensions", maxDims)
			return
		}
		v.Dims = append(v.Dims, n)
	}
	if v.Dims != nil && rowBytes(v, 0) > maxBytes {
		p.errorAt(v.Pos, "%s has more than 2^32 bytes", quote(v.Name))
		v.Dims = nil
	}
}

// rowBytes returns the bytes of the parts of an array with so many dimensions fixed, at most
// maxBytes+1. A length of 0 counts as 1.
func rowBytes(v *Var, fixed int) int {
	size := int64(v.Type.Bytes() * v.Vector)
	for _, n := range v.Dims[min(fixed, len(v.Dims)):] {
		size = min(size*int64(max(n, 1)), maxBytes+1)
	}
	return int(size)
}

// Bytes returns the size of the variable, 0 if the launch or another module gives its length.
func (v *Var) Bytes() int {
	if len(v.Dims) > 0 && v.Dims[0] == 0 {
		return 0
	}
	return rowBytes(v, 0)
}

// globals reads variables outside of functions.
func (p *parser) globals(pos Pos, linkage Linkage, space Space) {
	proto := p.declaration(pos, space)
	proto.Linkage = linkage
	for !p.bad {
		v := p.vars.one()
		*v = proto
		t := p.ident("a name")
		v.Name, v.Pos = t.text, t.pos
		p.dims(v)
		if p.bad {
			return
		}
		v, fresh := p.addGlobal(v)
		p.initial(v)
		if fresh && !p.bad {
			p.m.Items = append(p.m.Items, v)
		}
		if !p.accept(',') {
			break
		}
	}
	p.expect(';')
}

// addGlobal declares a variable of the module. One that was declared as extern keeps its pointer.
func (p *parser) addGlobal(v *Var) (declared *Var, fresh bool) {
	old, ok := p.names.find(v.Name)
	switch {
	case !ok:
		p.names.add(v.Name, thing{v: v})
		return v, true
	case old.v == nil || old.v.Linkage != Extern && v.Linkage != Extern:
		p.twice(v.Name, v.Pos, old)
		return v, false
	case old.v.Linkage == Extern && v.Linkage != Extern:
		*old.v = *v
	}
	return old.v, false
}

// twice reports a name that is declared again.
func (p *parser) twice(name string, pos Pos, old thing) {
	before := Pos{}
	switch {
	case old.v != nil:
		before = old.v.Pos
	case old.f != nil:
		before = old.f.Pos
	}
	p.errorAt(pos, "%s is declared at %v already", quote(name), before)
}

// locals reads variables or registers of a body.
func (p *parser) locals(pos Pos, space Space, linkage Linkage) {
	proto := p.declaration(pos, space)
	proto.Linkage = linkage
	d := &Decl{Pos: pos}
	for !p.bad {
		t := p.ident("a name")
		if space == Reg && p.tok.kind == '<' {
			d = p.keepDecl(d)
			p.rangeOf(proto, t)
		} else if v := p.local(proto, t); v != nil {
			d.Vars = append(d.Vars, v)
		}
		if !p.accept(',') {
			break
		}
	}
	p.expect(';')
	p.keepDecl(d)
}

// keepDecl puts a declaration into the body unless it is empty, and returns another.
func (p *parser) keepDecl(d *Decl) *Decl {
	if len(d.Vars) == 0 {
		return d
	}
	p.fn.Body = append(p.fn.Body, d)
	return &Decl{Pos: d.Pos}
}

// local reads one variable or register.
func (p *parser) local(proto Var, t token) *Var {
	v := p.vars.one()
	*v = proto
	v.Name, v.Pos = t.text, t.pos
	p.dims(v)
	if old, ok := p.names.local(v.Name); ok {
		p.twice(v.Name, v.Pos, old)
		return nil
	}
	p.names.add(v.Name, thing{v: v})
	p.initial(v)
	if v.Space == Reg {
		p.addRegister(v)
	}
	return v
}

// addRegister gives a register its number.
func (p *parser) addRegister(v *Var) {
	if p.room--; p.room < 0 {
		p.errorAt(v.Pos, "too many registers")
		return
	}
	v.Index = len(p.fn.Regs)
	p.fn.Regs = append(p.fn.Regs, v)
}

// rangeOf reads <17> and declares registers with so many numbers.
func (p *parser) rangeOf(proto Var, t token) {
	n := p.rangeLength()
	if p.bad || n == 0 {
		return
	}
	d := p.newRange(proto, t, n)
	if d == nil {
		return
	}
	if old := p.names.addRange(t.text, d.Vars); old != nil {
		p.twice(old.Name, t.pos, thing{v: old})
		return
	}
	for i, v := range d.Vars {
		v.Index = len(p.fn.Regs) + i
	}
	p.fn.Regs = append(p.fn.Regs, d.Vars...)
	p.fn.Body = append(p.fn.Body, d)
}

// newRange makes registers with so many numbers. It returns nil if they are too many.
func (p *parser) newRange(proto Var, t token, n int) *Decl {
	if p.room -= n; p.room < 0 {
		p.fail("too many registers")
		return nil
	}
	vars, all := make([]Var, n), make([]*Var, n)
	names := numbered(t.text, n)
	proto.Pos = t.pos
	for i := range vars {
		vars[i] = proto
		vars[i].Name = names[i]
		all[i] = &vars[i]
	}
	return &Decl{Pos: t.pos, Vars: all, Prefix: t.text}
}

// rangeLength reads <17>.
func (p *parser) rangeLength() int {
	p.expect('<')
	t := p.tok
	c := p.primary() // a number alone, because > ends it
	p.expect('>')
	if c.isFloat() || c.bits > maxBytes {
		p.errorAt(t.pos, "found %s; expected a number of registers", t.describe())
		return 0
	}
	return int(c.bits)
}
