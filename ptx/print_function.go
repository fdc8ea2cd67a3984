package ptx

import "strings"

// function prints a function up to its body.
func (p *printer) function(f *Func) {
	if f.Linkage != Private {
		p.put(".", f.Linkage.String(), " ")
	}
	if f.Entry {
		p.put(".entry ")
	} else {
		p.put(".func ")
	}
	if f.Returns != nil {
		p.params(f.Returns)
		p.put(" ")
	}
	p.put(f.Name)
	if f.Params != nil {
		p.params(f.Params)
	}
	if f.NoReturn {
		p.put(" .noreturn")
	}
	p.bounds(&f.Bounds)
	if len(f.Pragmas) > 0 {
		p.put("\n")
		p.pragmas(f.Pragmas)
	}
}

func (p *printer) params(all []*Var) {
	p.put("(")
	for i, v := range all {
		p.comma(i)
		p.declaration(v)
		p.declarator(v)
	}
	p.put(")")
}

func (p *printer) bounds(b *Bounds) {
	threads := func(name string, n [3]int) {
		if n != [3]int{} {
			p.printf("\n%s %d, %d, %d", name, n[0], n[1], n[2])
		}
	}
	one := func(name string, n int) {
		if n != 0 {
			p.printf("\n%s %d", name, n)
		}
	}
	threads(".maxntid", b.MaxNTid)
	threads(".reqntid", b.ReqNTid)
	one(".minnctapersm", b.MinNCTAPerSM)
	one(".maxnctapersm", b.MaxNCTAPerSM)
	one(".maxnreg", b.MaxNReg)
}

// body prints the statements of a body, a tab deeper per scope.
func (p *printer) body(all []Stmt) {
	p.depth = 1
	for _, s := range all {
		if scope, ok := s.(*Scope); ok && !scope.Open {
			p.depth--
		}
		if _, ok := s.(*Label); !ok {
			p.put(strings.Repeat("\t", max(p.depth, 0)))
		}
		p.statement(s)
		p.put("\n")
	}
}

func (p *printer) statement(s Stmt) {
	switch x := s.(type) {
	case *Instr:
		p.instruction(x)
	case *Label:
		p.put(x.Name, ":")
	case *Decl:
		p.decl(x)
	case *Scope:
		if x.Open {
			p.put("{")
			p.depth++
		} else {
			p.put("}")
		}
	case *Loc:
		p.printf(".loc %d %d %d", x.File, x.Line, x.Column)
	case *Pragma:
		p.pragmas(x.Text)
	case *Targets:
		p.targets(x)
	case *Prototype:
		p.prototype(x)
	}
}

func (p *printer) decl(d *Decl) {
	if len(d.Vars) == 0 {
		return
	}
	p.declaration(d.Vars[0])
	if d.Prefix != "" {
		p.put(d.Prefix, "<")
		p.int(len(d.Vars))
		p.put(">;")
		return
	}
	for i, v := range d.Vars {
		p.comma(i)
		p.declarator(v)
	}
	p.put(";")
}

func (p *printer) targets(t *Targets) {
	p.put(t.Name, ": ")
	for i, l := range t.Labels {
		p.put([]string{".branchtargets ", ", "}[min(i, 1)], l.Name)
	}
	for i, f := range t.Funcs {
		p.put([]string{".calltargets ", ", "}[min(i, 1)], f.Name)
	}
	p.put(";")
}

func (p *printer) prototype(t *Prototype) {
	p.put(t.Name, ": .callprototype ")
	if t.Returns != nil {
		p.params(t.Returns)
		p.put(" ")
	}
	p.put("_")
	if t.Params != nil {
		p.put(" ")
		p.params(t.Params)
	}
	if t.NoReturn {
		p.put(" .noreturn")
	}
	p.put(";")
}
