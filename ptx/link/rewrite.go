package link

import (
	"strconv"

	"jacquard/ptx"
)

// collect puts the items that stay into the result. A private name that another item has already
// gets a number behind it.
func (l *linker) collect() {
	taken := map[string]bool{}
	for name := range l.symbols {
		taken[name] = true
	}
	for _, s := range l.order {
		l.out.Items = append(l.out.Items, s.item)
		if f := factsOf(s.item); f.linkage == ptx.Private {
			rename(s.item, free(taken, f.name))
		}
	}
}

// free returns the name, or one made of it that is not taken, and takes it.
func free(taken map[string]bool, name string) string {
	unique := name
	for n := 1; taken[unique]; n++ {
		unique = name + "$" + strconv.Itoa(n)
	}
	taken[unique] = true
	return unique
}

func rename(item ptx.Item, name string) {
	switch x := item.(type) {
	case *ptx.Var:
		x.Name = name
	case *ptx.Func:
		x.Name = name
	}
}

// rewrite makes all references refer to the items that stay.
func (l *linker) rewrite() {
	for _, item := range l.out.Items {
		switch x := item.(type) {
		case *ptx.Var:
			l.content(x)
		case *ptx.Func:
			l.body(x)
		case *ptx.Alias:
			x.Of = l.function(x.Of)
		}
	}
}

func (l *linker) content(v *ptx.Var) {
	if v.Init == nil {
		return
	}
	for i := range v.Init.Refs {
		r := &v.Init.Refs[i]
		r.Of = l.final(r.Of)
	}
}

// final returns the item that takes the place of another.
func (l *linker) final(item ptx.Item) ptx.Item {
	for {
		next, ok := l.items[item]
		if !ok {
			return item
		}
		item = next
	}
}

func (l *linker) variable(v *ptx.Var) *ptx.Var {
	if w, ok := l.final(v).(*ptx.Var); ok {
		return w
	}
	return v
}

// function returns the function that takes the place of another; for an alias, its target.
func (l *linker) function(f *ptx.Func) *ptx.Func {
	switch x := l.final(f).(type) {
	case *ptx.Func:
		return x
	case *ptx.Alias:
		if x.Of != f {
			return l.function(x.Of)
		}
	}
	return f
}

func (l *linker) body(f *ptx.Func) {
	for _, s := range f.Body {
		switch x := s.(type) {
		case *ptx.Instr:
			l.operands(x.Args)
		case *ptx.Decl:
			for _, v := range x.Vars {
				l.content(v)
			}
		case *ptx.Targets:
			for i := range x.Funcs {
				x.Funcs[i] = l.function(x.Funcs[i])
			}
		}
	}
}

func (l *linker) operands(all []ptx.Operand) {
	for i := range all {
		o := &all[i]
		if o.Var != nil && o.Var.Space != ptx.Reg {
			o.Var = l.variable(o.Var)
		}
		if o.Func != nil {
			o.Func = l.function(o.Func)
		}
		l.operands(o.List)
	}
}
