package main

import (
	"slices"
	"strings"

	"jacquard/ptx"
)

// whole makes a program of a module: functions of other modules get bodies that give zeros. With
// functions, each function becomes a kernel, too, so that all functions are compiled.
func whole(m *ptx.Module, functions bool) {
	for _, item := range slices.Clone(m.Items) {
		f, ok := item.(*ptx.Func)
		switch {
		case !ok || f.Entry || ofRuntime(f.Name):
		case f.Body == nil:
			f.Body = zeros(f)
		case functions && !slices.ContainsFunc(f.Params, inRegister) && !slices.ContainsFunc(f.Returns, inRegister):
			kernel := *f
			kernel.Name, kernel.Entry, kernel.Returns, kernel.NoReturn = f.Name+"$kernel", true, nil, false
			m.Items = append(m.Items, &kernel)
		}
	}
}

func inRegister(v *ptx.Var) bool { return v.Space == ptx.Reg }

// ofRuntime reports whether the system of a device has a function.
func ofRuntime(name string) bool {
	switch name {
	case "vprintf", "malloc", "free", "__assertfail":
		return true
	}
	return strings.HasPrefix(name, "cuda")
}

// zeros is a body that sets the results of a function to zero.
func zeros(f *ptx.Func) []ptx.Stmt {
	var body []ptx.Stmt
	for _, v := range f.Returns {
		zero := ptx.Operand{Kind: ptx.Immediate}
		if v.Space == ptx.Reg {
			v.Index = len(f.Regs)
			f.Regs = append(f.Regs, v)
			body = append(body, &ptx.Instr{Op: ptx.OpMov, Type: v.Type, Vector: 1, Args: []ptx.Operand{{Kind: ptx.Register, Var: v}, zero}})
			continue
		}
		for at := 0; at < v.Bytes(); at += v.Type.Bytes() {
			to := ptx.Operand{Kind: ptx.Address, Var: v, Value: uint64(at)}
			body = append(body, &ptx.Instr{Op: ptx.OpSt, Space: ptx.Param, Type: v.Type, Vector: 1, Args: []ptx.Operand{to, zero}})
		}
	}
	for _, v := range f.Params {
		if v.Space == ptx.Reg {
			v.Index = len(f.Regs)
			f.Regs = append(f.Regs, v)
		}
	}
	return append(body, &ptx.Instr{Op: ptx.OpRet})
}
