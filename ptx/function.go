package ptx

// function reads .entry or .func: a declaration, or a definition with its body.
func (p *parser) function(linkage Linkage) {
	f := &Func{Linkage: linkage, Entry: p.tok.text == "entry"}
	p.next()
	p.names.open()
	if p.acceptWord("attribute") {
		p.attributes(&Var{})
	}
	p.bounds(f)
	if p.tok.kind == '(' && !f.Entry {
		f.Returns = p.params()
	}
	name := p.ident("a name")
	f.Name, f.Pos = name.text, name.pos
	if p.tok.kind == '(' {
		f.Params = p.params()
	}
	p.bounds(f)
	if p.bad {
		p.names.close()
		return
	}
	p.names.parameters(f.Returns)
	p.names.parameters(f.Params)
	body := p.tok.kind == '{'
	f = p.addFunction(f, body)
	if body {
		p.body(f)
		return
	}
	p.names.close()
	if p.tok.kind != tokWord && p.tok.kind != tokEOF { // compilers of CUDA 4 leave it out
		p.expect(';')
	}
}

// parameters declares the parameters of a function in its scope.
func (n *names) parameters(all []*Var) {
	for _, v := range all {
		n.add(v.Name, thing{v: v})
	}
}

// addFunction declares a function. One that was declared before keeps its pointer, and takes the
// contents of a definition.
func (p *parser) addFunction(f *Func, defined bool) *Func {
	p.countParams(f.Returns)
	p.countParams(f.Params)
	old, ok := p.names.scopes[0].things[f.Name]
	switch {
	case !ok:
		p.names.scopes[0].declare(f.Name, thing{f: f})
		p.m.Items = append(p.m.Items, f)
		return f
	case old.f == nil || defined && old.f.Body != nil || old.f.Entry != f.Entry:
		p.twice(f.Name, f.Pos, old)
		return f
	case defined:
		*old.f = *f
	}
	return old.f
}

// declare adds a name to the scope.
func (s *scope) declare(name string, t thing) {
	if s.things == nil {
		s.things = map[string]thing{}
	}
	s.things[name] = t
}

// countParams numbers the parameters that are not registers.
func (p *parser) countParams(all []*Var) {
	for i, v := range all {
		if v.Space != Reg {
			v.Index = i
		}
	}
}

// params reads parameters in parentheses.
func (p *parser) params() []*Var {
	var all []*Var
	p.expect('(')
	for p.tok.kind == tokWord && !p.bad {
		all = append(all, p.param())
		if !p.accept(',') {
			break
		}
	}
	if p.tok.kind != ')' {
		p.want("a parameter or \")\"")
	}
	p.next()
	return all
}

func (p *parser) param() *Var {
	start := p.tok
	space, ok := p.space()
	if !ok || space != Param && space != Reg {
		p.want(".param or .reg")
		return p.vars.one()
	}
	v := p.vars.one()
	*v = p.declaration(start.pos, space)
	if p.tok.kind == ',' || p.tok.kind == ')' { // of a prototype
		v.Name = "_"
		return v
	}
	name := p.ident("a name")
	v.Name, v.Pos = name.text, name.pos
	p.dims(v)
	if space == Reg && v.Dims != nil {
		p.errorAt(v.Pos, "%s is an array of registers: pass it in .param space", quote(v.Name))
	}
	return v
}

// body reads a body. The scope of the parameters is open, and closed at the end.
func (p *parser) body(f *Func) {
	p.fn = f
	f.Body = []Stmt{}
	for _, all := range [][]*Var{f.Returns, f.Params} {
		for _, v := range all {
			if v.Space == Reg {
				p.addRegister(v)
			}
		}
	}
	open := p.depth
	p.expect('{')
	for p.tok.kind != tokEOF && !(p.tok.kind == '}' && p.depth <= open+1) {
		p.statement(p.bodyStatement)
	}
	for len(p.names.scopes) > 2 { // left open by a mistake
		p.names.close()
	}
	p.unresolved(p.names.close())
	p.convertArguments()
	p.keepBorrowed()
	p.fn = nil
	p.expect('}')
}

// unresolved reports uses of labels that the function lacks.
func (p *parser) unresolved(uses []use) {
	for _, u := range uses {
		p.errorAt(u.pos, "%s is no label that fits here", quote(u.name))
	}
}

// bodyStatement reads one statement of a body.
func (p *parser) bodyStatement() {
	t := p.tok
	switch t.kind {
	case tokIdent:
		p.next()
		if p.accept(':') {
			p.labelled(t)
			return
		}
		p.instruction(t, Guard{})
	case tokWord:
		p.bodyDirective(t)
	case '@':
		p.guarded()
	case '{', '}':
		p.braces(t)
	case ';':
		p.next()
	default:
		p.want("an instruction, a label or a directive")
	}
}

// braces opens or closes a scope.
func (p *parser) braces(t token) {
	open := t.kind == '{'
	if open && len(p.names.scopes) > maxNesting {
		p.fail("scopes are nested too deep")
		return
	}
	p.next()
	p.fn.Body = append(p.fn.Body, &Scope{t.pos, open})
	if open {
		p.names.open()
	} else if len(p.names.scopes) > 2 {
		p.names.close()
	}
}

// bodyDirective reads a directive in a body.
func (p *parser) bodyDirective(word token) {
	switch word.text {
	case "loc":
		p.next()
		p.fn.Body = append(p.fn.Body, p.loc(word.pos))
		return
	case "pragma":
		p.next()
		p.pragma()
		return
	case "file":
		p.next()
		p.file()
		return
	case "section":
		p.next()
		p.section()
		return
	}
	linkage := p.linkage()
	space, ok := p.space()
	if !ok {
		p.want("a directive such as .reg, .shared or .loc")
		return
	}
	p.locals(word.pos, space, linkage)
}

// labelled reads what stands after a label.
func (p *parser) labelled(name token) {
	var s Stmt
	var at place
	switch {
	case p.acceptWord("branchtargets"):
		at.targets = p.branchTargets(name)
		s = at.targets
	case p.acceptWord("calltargets"):
		at.targets = p.callTargets(name)
		s = at.targets
	case p.acceptWord("callprototype"):
		at.proto = p.prototype(name)
		s = at.proto
	default:
		at.label = &Label{name.pos, name.text}
		s = at.label
	}
	p.fn.Body = append(p.fn.Body, s)
	if !p.names.addPlace(name.text, at) {
		p.errorAt(name.pos, "second label %s", name.describe())
	}
}

// branchTargets reads labels and the semicolon.
func (p *parser) branchTargets(name token) *Targets {
	t := &Targets{Pos: name.pos, Name: name.text}
	var uses []use
	for {
		label := p.ident("a label")
		uses = append(uses, use{name: label.text, pos: label.pos})
		if !p.accept(',') {
			break
		}
	}
	p.expect(';')
	t.Labels = make([]*Label, len(uses))
	for i, u := range uses {
		u.entry = &t.Labels[i]
		p.names.top().waiting = append(p.names.top().waiting, u)
	}
	return t
}

// callTargets reads functions and the semicolon.
func (p *parser) callTargets(name token) *Targets {
	t := &Targets{Pos: name.pos, Name: name.text}
	for {
		f := p.ident("a function")
		if found, _ := p.find(f.text); found.f != nil {
			t.Funcs = append(t.Funcs, found.f)
		} else {
			p.unknown(f, "function")
		}
		if !p.accept(',') {
			break
		}
	}
	p.expect(';')
	return t
}

// prototype reads the type of a function. Its name is usually _.
func (p *parser) prototype(name token) *Prototype {
	proto := &Prototype{Pos: name.pos, Name: name.text}
	if p.tok.kind == '(' {
		proto.Returns = p.params()
	}
	p.ident("_")
	if p.tok.kind == '(' {
		proto.Params = p.params()
	}
	p.bounds(&Func{})
	p.countParams(proto.Returns)
	p.countParams(proto.Params)
	p.expect(';')
	return proto
}
