package build

import (
	"strings"

	"jacquard/cubin/ptx"
	"jacquard/cubin/ptx/compile/ir"
)

// paramKey is a part of a parameter of a function, or of a variable that passes one.
type paramKey struct {
	v      *ptx.Var
	offset uint64
}

// paramVariable returns the variable that stands for 32 bits, or less, of a parameter.
func (b *builder) paramVariable(v *ptx.Var, offset uint64) variable {
	f := b.frame
	key := paramKey{v, offset}
	x, ok := f.bytes[key]
	if !ok {
		x = b.variable(ir.Word)
		f.bytes[key] = x
		f.keys = append(f.keys, key)
	}
	return x
}

// loadParam builds ld.param. It reports false for an address that is computed.
func (b *builder) loadParam(in *ptx.Instr, o *ptx.Operand) bool {
	if o.Var == nil || o.Var.Space != ptx.Param {
		return false
	}
	n, t := max(in.Vector, 1), in.Type
	bytes := t.Bits() / 8
	var words []*ir.Value
	for i := range n {
		at := o.Value + uint64(i*bytes)
		words = append(words, b.paramWord(o.Var, at, t))
		if bytes == 8 && !b.mapped(t) {
			words = append(words, b.paramWord(o.Var, at+4, t))
		}
	}
	b.loaded(in, words)
	return true
}

// paramWord returns a Word of a parameter, or less.
func (b *builder) paramWord(v *ptx.Var, at uint64, t ptx.Type) *ir.Value {
	offset, ok := b.params[v]
	if !ok {
		return b.get(b.paramVariable(v, at))
	}
	p := b.do(ir.Param)
	p.Imm = uint64(offset) + at
	p.Sub = t
	if t.Bits() == 64 {
		p.Sub = ptx.B32
	}
	return p
}

// storeParam builds st.param to a variable that passes a parameter.
func (b *builder) storeParam(in *ptx.Instr, o *ptx.Operand) bool {
	if o.Var == nil || o.Var.Space != ptx.Param {
		return false
	}
	bytes := in.Type.Bits() / 8
	at := o.Value
	for i, v := range b.stored(in) {
		switch {
		case b.mapped(in.Type):
			b.set(b.paramVariable(o.Var, at+uint64(8*i)), v)
		case bytes == 8:
			b.set(b.paramVariable(o.Var, at+uint64(4*i)), v)
		default:
			b.set(b.paramVariable(o.Var, at+uint64(bytes*i)), b.extend(v, in.Type))
		}
	}
	return true
}

// callInstr builds a call by building the function in its place.
func (b *builder) callInstr(in *ptx.Instr) {
	returns, fn, args := in.Args[0].List, in.Args[1].Func, in.Args[2].List
	if fn == nil {
		b.fail("calls by address are not supported")
		return
	}
	if fn.Body == nil {
		b.fail("function %s has no body in this module", fn.Name)
		return
	}
	if b.active[fn] {
		b.fail("recursion of %s is not supported", fn.Name)
		return
	}
	if len(returns) < len(fn.Returns) || len(args) != len(fn.Params) {
		b.fail("%s takes %d arguments and gives %d results", fn.Name, len(fn.Params), len(fn.Returns))
		return
	}
	b.inline(fn, args, returns)
}

// inline builds the body of fn here.
func (b *builder) inline(fn *ptx.Func, args, returns []ptx.Operand) {
	caller := b.frame
	done := b.f.NewBlock()
	b.ssa.grow(len(b.f.Blocks))
	passed := b.passed(fn, args)
	b.enter(fn, done, func() { b.bind(fn, passed) })
	b.seal(done)
	b.at = done
	if len(done.Preds) == 0 {
		b.at = nil // the function never returns
		return
	}
	inner := b.lastFrame
	for i, r := range fn.Returns {
		b.returned(caller, inner, r, &returns[i])
	}
}

// argument is a value that a call passes, part by part.
type argument struct {
	v     *ptx.Var // of the caller, in .param
	words []*ir.Value
}

// passed returns the arguments of a call.
func (b *builder) passed(fn *ptx.Func, args []ptx.Operand) []argument {
	out := make([]argument, len(args))
	for i := range args {
		o := &args[i]
		if o.Var != nil && o.Var.Space == ptx.Param {
			out[i].v = o.Var
			continue
		}
		if fn.Params[i].Type == ptx.Pred {
			out[i].words = []*ir.Value{b.predicate(o)}
			continue
		}
		lo, hi := b.both(o, b.typeOf(fn.Params[i].Type))
		out[i].words = []*ir.Value{lo, hi}
	}
	return out
}

// bind gives the parameters of a function their arguments.
func (b *builder) bind(fn *ptx.Func, args []argument) {
	up := b.frame.up
	for i, p := range fn.Params {
		a := args[i]
		switch {
		case a.v != nil:
			for _, key := range up.keys {
				if key.v == a.v {
					b.set(b.paramVariable(p, key.offset), b.get(up.bytes[key]))
				}
			}
		case p.Space == ptx.Reg:
			b.set(b.first(p), a.words[0])
			if words(b.typeOf(p.Type)) == 2 {
				b.set(b.first(p)+1, a.words[1])
			}
		default:
			b.set(b.paramVariable(p, 0), a.words[0])
			if p.Type.Bits() == 64 {
				b.set(b.paramVariable(p, 4), a.words[1])
			}
		}
	}
}

// returned gives an operand of the caller the result r of a function.
func (b *builder) returned(caller, inner *frame, r *ptx.Var, o *ptx.Operand) {
	read := func(x variable) *ir.Value { return b.get(x) }
	if r.Space == ptx.Reg {
		x := inner.first[r.Index]
		if r.Type == ptx.Pred {
			b.set(b.first(o.Var), read(x))
			return
		}
		var hi *ir.Value
		if words(b.typeOf(r.Type)) == 2 {
			hi = read(x + 1)
		}
		b.assign(o, b.typeOf(r.Type), read(x), hi)
		return
	}
	if o.Var != nil && o.Var.Space == ptx.Param {
		for _, key := range inner.keys {
			if key.v == r {
				b.set(b.paramVariable(o.Var, key.offset), read(inner.bytes[key]))
			}
		}
		return
	}
	lo := read(inner.bytes[paramKey{r, 0}])
	var hi *ir.Value
	if r.Type.Bits() == 64 {
		hi = read(inner.bytes[paramKey{r, 4}])
	}
	b.assign(o, b.typeOf(r.Type), lo, hi)
}

// missing builds an instruction that the architecture lacks as a call of the library's function of
// its name.
func (b *builder) missing(in *ptx.Instr) {
	if needsDouble := in.Type == ptx.F64 || in.From == ptx.F64; needsDouble &&
		b.typeOf(ptx.F64) == ptx.F64 && !b.double() {
		return
	}
	fn := b.libraryFunc(in)
	if fn == nil || b.active[fn] {
		b.fail("%s is not supported on %s", b.libraryName(in), b.target.Arch)
		return
	}
	first := 1
	if in.Op == ptx.OpRed { // which has no result
		first = 0
	}
	var words []*ir.Value
	for i, p := range fn.Params { // the lanes of a .sync, which are those that come here, are no part
		i += first
		t := b.unmapped(in, p.Type)
		if t == ptx.Pred {
			words = append(words, b.predicate(&in.Args[i]))
			continue
		}
		lo, hi := b.both(&in.Args[i], t)
		if t.Bits() < 32 {
			lo = b.extend(lo, t)
		}
		words = append(words, lo)
		if b.typeOf(t).Bits() == 64 {
			words = append(words, hi)
		}
	}
	t := b.typeOf(in.Type)
	out := b.callFunc(fn, words)
	if first == 0 {
		return
	}
	if n := len(fn.Returns); n > 1 && fn.Returns[n-1].Type == ptx.Pred { // d|p
		if v := in.Args[0].Pair; v != nil {
			b.set(b.first(v), out[n-1])
		}
		out = out[:n-1]
	}
	if len(out) == 1 {
		out = append(out, nil)
	}
	if in.Mods&ptx.Sat != 0 && t == ptx.F32 {
		out[0] = b.do(ir.FSat, out[0])
	}
	b.assign(&in.Args[0], t, out[0], out[1])
}

// unmapped returns the type in which the text writes an operand, t for the library: numbers
// of f64 are written as such, even where they stand for f32.
func (b *builder) unmapped(in *ptx.Instr, t ptx.Type) ptx.Type {
	from := in.Type
	if in.Op == ptx.OpCvt {
		from = in.From
	}
	if t == ptx.F32 && b.mapped(from) {
		return ptx.F64
	}
	return t
}

// libraryFunc returns the library's function for an instruction: one for the architecture if there
// is one, else the general one.
func (b *builder) libraryFunc(in *ptx.Instr) *ptx.Func {
	return b.lookup(b.libraryName(in))
}

func (b *builder) lookup(name string) *ptx.Func {
	if b.target.Library == nil {
		return nil
	}
	// Functions for one architecture compute with f64, which a module may have given up.
	own := name + "_" + strings.ReplaceAll(b.target.Arch.String(), "_", "")
	if fn := b.find(own); fn != nil && !b.m.Target.MapF64 {
		return fn
	}
	return b.find(name)
}

func (b *builder) find(name string) *ptx.Func {
	for _, item := range b.target.Library.Items {
		if fn, ok := item.(*ptx.Func); ok && fn.Name == name {
			return fn
		}
	}
	return nil
}

// call calls a function of the library with Words.
func (b *builder) call(name string, args []*ir.Value, results int) []*ir.Value {
	fn := b.lookup(name)
	if fn == nil {
		b.fail("%s is not supported on %s", name, b.target.Arch)
		out := make([]*ir.Value, results)
		for i := range out {
			out[i] = b.undef()
		}
		return out
	}
	return b.callFunc(fn, args)
}

// library2 calls a function whose operands and result have 64 bits.
func (b *builder) library2(name string, t ptx.Type, args []ptx.Operand) (lo, hi *ir.Value) {
	var words []*ir.Value
	for i := range args {
		l, h := b.both(&args[i], t)
		words = append(words, l, h)
	}
	out := b.call(name, words, 2)
	return out[0], out[1]
}

// callFunc builds a function whose parameters and results are registers.
func (b *builder) callFunc(fn *ptx.Func, args []*ir.Value) []*ir.Value {
	done := b.f.NewBlock()
	b.ssa.grow(len(b.f.Blocks))
	carry, borrow := b.carry, b.borrow
	b.inLibrary++
	defer func() { b.inLibrary-- }()
	b.enter(fn, done, func() {
		i := 0
		for _, p := range fn.Params {
			for k := range words(p.Type) {
				b.set(b.first(p)+variable(k), args[i])
				i++
			}
		}
	})
	b.carry, b.borrow = carry, borrow
	b.seal(done)
	b.at = done
	var out []*ir.Value
	for _, r := range fn.Returns {
		for k := range words(r.Type) {
			out = append(out, b.get(b.lastFrame.first[r.Index]+variable(k)))
		}
	}
	return out
}

// typeName returns a type's name in the language.
func typeName(t ptx.Type) string { return t.String() }
