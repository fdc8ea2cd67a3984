package ptx

import "slices"

// moduleRegister is a declaration of registers outside of functions, which PTX 1.x and 2.x have. A
// function that uses one gets registers of its own, declared at the beginning of its body.
type moduleRegister struct {
	proto Var
	name  token
	count int // of %r<4>; 0 for a name alone
}

// moduleRegisters reads registers outside of functions.
func (p *parser) moduleRegisters(pos Pos) {
	proto := p.declaration(pos, Reg)
	for !p.bad {
		r := moduleRegister{proto: proto, name: p.ident("a name")}
		if p.tok.kind == '<' {
			r.count = p.rangeLength()
		}
		p.registers = append(p.registers, r)
		if !p.accept(',') {
			break
		}
	}
	p.expect(';')
}

// find returns the meaning of a name. A register of the module becomes one of the function.
func (p *parser) find(name string) (thing, bool) {
	t, ok := p.names.find(name)
	if ok || len(p.registers) == 0 || p.fn == nil {
		return t, ok
	}
	prefix, index := split(name)
	for _, r := range p.registers {
		if r.count == 0 && r.name.text == name ||
			r.name.text == prefix && index >= 0 && index < r.count {
			return p.borrow(r, index)
		}
	}
	return t, false
}

// borrow declares registers of the module in the function. Index is the one that is asked for.
func (p *parser) borrow(r moduleRegister, index int) (thing, bool) {
	outer := &p.names.scopes[1]
	if r.count == 0 {
		v := p.vars.one()
		*v = r.proto
		v.Name, v.Pos = r.name.text, r.name.pos
		outer.declare(v.Name, thing{v: v})
		p.borrowed = append(p.borrowed, &Decl{Pos: v.Pos, Vars: []*Var{v}})
		return thing{v: v}, true
	}
	d := p.newRange(r.proto, r.name, r.count)
	if d == nil {
		return thing{}, false
	}
	if outer.ranges == nil {
		outer.ranges = map[string][]*Var{}
	}
	outer.ranges[d.Prefix] = d.Vars
	p.borrowed = append(p.borrowed, d)
	return thing{v: d.Vars[index]}, true
}

// keepBorrowed puts the registers that the body borrowed before its own.
func (p *parser) keepBorrowed() {
	if len(p.borrowed) == 0 {
		return
	}
	params := 0
	for _, v := range slices.Concat(p.fn.Returns, p.fn.Params) {
		if v.Space == Reg {
			params++
		}
	}
	rest := p.fn.Regs[params:]
	regs := slices.Clone(p.fn.Regs[:params])
	var body []Stmt
	for _, d := range p.borrowed {
		body = append(body, d)
		regs = append(regs, d.Vars...)
	}
	p.fn.Body = append(body, p.fn.Body...)
	p.fn.Regs = append(regs, rest...)
	for i, v := range p.fn.Regs {
		v.Index = i
	}
	p.borrowed = nil
}
