package ssabuild

import (
	"jacquard/ptx"
	"jacquard/ptx/compile/ir"
	"jacquard/tesla"
)

// declare places the variables of a declaration in a function's body. Variables in .local get
// their offsets here; variables in .shared are placed with the variables of the module.
func (b *builder) declare(d *ptx.Decl) {
	for _, v := range d.Vars {
		if v.Space == ptx.Local {
			b.local(v, 0)
		}
	}
}

// local returns the address of a .local variable. Variables of functions with a stack are in
// frames.
func (b *builder) local(v *ptx.Var, offset uint64) *ir.Value {
	a := b.frame.act
	if a == nil || b.m.Var(v.Name) == v {
		return b.word(uint32(b.static(v)) + uint32(offset))
	}
	at, ok := a.locals[v]
	if !ok {
		at = align(a.bytes, max(v.Align, 4))
		b.frameAlign = max(b.frameAlign, v.Align)
		a.locals[v], a.bytes = at, align(at+size(v), 4)
	}
	return b.plus(b.get(a.region.sp), uint64(at)+offset)
}

// static returns the offset of a .local variable that exists once.
func (b *builder) static(v *ptx.Var) int {
	if b.locals == nil {
		b.locals = map[*ptx.Var]int{}
	}
	at, ok := b.locals[v]
	if !ok {
		at = align(b.f.Local, max(v.Align, 4))
		b.locals[v] = at
		if n := size(v); n > tesla.LocalBytes-at {
			b.beyondEnd(v, int64(at)+int64(n))
		} else {
			b.f.Local = align(at+n, 4)
		}
	}
	return at
}

// beyondEnd reports a .local variable that does not fit into a thread's local memory.
func (b *builder) beyondEnd(v *ptx.Var, end int64) {
	pos := b.pos
	b.pos = v.Pos
	b.fail("%s: ends at byte %d of %d of local memory", v.Name, end, tesla.LocalBytes)
	b.pos = pos
}

// symbol returns the address of a variable, as an operand of mov or as part of an address.
func (b *builder) symbol(o *ptx.Operand) *ir.Value {
	if o.Var == nil {
		if o.Func != nil {
			return b.functionNumber(o.Func)
		}
		return b.word(uint32(o.Value))
	}
	if o.Var.Space == ptx.Reg {
		v := b.get(b.first(o.Var))
		return b.plus(v, o.Value)
	}
	switch o.Var.Space {
	case ptx.Param:
		if at, ok := b.params[o.Var]; ok && b.target.Params != nil {
			return b.constantParam(uint64(at) + o.Value)
		} else if ok {
			return b.word(uint32(tesla.HeaderBytes+at) + uint32(o.Value))
		}
		return b.paramAddress(o)
	case ptx.Local:
		return b.local(o.Var, o.Value)
	}
	v := b.do(ir.Symbol)
	v.Sym, v.Space, v.Imm = o.Var, o.Var.Space, o.Value
	return v
}

func (b *builder) plus(v *ir.Value, offset uint64) *ir.Value {
	if uint32(offset) == 0 {
		return v
	}
	return b.do(ir.Add, v, b.word(uint32(offset)))
}

// where is a memory operand.
type where struct {
	space ptx.Space
	base  *ir.Value
	imm   uint64
}

// vectors reports whether one instruction may move several words.
func (w where) vectors() bool { return w.space == ptx.Global || w.space == ptx.Local }

// address returns the memory that an operand names.
func (b *builder) address(in *ptx.Instr, o *ptx.Operand) where {
	w := where{space: in.Space, imm: uint64(uint32(o.Value))}
	if o.Var != nil && o.Var.Space != ptx.Reg {
		w.space = o.Var.Space
		bare := *o
		bare.Value = 0
		w.base = b.symbol(&bare)
	} else if o.Var != nil {
		w.base = b.get(b.first(o.Var))
	} else {
		w.base = b.word(0)
	}
	w.space = b.holder(w.space)
	return w
}

// holder returns the space that holds a space: parameters of a kernel lie in shared memory, or in
// constant memory if there are many; parameters of a function whose addresses it takes lie in
// local memory. Symbol gives their places there.
func (b *builder) holder(s ptx.Space) ptx.Space {
	switch {
	case s != ptx.Param:
		return s
	case !b.frame.fn.Entry:
		return ptx.Local
	case b.target.Params != nil:
		return ptx.Const
	}
	return ptx.Shared
}

// load builds ld.
func (b *builder) load(in *ptx.Instr) {
	o := &in.Args[1]
	if in.Space == ptx.Param || o.Var != nil && o.Var.Space == ptx.Param {
		if b.loadParam(in, o) {
			return
		}
	}
	w := b.address(in, o)
	b.loaded(in, b.fetch(in, w))
}

// fetch loads the elements of a vector from one space: one Word, or two of 64 bits, for each.
func (b *builder) fetch(in *ptx.Instr, w where) []*ir.Value {
	n, t := max(in.Vector, 1), in.Type
	bytes := t.Bits() / 8
	if b.mapped(t) {
		return b.fetchMapped(in, w, n)
	}
	if first, second, parted := halves(in, w); parted {
		return append(b.fetch(first, w), b.fetch(first, second)...)
	}
	if total := bytes * n; w.vectors() && n > 1 && total >= 4 && bytes < 4 {
		return b.fetchPacked(in, w, n, bytes)
	}
	if w.vectors() && bytes*n > 4 && bytes*n <= 16 {
		v := b.f.New(ir.Load, ir.Tuple, w.base)
		b.access(v, in, w, ptx.B32, uint8(bytes*n/4))
		b.at.Add(v)
		return b.elements(v)
	}
	var out []*ir.Value
	for i := range n {
		step := where{w.space, w.base, w.imm + uint64(i*bytes)}
		if bytes == 8 {
			lo := b.fetchWord(in, step, ptx.B32)
			step.imm += 4
			out = append(out, lo, b.fetchWord(in, step, ptx.B32))
			continue
		}
		out = append(out, b.fetchWord(in, step, t))
	}
	return out
}

// mapped reports whether a type is f64 that stands for f32. Memory keeps the distances of f64: the
// f32 is in the lower half, and the upper half is neither read nor written, as in the code of
// NVIDIA's compiler.
func (b *builder) mapped(t ptx.Type) bool { return t == ptx.F64 && b.m.Target.MapF64 }

func (b *builder) fetchMapped(in *ptx.Instr, w where, n int) []*ir.Value {
	var out []*ir.Value
	for i := range n {
		out = append(out, b.fetchWord(in, where{w.space, w.base, w.imm + uint64(8*i)}, ptx.B32))
	}
	return out
}

// fetchPacked loads a vector of bytes or halves as Words and takes them apart.
func (b *builder) fetchPacked(in *ptx.Instr, w where, n, bytes int) []*ir.Value {
	var loaded []*ir.Value
	if n*bytes == 4 {
		loaded = []*ir.Value{b.fetchWord(in, w, ptx.B32)}
	} else {
		v := b.f.New(ir.Load, ir.Tuple, w.base)
		b.access(v, in, w, ptx.B32, uint8(n*bytes/4))
		loaded = b.elements(b.at.Add(v))
	}
	var out []*ir.Value
	for i := range n {
		at := i * bytes * 8
		part := loaded[at/32]
		if at%32 > 0 {
			part = b.do(ir.ShrU, part, b.word(uint32(at%32)))
		}
		out = append(out, b.extend(part, in.Type))
	}
	return out
}

// access fills in a memory operation.
func (b *builder) access(v *ir.Value, in *ptx.Instr, w where, t ptx.Type, count uint8) {
	v.Sub, v.Space, v.Imm, v.Count, v.Line = t, w.space, w.imm, count, b.line
	v.Volatile = in.Mods&ptx.Volatile != 0
}

func (b *builder) elements(v *ir.Value) []*ir.Value {
	out := make([]*ir.Value, v.Count)
	for i := range out {
		out[i] = b.do(ir.Element, v)
		out[i].Imm = uint64(i)
	}
	return out
}

func (b *builder) fetchWord(in *ptx.Instr, w where, t ptx.Type) *ir.Value {
	v := b.f.New(ir.Load, ir.Word, w.base)
	b.access(v, in, w, t, 1)
	return b.at.Add(v)
}

// loaded writes the results of a load: a Word for each element, or two.
func (b *builder) loaded(in *ptx.Instr, words []*ir.Value) {
	list := elementsOf(&in.Args[0])
	for i := range list {
		if b.typeOf(in.Type).Bits() == 64 {
			b.assign(&list[i], in.Type, words[2*i], words[2*i+1])
			continue
		}
		b.assign(&list[i], b.typeOf(in.Type), words[i], nil)
	}
}

// store builds st.
func (b *builder) store(in *ptx.Instr) {
	o := &in.Args[0]
	if in.Space == ptx.Param || o.Var != nil && o.Var.Space == ptx.Param {
		if b.storeParam(in, o) {
			return
		}
	}
	w := b.address(in, o)
	if w.space == ptx.Const {
		b.fail("a store to constant memory, or to parameters of a kernel that lie there")
		return
	}
	b.put(in, w, b.stored(in))
}

// stored returns the Words that a store writes: one for each element, or two.
func (b *builder) stored(in *ptx.Instr) []*ir.Value {
	list := elementsOf(&in.Args[1])
	var words []*ir.Value
	for i := range list {
		lo, hi := b.both(&list[i], in.Type)
		words = append(words, lo)
		if b.typeOf(in.Type).Bits() == 64 {
			words = append(words, hi)
		}
	}
	return words
}

// put stores Words to one space.
func (b *builder) put(in *ptx.Instr, w where, words []*ir.Value) {
	n, t := max(in.Vector, 1), in.Type
	bytes := t.Bits() / 8
	if b.mapped(t) {
		for i, v := range words {
			b.putWords(in, where{w.space, w.base, w.imm + uint64(8*i)}, ptx.B32, []*ir.Value{v})
		}
		return
	}
	if half, second, parted := halves(in, w); parted {
		b.put(half, w, words[:len(words)/2])
		b.put(half, second, words[len(words)/2:])
		return
	}
	if w.vectors() && n > 1 && bytes < 4 && bytes*n >= 4 {
		words, bytes = b.packed(words, bytes), 4
		n, t = len(words), ptx.B32
	}
	if w.vectors() && bytes*n > 4 && bytes*n <= 16 {
		b.putWords(in, w, ptx.B32, words)
		return
	}
	if bytes == 8 {
		bytes, t = 4, ptx.B32
	}
	for i, v := range words {
		b.putWords(in, where{w.space, w.base, w.imm + uint64(i*bytes)}, t, []*ir.Value{v})
	}
}

func (b *builder) putWords(in *ptx.Instr, w where, t ptx.Type, words []*ir.Value) {
	v := b.f.New(ir.Store, ir.None, w.base)
	for _, x := range words {
		v.AddArg(x)
	}
	b.access(v, in, w, t, uint8(len(words)))
	b.at.Add(v)
}

// packed joins bytes or halves to Words.
func (b *builder) packed(parts []*ir.Value, bytes int) []*ir.Value {
	each := 4 / bytes
	var out []*ir.Value
	for i, p := range parts {
		p = b.shifted(p, 8*bytes, i%each*8*bytes)
		if i%each == 0 {
			out = append(out, p)
			continue
		}
		out[i/each] = b.do(ir.Or, out[i/each], p)
	}
	return out
}

// atom builds atom and red.
func (b *builder) atom(in *ptx.Instr) {
	at := 1
	op := ir.Atom
	if in.Op == ptx.OpRed {
		op, at = ir.Red, 0
	}
	w := b.address(in, &in.Args[at])
	float := isFloat(in.Type) && !(w.space == ptx.Shared && in.Type == ptx.F32 && in.Atom == ptx.AtomAdd)
	switch {
	case w.space != ptx.Global && w.space != ptx.Shared && w.space != ptx.Generic, float,
		in.Type.Bits() == 16, in.Type.Bits() == 64 && !wideAtom(in.Atom):
		there := *in
		there.Space = w.space
		b.missing(&there)
		return
	case w.space == ptx.Shared && !b.f.Locks:
		b.fail("%s has no atomic operations on shared memory", b.target.Arch)
		return
	case b.target.Arch < tesla.SM11, in.Type.Bits() == 64 && b.target.Arch < tesla.SM12:
		b.fail("%s has no atomic operation of %d bits", b.target.Arch, in.Type.Bits())
		return
	}
	kind := kindOf(in.Type)
	if op == ir.Red {
		kind = ir.None
	}
	v := b.f.New(op, kind, w.base)
	for i := at + 1; i < len(in.Args); i++ {
		v.AddArg(b.atomOperand(&in.Args[i], in.Type))
	}
	b.access(v, in, w, in.Type, 1)
	v.Atom = in.Atom
	b.at.Add(v)
	switch {
	case op == ir.Red:
	case kind == ir.Long:
		b.resultLong(in, v)
	default:
		b.result(in, v)
	}
}

// wideAtom reports whether the machine has an atomic operation of 64 bits.
func wideAtom(op ptx.AtomOp) bool {
	return op == ptx.AtomAdd || op == ptx.AtomExch || op == ptx.AtomCas
}

func (b *builder) atomOperand(o *ptx.Operand, t ptx.Type) *ir.Value {
	if t.Bits() == 64 {
		return b.long(o, t)
	}
	return b.value(o, t)
}
