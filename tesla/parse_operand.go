package tesla

import (
	"slices"
	"strconv"
	"strings"
)

// operandPiece reads an operand.
func (r *reader) operandPiece(p piece) bool {
	o, n, ok := r.operand(p.takes)
	if !ok {
		return slices.Contains(p.takes, Place{None, TypeNone})
	}
	switch p.show {
	case showDst:
		r.in.Dst = o
	case showCDst:
		r.in.CDst = C0 + CReg(o.Index)
	case showCarry:
		r.in.CarryIn = C0 + CReg(o.Index)
	}
	if p.show >= showSrc {
		s := &r.in.Src[p.arg]
		o.As, o.Neg, o.Abs, o.Not = s.As, s.Neg, s.Abs, s.Not
		r.in.Bits |= r.in.Form.CutImmediate(p.arg, &o)
		*s = o
	}
	return r.take(n)
}

// CutImmediate keeps the bits of source i that the operation uses, if it is an immediate, and
// returns the instruction's bits of the others.
func (f Form) CutImmediate(i int, o *Operand) (rest uint64) {
	mask := ^uint32(0)
	switch at := f.source(i); {
	case at < 0 || o.Kind != Imm:
	case syntax[f][at].show == showSrcCut16:
		mask = 0xffff
	case syntax[f][at].show == showSrcCut24:
		mask = 0xffffff
	}
	rest = immediateBits(uint64(o.Value &^ mask))
	o.Value &= mask
	return rest
}

// operand reads an operand at one of places, and returns its number of tokens.
func (r *reader) operand(places []Place) (o Operand, n int, ok bool) {
	text, typ, n := r.next(), TypeNone, 1
	if t := slices.Index(typeNames, text); t > 0 && r.at+1 < len(r.tokens) && strings.HasPrefix(r.tokens[r.at+1].Text, "s[") {
		text, typ, n = r.tokens[r.at+1].Text, Type(t), 2
	}
	o, ok = parseOperand(text)
	if ok {
		o.Type = typ
		ok = r.fit(&o, places)
	}
	if !ok {
		for _, p := range places {
			r.want(p.Kind.example())
		}
	}
	return o, n, ok
}

// fit sets the kind and the type of an operand from a fitting place. $a0 prints as a number.
func (r *reader) fit(o *Operand, places []Place) bool {
	best := -1
	for i, p := range places {
		switch {
		case p.Kind == AddrReg && o.Kind == Imm && o.Value == 0:
			*o = Operand{Kind: AddrReg}
			return true
		case p.Kind != o.Kind || o.Type != TypeNone && o.Type != p.Type:
		case best < 0 || p.Type == r.in.Type:
			best = i
		}
	}
	if best >= 0 {
		o.Type = places[best].Type
	}
	return best >= 0
}

// parseOperand reads the text of an operand without its access type.
func parseOperand(text string) (o Operand, ok bool) {
	if text == "#" {
		return Operand{Kind: Discard}, true
	}
	if i := slices.Index(specialNames[:], text); i >= 0 {
		return Operand{Kind: Special, Index: uint8(i)}, true
	}
	if v, ok := number(text); ok {
		return Operand{Kind: Imm, Value: uint32(v)}, fits(v)
	}
	if name, ok := strings.CutPrefix(text, "$"); ok {
		return parseRegister(name)
	}
	space, inside, ok := strings.Cut(strings.TrimSuffix(text, "]"), "[")
	if !ok || space == "" || !strings.HasSuffix(text, "]") {
		return o, false
	}
	if space[0] == 'g' {
		r, ok := parseOperand(inside)
		n, err := strconv.ParseUint(space[1:], 10, 4)
		return Operand{Kind: Global, Index: uint8(n), Value: uint32(r.Index)}, ok && err == nil && r.Kind == Reg
	}
	if space[0] == 'c' {
		n, err := strconv.ParseUint(space[1:], 10, 4)
		o.Kind, o.Index = Const, uint8(n)
		return o, err == nil && o.parseAddress(inside)
	}
	switch space {
	case "s":
		o.Kind = Shared
	case "l":
		o.Kind = Local
	case "o":
		o.Kind = Output
	default:
		return o, false
	}
	return o, o.parseAddress(inside)
}

// registerKinds maps the letters around a register's number to its kind.
var registerKinds = map[string]OperandKind{
	"r": Reg, "rl": Half, "rh": Half, "rd": Pair, "rq": Quadruple, "c": CondReg, "a": AddrReg, "sr": Special,
}

// parseRegister reads the name of a register without its "$".
func parseRegister(name string) (o Operand, ok bool) {
	digits := strings.Trim(name, "abcdefghijklmnopqrstuvwxyz")
	before, after, _ := strings.Cut(name, digits)
	n, err := strconv.ParseUint(digits, 10, 8)
	o = Operand{Kind: registerKinds[before+after], Index: uint8(n)}
	switch o.Kind {
	case Half:
		o.Index = uint8(2 * n)
		if after == "h" {
			o.Index++
		}
		ok = n < 64
	case CondReg:
		ok = n < 4
	case AddrReg:
		ok = n < 8
	default:
		ok = n < 128
	}
	return o, err == nil && ok && o.Kind != None
}

// parseAddress reads the brackets of an operand in memory.
func (o *Operand) parseAddress(text string) bool {
	base, step, post := strings.Cut(text, "++")
	offset := step
	if !post {
		base, offset, _ = strings.Cut(text, "+")
		if !strings.HasPrefix(base, "$a") {
			base, offset = "", text
		}
	}
	o.Post = post
	if base != "" && base != "0x0" {
		a, ok := parseOperand(base)
		if !ok || a.Kind != AddrReg || a.Index > 7 {
			return false
		}
		o.Base = a.Index
	}
	if offset == "" {
		return !post && base != ""
	}
	v, ok := number(offset)
	o.Value = uint32(v)
	return ok && fits(v)
}

// fits reports whether a number has at most 32 bits, with or without sign.
func fits(v int64) bool { return v == int64(uint32(v)) || v == int64(int32(v)) }

// texdst reads the destinations of a texture instruction: consecutive registers, and # for omitted
// components.
func (r *reader) texdst() bool {
	parts := strings.Split(r.next(), ":")
	if len(parts) != 4 {
		return r.want("four components like $r0:#:$r1:#")
	}
	t := &r.in.Tex
	t.Mask = 0
	for i, part := range parts {
		if part == "#" {
			continue
		}
		if !r.successor(part, t.Mask) {
			return r.want("four components like $r0:#:$r1:#")
		}
		t.Mask |= 1 << i
	}
	return r.take(1)
}

// successor reads the next of consecutive registers; one register precedes it per bit of mask.
func (r *reader) successor(text string, mask uint8) bool {
	digits, ok := strings.CutPrefix(text, "$r")
	v, err := strconv.ParseUint(digits, 10, 8)
	if !ok || err != nil {
		return false
	}
	before := uint8(0)
	for ; mask != 0; mask &= mask - 1 {
		before++
	}
	first := Operand{Kind: Reg, Index: uint8(v) - before}
	if before == 0 && r.in.Dst.Kind == None {
		r.in.Dst = first
	}
	return r.in.Dst == first
}

// texsrc reads the coordinates, which start at the destination's register.
func (r *reader) texsrc() bool {
	if r.in.Tex.Mask == 0 {
		r.in.Dst = Operand{}
	}
	parts := strings.Split(r.next(), ":")
	for i, part := range parts {
		if i > 3 || !r.successor(part, 1<<i-1) {
			return r.want("coordinates like $r0:$r1 from the first destination")
		}
	}
	r.in.Tex.Coords = uint8(len(parts))
	return r.take(1)
}

// numbered reads a number after a prefix.
func (r *reader) numbered(prefix string, to *uint8, what string) bool {
	digits, ok := strings.CutPrefix(r.next(), prefix)
	v, err := strconv.ParseUint(digits, 10, 8)
	if !ok || err != nil {
		return r.want(what)
	}
	*to = uint8(v)
	return r.take(1)
}
