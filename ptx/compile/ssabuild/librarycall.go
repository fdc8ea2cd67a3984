package ssabuild

import (
	"strings"

	"jacquard/ptx"
	"jacquard/ptx/compile/ir"
	"jacquard/ptx/compile/library"
)

// missing builds an instruction that the architecture lacks as a call of the library's function of
// its name.
func (b *builder) missing(in *ptx.Instr) {
	if needsDouble := in.Type == ptx.F64 || in.From == ptx.F64; needsDouble &&
		b.typeOf(ptx.F64) == ptx.F64 && !b.double() {
		return
	}
	fn := b.libraryFunc(in)
	if in.Op == ptx.OpRed {
		there := *in
		there.Op = ptx.OpAtom
		fn = b.libraryFunc(&there)
	}
	if fn == nil || b.active[fn] {
		b.fail("%s is not supported on %s", b.libraryName(in), b.target.Arch)
		return
	}
	first := 1
	if in.Op == ptx.OpRed { // which has no result
		first = 0
	}
	var words []*ir.Value
	for i, p := range fn.Params { // the lanes of a .sync are the active lanes and no argument
		i += first
		t := b.unmapped(in, p.Type)
		if t == ptx.Pred {
			words = append(words, b.predicate(&in.Args[i]))
			continue
		}
		if mixed(in) {
			words = append(words, b.widened16(in, i))
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
		out[0] = b.zeroOfNaN(in, b.do(ir.FSat, out[0]))
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
	// Functions for one architecture compute with f64, which a module may have given up.
	own := name + "_" + strings.ReplaceAll(b.target.Arch.String(), "_", "")
	if fn := library.Func(own); fn != nil && !b.m.Target.MapF64 {
		return fn
	}
	return library.Func(name)
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
	carry := b.carry
	changes := b.changes // a value that a guard keeps is no variable of the function
	b.changes = nil
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
	b.carry, b.changes = carry, changes
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
