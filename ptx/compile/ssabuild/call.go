package ssabuild

import (
	"slices"

	"jacquard/ptx"
	"jacquard/ptx/compile/ir"
)

// paramKey is a part of a parameter of a function, or of a variable that passes one.
type paramKey struct {
	v      *ptx.Var
	offset uint64
}

// paramVariable returns the variable that stands for 32 bits, or less, of a parameter.
func (b *builder) paramVariable(v *ptx.Var, offset uint64) variable {
	return b.partOf(b.frame, v, offset)
}

// partOf is paramVariable in another frame.
func (b *builder) partOf(f *frame, v *ptx.Var, offset uint64) variable {
	key := paramKey{v, offset &^ 3}
	x, ok := f.bytes[key]
	if !ok {
		x = b.variable(ir.Word)
		f.bytes[key] = x
		f.keys = append(f.keys, key)
		if f.act != nil && f.act.frame == f && slices.Contains(f.fn.Params, v) {
			f.act.incoming[x] = true
		}
	}
	return x
}

// loadParam builds ld.param. It reports false for an address that is computed, and for a parameter
// in memory.
func (b *builder) loadParam(in *ptx.Instr, o *ptx.Operand) bool {
	if o.Var == nil || o.Var.Space != ptx.Param || b.inMemory(o.Var) {
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
		return b.part(b.get(b.paramVariable(v, at)), at%4, t)
	}
	if t.Bits() == 64 {
		t = ptx.B32
	}
	if b.target.Params != nil {
		p := b.typed(ir.Load, t, b.constantParam(uint64(offset)))
		p.Space, p.Imm, p.Count = ptx.Const, at, 1
		return p
	}
	p := b.typed(ir.Param, t)
	p.Imm = uint64(offset) + at
	return p
}

// constantParam returns the address of a byte of the parameters in constant memory.
func (b *builder) constantParam(at uint64) *ir.Value {
	v := b.do(ir.Symbol)
	v.Sym, v.Space, v.Imm = b.target.Params, ptx.Const, at
	return v
}

// storeParam builds st.param to a variable that passes a parameter. It reports false for an address
// that is computed, and for a parameter in memory.
func (b *builder) storeParam(in *ptx.Instr, o *ptx.Operand) bool {
	if o.Var == nil || o.Var.Space != ptx.Param || b.inMemory(o.Var) {
		return false
	}
	if _, ok := b.params[o.Var]; ok {
		b.fail("%s is a parameter of the kernel, which is only read", o.Var.Name)
		return true
	}
	offsets := b.parts(in)
	for i, v := range b.stored(in) {
		b.setParam(o.Var, o.Value+offsets[i], v, in.Type)
	}
	return true
}

// parts returns the offsets of the Words that an instruction stores to a parameter.
func (b *builder) parts(in *ptx.Instr) (all []uint64) {
	bytes := uint64(in.Type.Bits() / 8)
	for i := range uint64(max(in.Vector, 1)) {
		all = append(all, i*bytes)
		if bytes == 8 && !b.mapped(in.Type) {
			all = append(all, i*bytes+4)
		}
	}
	return all
}

// callInstr builds a call.
func (b *builder) callInstr(in *ptx.Instr) {
	if b.calls == nil {
		b.calls = newCalls(b.m)
	}
	if !b.weighed {
		b.weighed = true
		b.weigh()
	}
	if b.full {
		return
	}
	if in.Args[1].Func != nil {
		b.finishRegions(b.callOf(in.Args[1].Func, in, nil))
	} else {
		b.callAddress(in)
	}
	b.carry = nil
}

// callAddress builds a call by address as a choice between the functions that it may reach. Another
// address ends the launch.
func (b *builder) callAddress(in *ptx.Instr) {
	address := b.value(&in.Args[1], ptx.U32)
	done := b.f.NewBlock()
	var regions []*region // that several of the functions share
	for _, fn := range b.calls.candidates(in) {
		then, next := b.f.NewBlock(), b.f.NewBlock()
		b.ssa.grow(len(b.f.Blocks))
		number := b.word(b.calls.numbers[fn])
		b.at.Line = b.line
		b.at.Branch(b.compare(ptx.Eq, ptx.U32, address, number), then, next)
		b.seal(then)
		b.seal(next)
		b.at = then
		regions = b.callOf(fn, in, regions)
		if b.at != nil {
			b.at.Line = b.line
			b.at.Jump(done)
		}
		b.at = next
	}
	b.at.Line, b.at.End = b.line, ir.Fault
	b.seal(done)
	b.at = done
	b.finishRegions(regions)
	if len(done.Preds) == 0 {
		b.at = nil
	}
}

// callOf builds a call of a function: in the place of the call, or with a stack if the function may
// be called again before it returns. open are the regions that the caller will finish; callOf
// returns them with a new one, if there is one.
func (b *builder) callOf(fn *ptx.Func, in *ptx.Instr, open []*region) []*region {
	returns, args := in.Args[0].List, in.Args[2].List
	switch {
	case fn.Entry:
		b.fail("%s is a kernel, which only a launch can start", fn.Name)
		return open
	case len(returns) < len(fn.Returns) || len(args) != len(fn.Params):
		b.fail("%s takes %d arguments and gives %d results", fn.Name, len(fn.Params), len(fn.Returns))
		return open
	case fn.Body == nil:
		if !b.system(fn, args, returns) {
			b.fail("function %s has no body in this module", fn.Name)
		}
		return open
	}
	knot := b.calls.knot(fn)
	switch {
	case knot == 0:
		b.inline(fn, args, returns)
		return open
	case b.frame.act != nil && b.frame.act.region.knot == knot:
		b.again(fn, args, returns)
		return open
	}
	i := slices.IndexFunc(open, func(r *region) bool { return r.knot == knot })
	if i < 0 {
		i, open = len(open), append(open, b.newRegion(knot))
	}
	b.nested(open[i], fn, args, returns)
	return open
}

// mostCalled is the most instructions that the functions of a kernel may add to it: a kernel of
// these devices has two million (CUDA C Programming Guide, compute capability 1.x). Functions that
// call others twice would else take time without end.
const mostCalled = 2_000_000

// exceeds reports whether a function makes the kernel too large. Its error is the last one.
func (b *builder) exceeds(fn *ptx.Func) bool {
	if fn.Entry {
		return false
	}
	if b.called += instructions(fn); b.called > mostCalled {
		b.tooLarge()
	}
	return b.full
}

func (b *builder) tooLarge() {
	b.fail("the functions that %s calls, built in place of each call, have more than %d instructions",
		b.kernel.Name, mostCalled)
	b.full = true
}

// inline builds the body of fn here.
func (b *builder) inline(fn *ptx.Func, args, returns []ptx.Operand) {
	caller, pos, line := b.frame, b.pos, b.line
	done := b.f.NewBlock()
	b.ssa.grow(len(b.f.Blocks))
	passed := b.passed(fn, args)
	b.enter(fn, done, func() {
		for _, s := range b.bindings(b.frame, caller, fn, passed) {
			b.set(s.x, s.v)
		}
		b.spillParams()
	})
	b.pos, b.line = pos, line
	b.seal(done)
	b.at = done
	if len(done.Preds) == 0 {
		b.at = nil // the function never returns
		return
	}
	b.receive(fn, b.results(b.lastFrame), returns)
}

// argument is a value that a call passes.
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
			if _, ok := b.params[o.Var]; ok {
				b.fail("parameter %s of the kernel is no argument of a call; load it first", o.Var.Name)
			}
			b.refreshParam(o.Var)
			if fn.Params[i].Space != ptx.Reg {
				out[i].v = o.Var
				continue
			}
			for k := range b.wordsOf(fn.Params[i]) {
				out[i].words = append(out[i].words, b.get(b.paramVariable(o.Var, uint64(4*k))))
			}
			continue
		}
		if fn.Params[i].Type == ptx.Pred {
			out[i].words = []*ir.Value{b.predicate(o)}
			continue
		}
		out[i].words = b.argumentWords(fn.Params[i], o)
	}
	return out
}

// argumentWords returns the Words of an argument other than a predicate. A vector has the Words of
// its elements.
func (b *builder) argumentWords(p *ptx.Var, o *ptx.Operand) (all []*ir.Value) {
	t, list := b.typeOf(p.Type), []ptx.Operand{*o}
	if p.Space == ptx.Reg {
		list = elementsOf(o)
		if len(list) != max(p.Vector, 1) {
			b.fail("parameter %s has %d elements, its argument %d", p.Name, max(p.Vector, 1), len(list))
			list = make([]ptx.Operand, max(p.Vector, 1))
			for i := range list {
				list[i].Kind = ptx.Immediate
			}
		}
	}
	for i := range list {
		lo, hi := b.both(&list[i], t)
		all = append(all, lo)
		if words(t) == 2 || p.Space != ptx.Reg {
			all = append(all, hi)
		}
	}
	return all
}

// binding gives a variable of a function its value.
type binding struct {
	x variable
	v *ir.Value
}

// bindings returns the values of a function's parameters.
func (b *builder) bindings(callee, caller *frame, fn *ptx.Func, args []argument) (all []binding) {
	for i, p := range fn.Params {
		a := args[i]
		switch {
		case a.v != nil:
			for _, key := range caller.keys {
				if key.v == a.v {
					all = append(all, binding{b.partOf(callee, p, key.offset), b.get(caller.bytes[key])})
				}
			}
		case p.Space == ptx.Reg:
			x := callee.first[p.Index]
			for k := range b.wordsOf(p) {
				all = append(all, binding{x + variable(k), a.words[k]})
			}
		default:
			all = append(all, binding{b.partOf(callee, p, 0), a.words[0]})
			if p.Type.Bits() == 64 {
				all = append(all, binding{b.partOf(callee, p, 4), a.words[1]})
			}
		}
	}
	return all
}

// part is 32 bits of a result, or less.
type part struct {
	offset uint64
	v      *ir.Value
}

// results returns the parts of the results of a function that has returned.
func (b *builder) results(inner *frame) (all [][]part) {
	for _, r := range inner.fn.Returns {
		var parts []part
		if r.Space == ptx.Reg {
			for k := range b.wordsOf(r) {
				parts = append(parts, part{uint64(4 * k), b.get(inner.first[r.Index] + variable(k))})
			}
		}
		for _, key := range inner.keys {
			if key.v == r {
				parts = append(parts, part{key.offset, b.get(inner.bytes[key])})
			}
		}
		all = append(all, parts)
	}
	return all
}

// receive gives operands of the caller the results of a function.
func (b *builder) receive(fn *ptx.Func, results [][]part, returns []ptx.Operand) {
	for i, r := range fn.Returns {
		o := &returns[i]
		if r.Space == ptx.Param && o.Var != nil && o.Var.Space == ptx.Param {
			for _, p := range results[i] {
				b.set(b.paramVariable(o.Var, p.offset), p.v)
			}
			continue
		}
		w := make([]*ir.Value, max(b.wordsOf(r), 2))
		for _, p := range results[i] {
			if p.offset%4 == 0 && p.offset/4 < uint64(len(w)) {
				w[p.offset/4] = p.v
			}
		}
		switch {
		case w[0] == nil:
			b.fail("%s never stores its result", fn.Name)
		case r.Type == ptx.Pred && o.Kind == ptx.Discard:
		case r.Type == ptx.Pred:
			b.set(b.first(o.Var), w[0])
		case r.Space == ptx.Reg && r.Vector > 1:
			b.receiveVector(r, o, w)
		default:
			b.assign(o, b.typeOf(r.Type), w[0], w[1])
		}
	}
}

// receiveVector sets the elements of an operand to the elements of a result.
func (b *builder) receiveVector(r *ptx.Var, o *ptx.Operand, w []*ir.Value) {
	list, t := elementsOf(o), b.typeOf(r.Type)
	if len(list) != r.Vector {
		b.fail("result %s has %d elements, what takes it %d", r.Name, r.Vector, len(list))
		return
	}
	for i := range list {
		lo, hi := w[i*words(t)], w[i*words(t)]
		if words(t) == 2 {
			hi = w[2*i+1]
		}
		b.assign(&list[i], t, lo, hi)
	}
}
