package compile

import (
	"jacquard/ptx"
	"jacquard/ptx/compile/ir"
)

// resolve replaces the addresses of shared and constant variables by numbers. The addresses of
// global variables are known when the module is loaded.
func resolve(f *ir.Func, l *kernelLayout) {
	for _, b := range f.Blocks {
		for _, v := range b.Values {
			if v.Op == ir.Symbol && v.Space == ptx.Shared {
				l.place(v.Sym)
			}
		}
	}
	l.finish()
	for _, b := range f.Blocks {
		for _, v := range b.Values {
			if v.Op != ir.Symbol {
				continue
			}
			switch v.Space {
			case ptx.Shared:
				number(f, v, l.shared[v.Sym])
			case ptx.Const:
				number(f, v, l.module.constants[v.Sym])
			}
		}
	}
}

func number(f *ir.Func, v *ir.Value, at int) { v.CopyOf(f.Word(uint32(at) + uint32(v.Imm))) }
