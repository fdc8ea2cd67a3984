package compile

import (
	"strconv"

	"jacquard/cubin/ptx"
)

// moduleVariables returns the variables of a module that last longer than a launch: its own, and
// those in .global and .const that functions declare.
func moduleVariables(m *ptx.Module) (all []*ptx.Var) {
	for _, item := range m.Items {
		switch item := item.(type) {
		case *ptx.Var:
			all = append(all, item)
		case *ptx.Func:
			for _, s := range item.Body {
				if d, ok := s.(*ptx.Decl); ok && len(d.Vars) > 0 && (d.Vars[0].Space == ptx.Global || d.Vars[0].Space == ptx.Const) {
					all = append(all, d.Vars...)
				}
			}
		}
	}
	return all
}

// namesOf returns the names of variables in an image: their own, with a number where one before has
// that name.
func namesOf(vars []*ptx.Var) map[*ptx.Var]string {
	names, taken := map[*ptx.Var]string{}, map[string]bool{}
	for _, v := range vars {
		name := v.Name
		for n := 2; taken[name]; n++ {
			name = v.Name + "$" + strconv.Itoa(n)
		}
		names[v], taken[name] = name, true
	}
	return names
}
