package ssabuild

import (
	"slices"

	"jacquard/ptx"
	"jacquard/ptx/compile/ir"
)

// A structure is passed as an array of bytes. Its parts are Words, as the caller may store 64 bits
// and the function may load single bytes of them. Compilers keep parts at multiples of their
// sizes. A scalar may be stored in parts, too.

// part returns the part of a Word that begins at a byte.
func (b *builder) part(word *ir.Value, at uint64, t ptx.Type) *ir.Value {
	if at > 0 {
		word = b.do(ir.ShrU, word, b.word(uint32(8*at)))
	}
	return b.extend(word, t)
}

// setParam assigns a Word of an operand of type t, or less, to a part of a parameter.
func (b *builder) setParam(p *ptx.Var, at uint64, v *ir.Value, t ptx.Type) {
	x := b.paramVariable(p, at)
	whole := len(p.Dims) == 0 && t.Bits() == p.Type.Bits()*max(p.Vector, 1)
	if whole || t.Bits() >= 32 {
		b.set(x, b.extend(v, t))
		return
	}
	up := int(8 * (at % 4))
	others := b.do(ir.And, b.get(x), b.word(^(uint32(1<<t.Bits()-1) << up)))
	b.set(x, b.do(ir.Or, others, b.shifted(v, t.Bits(), up)))
}

// addressed returns the parameters of a function whose addresses it uses, nil if there are none. A
// compiler may take an address and leave it.
func addressed(fn *ptx.Func) map[*ptx.Var]bool {
	var out map[*ptx.Var]bool
	for _, s := range fn.Body {
		in, ok := s.(*ptx.Instr)
		if !ok || fn.Entry || len(in.Args) != 2 || in.Args[1].Kind != ptx.Symbol {
			continue
		}
		if p := in.Args[1].Var; slices.Contains(fn.Params, p) && reads(fn, in.Args[0].Var, in) {
			if out == nil {
				out = map[*ptx.Var]bool{}
			}
			out[p] = true
		}
	}
	return out
}

// reads reports whether an instruction other than one uses a register.
func reads(fn *ptx.Func, r *ptx.Var, but *ptx.Instr) bool {
	for _, s := range fn.Body {
		if in, ok := s.(*ptx.Instr); ok && in != but && names(in.Args, r) {
			return true
		}
	}
	return false
}

// names reports whether one of some operands names a register.
func names(list []ptx.Operand, r *ptx.Var) bool {
	return slices.ContainsFunc(list, func(o ptx.Operand) bool { return o.Var == r || names(o.List, r) })
}

// inMemory reports whether a parameter of the function lies in local memory.
func (b *builder) inMemory(p *ptx.Var) bool { return b.frame.memory[p] }

// spillParams stores the arguments of parameters that lie in memory.
func (b *builder) spillParams() {
	for _, key := range slices.Clone(b.frame.keys) {
		if b.inMemory(key.v) {
			base := b.local(key.v, 0)
			v := b.f.New(ir.Store, ir.None, base, b.get(b.frame.bytes[key]))
			v.Sub, v.Space, v.Imm, v.Count, v.Line = ptx.B32, ptx.Local, key.offset, 1, b.line
			b.at.Add(v)
		}
	}
}

// refreshParam reads a parameter in memory, which the function may have changed, to pass it on.
func (b *builder) refreshParam(p *ptx.Var) {
	for at := 0; b.inMemory(p) && at < size(p); at += 4 {
		x := b.paramVariable(p, uint64(at))
		v := b.f.New(ir.Load, ir.Word, b.local(p, uint64(at)))
		v.Sub, v.Space, v.Count, v.Line = ptx.B32, ptx.Local, 1, b.line
		b.set(x, b.at.Add(v))
	}
}

// paramAddress returns the address of a function's parameter, in local memory.
func (b *builder) paramAddress(o *ptx.Operand) *ir.Value {
	switch {
	case b.inMemory(o.Var):
		return b.local(o.Var, o.Value)
	case !slices.Contains(b.frame.fn.Params, o.Var):
		b.fail("the address of parameter %s is not supported", o.Var.Name)
	}
	return b.undef() // which nothing reads
}
