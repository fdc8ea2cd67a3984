package link

import "jacquard/ptx"

// Unresolved returns an error for each variable outside of shared memory that the module declares
// as extern and uses, in the order of the module. Shared arrays that are extern get their length
// from the launch. Functions without a body are left to the compiler, which has some of its own.
func Unresolved(m *ptx.Module) []*Error {
	used := map[*ptx.Var]bool{}
	for _, item := range m.Items {
		switch x := item.(type) {
		case *ptx.Func:
			for _, s := range x.Body {
				if in, ok := s.(*ptx.Instr); ok {
					note(used, in.Args)
				}
			}
		case *ptx.Var:
			if x.Init != nil {
				for _, r := range x.Init.Refs {
					if v, ok := r.Of.(*ptx.Var); ok {
						used[v] = true
					}
				}
			}
		}
	}
	var all []*Error
	for _, item := range m.Items {
		v, ok := item.(*ptx.Var)
		if ok && v.Linkage == ptx.Extern && v.Space != ptx.Shared && used[v] {
			all = append(all, &Error{m.Name, v.Pos, "nothing defines the extern variable " + v.Name})
		}
	}
	return all
}

// note enters the variables of operands.
func note(used map[*ptx.Var]bool, all []ptx.Operand) {
	for i := range all {
		if v := all[i].Var; v != nil {
			used[v] = true
		}
		note(used, all[i].List)
	}
}

// ofDevice are functions that devices have, or lack for good, without a definition.
var ofDevice = map[string]bool{"vprintf": true, "__assertfail": true, "malloc": true, "free": true}

// Open reports whether a module needs others: it uses an extern variable, or declares a function
// that neither it nor the device defines.
func Open(m *ptx.Module) bool {
	for _, item := range m.Items {
		if f, ok := item.(*ptx.Func); ok && f.Body == nil && !ofDevice[f.Name] {
			return true
		}
	}
	return len(Unresolved(m)) > 0
}
