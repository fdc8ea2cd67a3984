package compile

import (
	"strconv"

	"jacquard/cubin"
	"jacquard/ptx"
	"jacquard/ptx/compile/ssabuild"
)

// moduleVariables returns the variables of a module that last longer than a launch: its own, and
// variables in .global and .const that functions declare.
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

// paramVariable returns the variable in constant memory that holds the parameters of kernels with
// more than shared memory takes, nil if there are no such kernels.
func paramVariable(m *ptx.Module) *ptx.Var {
	most := 0
	for _, item := range m.Items {
		if k, ok := item.(*ptx.Func); ok && k.Entry && k.Body != nil {
			_, bytes := ssabuild.Layout(k)
			most = max(most, bytes)
		}
	}
	if most <= cubin.SharedParams || most > mostParams {
		return nil
	}
	const align = 16 // the most of a vector
	return &ptx.Var{Name: cubin.ParamVariable, Space: ptx.Const, Type: ptx.B8, Vector: 1, Align: align, Dims: []int{most}}
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
