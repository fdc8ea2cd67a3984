package ptx

import "strings"

// operand reads one operand. Depth counts the braces around it.
func (p *parser) operand(depth int) Operand {
	t := p.tok
	switch t.kind {
	case '{':
		return p.list('{', '}', depth)
	case '[':
		return p.address()
	case '!':
		p.next()
		o := p.named()
		o.Not = true
		if o.Kind != Register {
			p.errorAt(o.Pos, "found \"!\" before something else than a predicate")
		}
		return o
	case tokIdent:
		if t.text != "WARP_SZ" {
			return p.named()
		}
	case '-':
		ahead := p.lexer
		if after := ahead.next(); after.kind == tokIdent && after.text != "WARP_SZ" {
			p.next()
			o := p.named()
			o.Neg = true
			if o.Kind != Register {
				p.errorAt(o.Pos, "found \"-\" before something else than a register")
			}
			return o
		}
	}
	if !p.startsNumber() {
		p.want("an operand")
		return Operand{}
	}
	c := p.expression()
	return Operand{Pos: t.pos, Kind: Immediate, Value: c.bits, lit: c.lit}
}

// startsNumber reports whether a constant expression may begin here.
func (p *parser) startsNumber() bool {
	switch p.tok.kind {
	case tokInt, tokFloat, tokIdent, '-', '+', '~', '(':
		return true
	case tokWord, tokBad:
		return p.tok.text != "" && classes[p.tok.text[0]] == classDigit
	}
	return false
}

// list reads operands between braces or parentheses.
func (p *parser) list(open, end kind, depth int) Operand {
	o := Operand{Pos: p.tok.pos, Kind: List}
	if depth > 1 {
		p.fail("lists are nested too deep")
		return o
	}
	p.expect(open)
	base := len(p.scratch)
	for p.tok.kind != end && !p.bad {
		one := p.operand(depth + 1)
		p.scratch = append(p.scratch, one)
		if !p.accept(',') {
			break
		}
	}
	p.expect(end)
	o.List = p.operands.keep(p.scratch[base:])
	p.scratch = p.scratch[:base]
	p.pair(&o)
	return o
}

// pair reads |q behind a result.
func (p *parser) pair(o *Operand) {
	if p.tok.kind != '|' {
		return
	}
	p.next()
	t := p.ident("a predicate")
	if t.text != "_" && !p.bad {
		o.Pair = p.predicate(t)
	}
}

// named reads an operand that begins with a name.
func (p *parser) named() Operand {
	t := p.ident("a name")
	o := Operand{Pos: t.pos}
	if p.bad {
		return o
	}
	if t.text == "_" {
		o.Kind = Discard
		p.pair(&o)
		return o
	}
	found, ok := p.find(t.text)
	switch {
	case !ok && p.special(t, &o):
	case !ok:
		p.unknown(t, "name")
		for p.tok.kind == tokWord {
			p.next()
		}
		p.offset()
	case found.f != nil:
		o.Kind, o.Func = Symbol, found.f
		o.Value = uint64(p.offset())
	case found.v.Space == Reg:
		o.Kind, o.Var = Register, found.v
		p.part(&o)
		p.pair(&o)
		o.Value = uint64(p.offset())
	default:
		o.Kind, o.Var = Symbol, found.v
		p.index(&o)
		o.Value += uint64(p.offset())
	}
	return o
}

// special reads a special register and its axis. It reports false if there is none of the name.
func (p *parser) special(t token, o *Operand) bool {
	row, ok := specials[t.text]
	if !ok {
		return false
	}
	o.Kind, o.Special = SpecialReg, row.first
	if !row.axes {
		return true
	}
	axis := p.tok
	at := strings.Index("xyzw", axis.text)
	if axis.kind != tokWord || len(axis.text) != 1 || at < 0 {
		p.want("one of .x, .y, .z, .w")
		return true
	}
	o.Special += Special(at)
	p.next()
	return true
}

// part reads the element of a vector: .x or .r to .w or .a.
func (p *parser) part(o *Operand) {
	if p.tok.kind != tokWord {
		return
	}
	t := p.tok
	if laneNamed(t.text) != WholeLane {
		return // for an instruction that has them
	}
	const none = -1
	at := int8(none)
	switch t.text {
	case "x", "r":
		at = 1
	case "y", "g":
		at = 2
	case "z", "b":
		at = 3
	case "w", "a":
		at = 4
	}
	if at == none || int(at) > o.Var.Vector || o.Var.Vector == 1 {
		p.fail("%s has no element %s", variable(o.Var), t.describe())
		return
	}
	o.Part = at
	p.next()
}

// index reads the [2] of table[2] and adds the bytes up to there.
func (p *parser) index(o *Operand) {
	for dim := 1; p.tok.kind == '[' && !p.bad; dim++ {
		p.next()
		t := p.tok
		c := p.expression()
		if c.isFloat() {
			p.errorAt(t.pos, "found a float; expected an index")
		}
		p.expect(']')
		o.Value += c.bits * uint64(rowBytes(o.Var, dim))
		o.lit = intLiteral // to tell table[2] from table
	}
}

// address reads [a+4].
func (p *parser) address() Operand {
	o := p.addressHead()
	p.expect(']')
	return o
}

// addressHead reads [a+4 and resolves it.
func (p *parser) addressHead() Operand {
	o := Operand{Pos: p.tok.pos, Kind: Address}
	p.expect('[')
	t := p.tok
	if t.kind != tokIdent || t.text == "WARP_SZ" {
		if !p.startsNumber() {
			p.want("an address")
			return o
		}
		c := p.expression()
		if c.isFloat() {
			p.errorAt(t.pos, "found a float; expected an address")
		}
		o.Value = c.bits
		return o
	}
	p.next()
	found, ok := p.find(t.text)
	switch {
	case !ok:
		p.unknown(t, "name")
	case found.v == nil:
		p.errorAt(t.pos, "%s is a function; expected a variable or a register", t.describe())
	default:
		o.Var = found.v
		if o.Var.Space == Reg {
			p.part(&o)
		} else {
			p.index(&o)
			o.lit = noLiteral
		}
	}
	o.Value += uint64(p.offset())
	return o
}

// texture reads [t], [t, {x, y}] or [t, s, {x, y}] as one to three operands.
func (p *parser) texture() {
	first := p.addressHead()
	first.Pos = p.tok.pos
	p.scratch = append(p.scratch, first)
	if p.accept(',') {
		o := p.operand(0)
		if p.accept(',') {
			o.Kind = Address
			p.scratch = append(p.scratch, o)
			o = p.operand(0)
		}
		if o.Kind != List {
			one := p.operands.many(1)
			one[0] = o
			o = Operand{Pos: o.Pos, Kind: List, List: one}
		}
		p.scratch = append(p.scratch, o)
	}
	p.expect(']')
}

// call reads the operands of call.
func (p *parser) call(ins *Instr) {
	args := p.operands.many(3)
	p.scratch = p.scratch[:0]
	args[0].Kind, args[2].Kind = List, List
	if p.tok.kind == '(' {
		args[0] = p.list('(', ')', 0)
		p.expect(',')
	}
	args[1] = p.named()
	ins.Args = args
	if p.accept(',') {
		if p.tok.kind == '(' {
			args[2] = p.list('(', ')', 0)
		} else {
			p.want("arguments in parentheses")
		}
	}
	if p.accept(',') {
		ins.Args = p.operands.many(4)
		copy(ins.Args, args)
		p.place(&ins.Args[3], Signature)
	}
	if !p.bad {
		p.checkCall(ins)
	}
}
