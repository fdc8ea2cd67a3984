package link

import (
	"fmt"

	"jacquard/ptx"
)

// symbol is a name that modules share, with the item that defines it best so far.
type symbol struct {
	item   ptx.Item
	module *ptx.Module
}

// facts are what linking asks of an item.
type facts struct {
	name    string
	pos     ptx.Pos
	linkage ptx.Linkage
	defined bool
}

func factsOf(item ptx.Item) facts {
	switch x := item.(type) {
	case *ptx.Var:
		return facts{x.Name, x.Pos, x.Linkage, x.Linkage != ptx.Extern}
	case *ptx.Func:
		linkage := x.Linkage
		if x.Entry && linkage == ptx.Private {
			linkage = ptx.Visible // the host finds all kernels
		}
		if x.Body == nil && linkage == ptx.Private {
			linkage = ptx.Extern // a prototype
		}
		return facts{x.Name, x.Pos, linkage, x.Body != nil}
	case *ptx.Alias:
		return facts{x.Name, x.Pos, ptx.Visible, true}
	}
	panic(fmt.Sprintf("link: an item %T", item))
}

// resolve enters the items of a module.
func (l *linker) resolve(m *ptx.Module) {
	for _, item := range m.Items {
		f := factsOf(item)
		if f.linkage == ptx.Private {
			l.order = append(l.order, &symbol{item, m})
			continue
		}
		known := l.symbols[f.name]
		if known == nil {
			known = &symbol{item, m}
			l.symbols[f.name] = known
			l.order = append(l.order, known)
			continue
		}
		l.meet(known, m, item, f)
	}
}

// meet combines an item with one of the same name in an earlier module. One takes the place of the
// other.
func (l *linker) meet(known *symbol, m *ptx.Module, item ptx.Item, f facts) {
	if why := differ(known.item, item); why != "" {
		l.errorf(m, f.pos, "%s %s in %s", f.name, why, known.module.Name)
		return
	}
	old := factsOf(known.item)
	if old.defined && f.defined && strength(old.linkage) == 2 && strength(f.linkage) == 2 {
		l.errorf(m, f.pos, "%s is defined in %s already", f.name, place(known))
		return
	}
	if better(known.item, item) {
		l.items[known.item] = item
		known.item, known.module = item, m
		return
	}
	l.items[item] = known.item
}

// place returns where a symbol is defined.
func place(s *symbol) string { return fmt.Sprintf("%s:%v", s.module.Name, factsOf(s.item).pos) }

// strength orders definitions: a common or weak one gives way to a strong one.
func strength(l ptx.Linkage) int {
	switch l {
	case ptx.Extern:
		return 0
	case ptx.Weak, ptx.Common:
		return 1
	}
	return 2
}

// better reports whether b shall stand for a name instead of a. Of two common variables it is the
// larger one, of two declarations the one that tells the length.
func better(a, b ptx.Item) bool {
	x, y := factsOf(a), factsOf(b)
	if x.defined != y.defined {
		return y.defined
	}
	if strength(x.linkage) != strength(y.linkage) {
		return strength(y.linkage) > strength(x.linkage)
	}
	v, ok := a.(*ptx.Var)
	w, both := b.(*ptx.Var)
	return ok && both && (x.linkage == ptx.Common || x.linkage == ptx.Extern) && w.Bytes() > v.Bytes()
}

// differ says in which way two items of one name cannot be the same thing; "" if they can.
func differ(a, b ptx.Item) string {
	switch x := a.(type) {
	case *ptx.Var:
		y, ok := b.(*ptx.Var)
		switch {
		case !ok:
			return "is a function here, and a variable"
		case x.Space != y.Space:
			return fmt.Sprintf("is in .%s here, and in .%s", y.Space, x.Space)
		case x.Bytes() != 0 && y.Bytes() != 0 && x.Bytes() != y.Bytes() && !loose(x) && !loose(y):
			return fmt.Sprintf("has %d bytes here, and %d", y.Bytes(), x.Bytes())
		}
	case *ptx.Func:
		y, ok := b.(*ptx.Func)
		switch {
		case !ok:
			if _, alias := b.(*ptx.Alias); alias {
				return ""
			}
			return "is a variable here, and a function"
		case x.Entry != y.Entry:
			return "is a kernel in one module, and a function"
		case len(x.Params) != len(y.Params) || len(x.Returns) != len(y.Returns):
			return fmt.Sprintf("has %d parameters and %d results here, and %d and %d",
				len(y.Params), len(y.Returns), len(x.Params), len(x.Returns))
		}
	}
	return ""
}

// loose reports whether a variable may differ in size from another of its name.
func loose(v *ptx.Var) bool { return v.Linkage == ptx.Common || v.Linkage == ptx.Weak }
