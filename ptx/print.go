package ptx

import (
	"fmt"
	"strconv"
)

// Format returns the text of a module. Parse of that text gives an equal module, places in the text
// aside.
func (m *Module) Format() []byte {
	p := &printer{lang: theLanguage(), global: map[Item]bool{}, seen: map[Item]bool{}}
	for _, item := range m.Items {
		p.global[item] = true
	}
	p.header(m)
	var later []Item
	for _, item := range m.Items {
		if !p.item(item) {
			later = append(later, item)
		}
	}
	for _, item := range later {
		p.define(item)
	}
	return p.text
}

// printer prints a module.
type printer struct {
	lang   *language
	text   []byte
	global map[Item]bool // the items of the module
	seen   map[Item]bool // those that are printed, or declared
	shapes []*shape
	depth  int // of scopes in a body
}

func (p *printer) put(parts ...string) {
	for _, part := range parts {
		p.text = append(p.text, part...)
	}
}

func (p *printer) int(n int) { p.text = strconv.AppendInt(p.text, int64(n), 10) }

func (p *printer) printf(format string, args ...any) {
	p.text = fmt.Appendf(p.text, format, args...)
}

// header prints what declares nothing.
func (p *printer) header(m *Module) {
	p.printf(".version %d.%d\n", m.Version.Major, m.Version.Minor)
	var target []string
	if m.Target.Arch != 0 {
		target = append(target, "sm_"+strconv.Itoa(m.Target.Arch)+m.Target.Suffix)
	}
	if m.Target.MapF64 {
		target = append(target, "map_f64_to_f32")
	}
	for i, option := range append(target, m.Target.Options...) {
		p.put([]string{".target ", ", "}[min(i, 1)], option)
	}
	if len(p.text) > 0 && p.text[len(p.text)-1] != '\n' {
		p.put("\n")
	}
	if m.Version.sized() {
		p.printf(".address_size %d\n", m.AddressBits)
	}
	for _, f := range m.Files {
		p.printf(".file %d \"%s\"\n", f.Number, f.Path)
	}
	p.pragmas(m.Pragmas)
	if len(m.Pragmas) > 0 {
		p.put("\n")
	}
}

// sized reports whether the version has .address_size.
func (v Version) sized() bool { return v.Major > 2 || v.Major == 2 && v.Minor >= 3 }

// pragmas prints .pragma and its strings, nothing if there are none.
func (p *printer) pragmas(all []string) {
	for i, text := range all {
		p.put([]string{".pragma \"", ", \""}[min(i, 1)], text, "\"")
	}
	if len(all) > 0 {
		p.put(";")
	}
}

// item prints an item where it stands in the module. It only declares one that refers to others
// further down, and reports false.
func (p *printer) item(item Item) bool {
	p.seen[item] = true
	if !p.complete(item) {
		p.declare(item)
		return false
	}
	p.define(item)
	return true
}

// declare prints an item without its content.
func (p *printer) declare(item Item) {
	switch x := item.(type) {
	case *Var:
		bare := *x
		bare.Linkage, bare.Init = Extern, nil
		p.globalVar(&bare)
	case *Func:
		p.function(x)
		p.put(";\n")
	}
}

// define prints an item.
func (p *printer) define(item Item) {
	switch x := item.(type) {
	case *Var:
		p.globalVar(x)
	case *Alias:
		p.put(".alias ", x.Name, ", ", x.Of.Name, ";\n")
	case *Func:
		p.function(x)
		if x.Body == nil {
			p.put(";\n")
			return
		}
		p.put("\n{\n")
		p.body(x.Body)
		p.put("}\n")
	}
}

// complete reports whether all names that an item refers to are declared.
func (p *printer) complete(item Item) bool {
	switch x := item.(type) {
	case *Var:
		if x.Init != nil {
			for _, r := range x.Init.Refs {
				if !p.known(r.Of) {
					return false
				}
			}
		}
	case *Alias:
		return p.known(x.Of)
	case *Func:
		for _, s := range x.Body {
			if !p.completeStatement(s) {
				return false
			}
		}
	}
	return true
}

// known reports whether an item is declared, or is none of the module's.
func (p *printer) known(item Item) bool { return p.seen[item] || !p.global[item] }

func (p *printer) completeStatement(s Stmt) bool {
	switch x := s.(type) {
	case *Instr:
		return p.completeOperands(x.Args)
	case *Targets:
		for _, f := range x.Funcs {
			if !p.known(f) {
				return false
			}
		}
	case *Decl:
		for _, v := range x.Vars {
			if !p.complete(v) {
				return false
			}
		}
	}
	return true
}

func (p *printer) completeOperands(all []Operand) bool {
	for i := range all {
		o := &all[i]
		if o.Var != nil && !p.known(o.Var) || o.Func != nil && !p.known(o.Func) ||
			!p.completeOperands(o.List) {
			return false
		}
	}
	return true
}
