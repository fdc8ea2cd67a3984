package ptx

import "strings"

// guarded reads an instruction after its guard: @p or @!p.
func (p *parser) guarded() {
	p.next()
	g := Guard{Not: p.accept('!')}
	t := p.ident("a predicate")
	if p.bad {
		return
	}
	g.Pred = p.predicate(t)
	op := p.ident("an instruction")
	if !p.bad {
		p.instruction(op, g)
	}
}

// predicate returns the predicate of a name, nil after a mistake.
func (p *parser) predicate(t token) *Var {
	found, _ := p.find(t.text)
	if found.v == nil {
		p.unknown(t, "predicate")
		return nil
	}
	if found.v.Type != Pred || found.v.Space != Reg {
		p.errorAt(t.pos, "found %s; expected a predicate", variable(found.v))
		return nil
	}
	return found.v
}

// instruction reads an instruction after its name.
func (p *parser) instruction(name token, g Guard) {
	ins := p.instrs.one()
	ins.Pos, ins.Guard = name.pos, g
	op, ok := p.lang.ops[name.text]
	if !ok {
		if why := absent(name.text); why != "" {
			p.failAt(name.pos, "%s is not supported: %s", name.text, why)
			return
		}
		p.failAt(name.pos, "unknown instruction %s%s", name.describe(), p.lang.nearOp(name.text))
		return
	}
	ins.Op = op
	start := p.end - len(name.text) // p.tok may be far behind the name
	p.modifiers(ins, name)
	if p.bad {
		return
	}
	f := p.lang.formOf(ins)
	if f == nil {
		p.noForm(ins, name, start)
		return
	}
	if f.vector && ins.Vector == 0 {
		ins.Vector = 1
	}
	p.since(f, name)
	p.operandsOf(ins, f)
	p.expect(';')
	p.fn.Body = append(p.fn.Body, ins)
}

// modifiers reads the words after an operation.
func (p *parser) modifiers(ins *Instr, name token) {
	for p.tok.kind == tokWord {
		word := p.tok
		p.next()
		if !p.modifier(ins, word) {
			return
		}
		if p.tok.kind == '[' && ins.Space == Const && ins.Type == NoType && ins.Op.hasBank() {
			p.next()
			ins.Bank = p.count("a bank")
			p.expect(']')
		}
	}
	if name.text == "bar" && ins.Mode != BarWarp {
		ins.Mods |= Aligned
	}
}

// hasBank reports whether a bank may stand after the .const of the operation.
func (o Op) hasBank() bool { return o == OpLd || o == OpLdu || o == OpSt }

// modifier adds one word to the instruction. It reports false after a mistake.
func (p *parser) modifier(ins *Instr, word token) bool {
	number, ok := p.lang.words[word.text]
	var c candidates
	if ok {
		c = p.lang.accepts[ins.Op][number]
	}
	if c.n == 0 {
		all := p.lang.wordsOf(ins.Op)
		if len(all) == 0 {
			p.failAt(word.pos, "%v has no modifier %s", ins.Op, word.describe())
			return false
		}
		p.failAt(word.pos, "%v has no modifier %s; expected %s", ins.Op, word.describe(), oneOf(all))
		return false
	}
	for _, m := range c.meanings[:c.n] {
		if ins.set(m) {
			return true
		}
	}
	p.failAt(word.pos, "%s is one too many of its kind", word.describe())
	return false
}

// noForm reports modifiers that do not go together.
func (p *parser) noForm(ins *Instr, name token, start int) {
	types := p.lang.typesOf(ins.Op)
	if ins.Type == NoType && types != nil {
		p.failAt(name.pos, "%v lacks a type; expected %s", ins.Op, oneOf(types))
		return
	}
	p.failAt(name.pos, "%s is no form of %v; expected %s", quote(p.mnemonic(start)), ins.Op,
		strings.Join(p.lang.nearForms(ins), " or "))
}

// mnemonic returns the operation and its modifiers as they are written.
func (p *parser) mnemonic(start int) string {
	return strings.TrimSpace(p.text[max(start, 0):max(p.end, start, 0)])
}

// since reports a form that the module's version or target lacks.
func (p *parser) since(f *form, name token) {
	v := p.m.Version
	if v.Major < f.since.Major || v.Major == f.since.Major && v.Minor < f.since.Minor {
		p.errorAt(name.pos, "%v needs .version %d.%d; the module has %d.%d", f, f.since.Major,
			f.since.Minor, v.Major, v.Minor)
	}
	if arch := p.m.Target.Arch; arch != 0 && arch < f.arch {
		p.errorAt(name.pos, "%v needs .target sm_%d; the module has sm_%d", f, f.arch, arch)
	}
}

// operandsOf reads the operands of a form.
func (p *parser) operandsOf(ins *Instr, f *form) {
	if len(f.args) > 0 {
		switch f.args[0].shape.role {
		case roleLabel:
			ins.Args = p.operands.many(1)
			p.place(&ins.Args[0], Place)
			return
		case roleCall:
			p.call(ins)
			return
		}
	}
	p.scratch = p.scratch[:0]
	if p.tok.kind != ';' {
		p.commaList(f)
	}
	if p.bad {
		return
	}
	p.shapes = f.assign(p.scratch, p.shapes)
	if len(p.shapes) != len(p.scratch) {
		p.errorAt(ins.Pos, "%v has %d operands; expected %s", ins.Op, len(p.scratch), f.counts())
		return
	}
	for i, s := range p.shapes {
		p.check(ins, s, &p.scratch[i])
	}
	ins.Args = p.operands.keep(p.scratch)
	if len(p.shapes) > 1 && p.shapes[1].lane {
		p.checkVideo(ins)
	}
	if ins.Op == OpBrx {
		p.waitFor(&ins.Args[1])
	}
}

// commaList reads operands into scratch.
func (p *parser) commaList(f *form) {
	for !p.bad {
		at := len(p.scratch)
		switch {
		case p.tok.kind == '[' && f.hasTexture():
			p.texture()
		case at < len(f.args) && f.args[at].shape.role == roleTable:
			p.scratch = append(p.scratch, p.placeNamed(Place))
		default:
			o := p.operand(0)
			if p.tok.kind == tokWord && !p.bad {
				p.lane(&o, f, at)
			}
			p.scratch = append(p.scratch, o)
		}
		if !p.accept(',') {
			return
		}
	}
}

// hasTexture reports whether the first operand in brackets is a texture or a surface.
func (f *form) hasTexture() bool {
	for i := range min(len(f.args), 2) {
		if f.args[i].shape.role == roleTexture {
			return true
		}
	}
	return false
}

// counts returns how many operands the form has: "3", "2 or 3".
func (f *form) counts() string {
	digits := "0123456789"
	if f.least == len(f.args) {
		return digits[f.least : f.least+1]
	}
	return digits[f.least:f.least+1] + " to " + digits[len(f.args):len(f.args)+1]
}

// place reads the name of a label or a list into an operand, to be resolved when the scope ends.
func (p *parser) place(into *Operand, kind OperandKind) {
	*into = p.placeNamed(kind)
	p.waitFor(into)
}

// placeNamed reads the name of a place.
func (p *parser) placeNamed(kind OperandKind) Operand {
	t := p.ident("a label")
	p.waiting = use{name: t.text, pos: t.pos}
	return Operand{Pos: t.pos, Kind: kind}
}

// waitFor notes that an operand is to be resolved, when it has its final place.
func (p *parser) waitFor(o *Operand) {
	if p.bad {
		return
	}
	u := p.waiting
	u.operand = o
	p.names.top().waiting = append(p.names.top().waiting, u)
}
