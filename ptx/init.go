package ptx

import (
	"encoding/binary"
	"math/bits"
)

// initial reads the initial content of a variable if there is one.
func (p *parser) initial(v *Var) {
	odd := v.odd
	v.odd = false // The reader alone has to know it.
	if !p.accept('=') {
		return
	}
	v.Init = &Init{}
	i := initializer{parser: p, v: v}
	switch {
	case v.Space == Reg || v.Space == Param || v.Space == Shared || v.Space == Local:
		p.errorAt(v.Pos, "%s cannot have initial content", quote(v.Name))
		i.discard()
		v.Init = nil
		return
	case v.Type.Opaque():
		p.settings(v.Init)
	case odd:
		i.integer()
	case p.tok.kind == '{':
		i.braces(0, 0)
	default:
		i.element(0)
	}
	i.complete()
}

// settings reads { filter_mode = linear, ... }.
func (p *parser) settings(init *Init) {
	p.expect('{')
	for p.tok.kind == tokIdent {
		f := Field{Name: p.tok.text}
		p.next()
		p.expect('=')
		switch p.tok.kind {
		case tokIdent, tokInt:
			f.Value = p.tok.text
			p.next()
		default:
			p.want("a value")
		}
		init.Fields = append(init.Fields, f)
		if !p.accept(',') {
			break
		}
	}
	p.expect('}')
}

// initializer reads the initial content of one variable.
type initializer struct {
	*parser
	v *Var
}

// maxContent limits the bytes of content that a text fills, besides 16 per byte of the text.
const maxContent = 16 << 20

// discard reads content that nothing can take.
func (i *initializer) discard() {
	for depth := i.depth; i.tok.kind != tokEOF && i.tok.kind != ';'; i.next() {
		if i.tok.kind == '}' && i.depth <= depth {
			return
		}
	}
}

// braces reads { a, b, { c } } at an offset, and returns the offset behind the last element. Fixed
// counts the braces around it; a brace inside begins at the next row of the dimension that it
// fixes.
func (i *initializer) braces(fixed, offset int) int {
	if fixed > maxDims+1 {
		i.fail("braces are nested too deep")
		return offset
	}
	i.expect('{')
	row := i.rowBytes(fixed + 1)
	start := offset
	for i.tok.kind != '}' && !i.bad {
		if i.tok.kind == '{' {
			offset = start + (offset-start+row-1)/row*row
			i.braces(fixed+1, offset)
			offset += row
		} else {
			i.element(offset)
			offset += i.v.Type.Bytes()
		}
		if !i.accept(',') {
			break
		}
	}
	i.expect('}')
	return offset
}

// rowBytes returns the size of a row with so many dimensions fixed; the elements of a vector are
// one more dimension.
func (i *initializer) rowBytes(fixed int) int {
	if fixed > len(i.v.Dims) {
		return i.v.Type.Bytes()
	}
	return rowBytes(i.v, fixed)
}

// room makes the content long enough for an element. It reports false if the variable is too short.
func (i *initializer) room(offset int) bool {
	end := offset + i.v.Type.Bytes()
	open := len(i.v.Dims) > 0 && i.v.Dims[0] == 0
	if !open && end > rowBytes(i.v, 0) {
		i.errorAt(i.tok.pos, "more initial content than %s has elements", quote(i.v.Name))
		return false
	}
	if n := end - len(i.v.Init.Bytes); n > 0 {
		most := maxContent + 16*len(i.text)
		if i.filled+n > most {
			i.errorAt(i.tok.pos, "the content of %s reaches byte %d; a text fills at most %d bytes, "+
				"of which %d are taken", quote(i.v.Name), offset, most, i.filled)
			return false
		}
		i.filled += n
		i.v.Init.Bytes = append(i.v.Init.Bytes, make([]byte, n)...)
	}
	return true
}

// element reads one number or address.
func (i *initializer) element(offset int) {
	ok := i.room(offset)
	if i.tok.kind == tokIdent && i.tok.text != "WARP_SZ" {
		ref := i.address(i.v.Type.Bytes())
		ref.Offset = offset
		if ok && !i.bad {
			i.v.Init.Refs = append(i.v.Init.Refs, ref)
		}
		return
	}
	at := i.tok.pos
	c := i.expression()
	if i.tok.kind == '(' && !i.bad {
		ref := i.masked(at, c)
		ref.Offset = offset
		if ok && !i.bad {
			i.v.Init.Refs = append(i.v.Init.Refs, ref)
		}
		return
	}
	value, fits := c.convert(i.v.Type)
	if !fits {
		i.errorAt(at, "found a float; .%v takes an integer", i.v.Type)
	}
	if ok && !i.bad {
		store(i.v.Init.Bytes[offset:offset+i.v.Type.Bytes()], value)
	}
}

// integer reads the one number of a variable of odd width.
func (i *initializer) integer() {
	at := i.tok.pos
	value, fits := i.expression().convert(i.v.Type)
	if !fits {
		i.errorAt(at, "found a float; .u%d takes an integer", 8*i.v.Bytes())
	}
	i.v.Init.Bytes = make([]byte, i.v.Bytes())
	store(i.v.Init.Bytes, value)
}

// store writes the lower bytes of a value.
func store(to []byte, value uint64) {
	var all [16]byte
	binary.LittleEndian.PutUint64(all[:], value)
	copy(to, all[:])
}

// masked reads the rest of 0xff00(name).
func (i *initializer) masked(pos Pos, mask constant) Ref {
	i.expect('(')
	ref := i.address(i.v.Type.Bytes())
	i.expect(')')
	ref.Shift = bits.TrailingZeros64(mask.bits)
	if want := byteMask(ref.Bytes) << ref.Shift; mask.bits != want || ref.Shift%8 != 0 {
		i.errorAt(pos, "the mask of an address is 0xff, 0xff00 and so on, as wide as an element")
	}
	return ref
}

// byteMask returns a mask of so many bytes.
func byteMask(n int) uint64 {
	if n >= 8 {
		return ^uint64(0)
	}
	return 1<<(8*n) - 1
}

// address reads name+4 or generic(name)+4.
func (i *initializer) address(width int) Ref {
	ref := Ref{Bytes: width}
	name := i.ident("a name")
	if name.text == "generic" && i.tok.kind == '(' {
		ref.Generic = true
		i.next()
		name = i.ident("a name")
		i.addend(&ref)
		i.expect(')')
	}
	if i.bad {
		return ref
	}
	t, _ := i.find(name.text)
	switch {
	case t.v != nil && t.v.Space != Reg:
		ref.Of = t.v
	case t.f != nil:
		ref.Of = t.f
	default:
		i.unknown(name, "variable or function")
	}
	i.addend(&ref)
	return ref
}

func (i *initializer) addend(ref *Ref) {
	ref.Addend += i.offset()
}

// complete sets a length that the content gives.
func (i *initializer) complete() {
	v := i.v
	if len(v.Dims) > 0 && v.Dims[0] == 0 && !i.bad {
		row := rowBytes(v, 1)
		v.Dims = append([]int(nil), v.Dims...)
		v.Dims[0] = (len(v.Init.Bytes) + row - 1) / row
	}
}

// offset reads any number of + and - with a number after each, and returns their sum.
func (p *parser) offset() int64 {
	sum := int64(0)
	for (p.tok.kind == '+' || p.tok.kind == '-') && !p.bad {
		t := p.tok
		p.next()
		c := p.binary(productLevel, 0)
		if c.isFloat() {
			p.errorAt(t.pos, "found a float in an address")
		}
		if t.kind == '-' {
			c.bits = -c.bits
		}
		sum += int64(c.bits)
	}
	return sum
}
