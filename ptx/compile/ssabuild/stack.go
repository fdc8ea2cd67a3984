package ssabuild

import (
	"jacquard/ptx"
	"jacquard/ptx/compile/ir"
	"jacquard/tesla"
)

// Functions that may be called again before they return are built once for each call from outside,
// as a region that lanes leave to where they came from, so that they meet again behind the call.
// Within, a call is a jump: the caller's values wait in the thread's stack in local memory, arguments
// and results are phis, and a return is a jump that depends on the number of the call. Nothing is
// shared between lanes, so each may be at a depth of its own.

// StackBytes is the size of a thread's stack.
const StackBytes = 4096

// leastAlign is the least alignment of frames in the stack.
const leastAlign = 16

// region is a set of functions that may call each other again, built for one call from outside.
type region struct {
	knot   int
	sp, to variable // where the frame begins; the number of the call to return to
	all    []*activation
}

// activation is a function of a region.
type activation struct {
	region *region
	fn     *ptx.Func
	entry  *ir.Block
	done   *ir.Block // where ret goes
	frame  *frame
	// incoming are the variables that a call sets.
	incoming map[variable]bool
	bytes    int // of a frame
	slots    map[variable]int
	locals   map[*ptx.Var]int
	returns  []*ir.Block // by the number of the call
}

// resume is a block behind a call, with the variables that it may read from the blocks in front.
type resume struct {
	from *ir.Block   // in front of the call
	act  *activation // its frame keeps the values; nil if they need not be kept
}

// sized is a sum whose constant is the size of a frame, known at the end.
type sized struct {
	v     *ir.Value
	of    *activation // nil: of the kernel
	limit bool        // not the size of the frame, but the rest of the stack
}

// newRegion returns a region for a call from outside.
func (b *builder) newRegion(knot int) *region {
	b.f.Stack = StackBytes
	return &region{knot: knot, sp: b.variable(ir.Word), to: b.variable(ir.Word)}
}

// nested builds a call from outside into a region, which finishRegion builds.
func (b *builder) nested(r *region, fn *ptx.Func, args, returns []ptx.Operand) {
	caller := b.frame
	passed := b.passed(fn, args)
	act := b.activation(r, fn)
	base := b.word(0)
	if caller.act != nil {
		base = b.get(caller.act.region.sp)
	}
	sp := b.beyond(base, caller.act)
	front := b.at
	results := b.transfer(act, passed, sp)
	b.at = b.resumeAt(&resume{from: front})
	b.receive(fn, results, returns)
}

// finishRegions builds the functions of regions.
func (b *builder) finishRegions(all []*region) {
	pos, line, at, frame := b.pos, b.line, b.at, b.frame
	for _, r := range all {
		b.finishRegion(r)
	}
	b.pos, b.line, b.at, b.frame = pos, line, at, frame
}

func (b *builder) finishRegion(r *region) {
	pos, line := b.pos, b.line
	for i := 0; i < len(r.all); i++ { // the list grows
		b.bodyOf(r.all[i])
		b.pos, b.line = pos, line
	}
	for _, a := range r.all {
		b.leaveTo(a)
	}
	for _, a := range r.all {
		b.seal(a.entry)
	}
}

// again builds a call of a function of the region that the caller is in.
func (b *builder) again(fn *ptx.Func, args, returns []ptx.Operand) {
	caller := b.frame.act
	r := caller.region
	passed := b.passed(fn, args)
	act := b.activation(r, fn)
	sp := b.beyond(b.get(r.sp), caller)
	front := b.at
	results := b.transfer(act, passed, sp)
	own := b.do(ir.Sub, b.get(r.sp), b.word(0))
	b.sizes = append(b.sizes, sized{own, caller, false})
	b.at = b.resumeAt(&resume{from: front, act: caller})
	b.set(r.sp, own)
	b.receive(fn, results, returns)
}

// beyond returns the address behind the frame of a caller.
func (b *builder) beyond(sp *ir.Value, caller *activation) *ir.Value {
	v := b.do(ir.Add, sp, b.word(0))
	b.sizes = append(b.sizes, sized{v, caller, false})
	return v
}

// activation returns a function of a region.
func (b *builder) activation(r *region, fn *ptx.Func) *activation {
	for _, a := range r.all {
		if a.fn == fn {
			return a
		}
	}
	a := &activation{region: r, fn: fn, entry: b.f.NewBlock(), done: b.f.NewBlock(),
		incoming: map[variable]bool{r.sp: true, r.to: true}, slots: map[variable]int{}, locals: map[*ptx.Var]int{}}
	b.ssa.grow(len(b.f.Blocks))
	a.frame = b.newFrame(fn, a.done)
	a.frame.act, a.frame.up = a, nil
	for _, p := range fn.Params {
		if p.Space == ptx.Reg {
			for k := range b.wordsOf(p) {
				a.incoming[a.frame.first[p.Index]+variable(k)] = true
			}
		}
	}
	for _, p := range fn.Params {
		for at := 0; a.frame.memory[p] && at < size(p); at += 4 {
			b.partOf(a.frame, p, uint64(at))
		}
	}
	b.resultParts(a)
	b.ssa.entries[a.entry] = a
	r.all = append(r.all, a)
	return a
}

// resultParts makes the variables of results that the function stores, or takes from another one,
// for calls that are built before the stores.
func (b *builder) resultParts(a *activation) {
	outer := b.frame
	b.frame = a.frame
	for _, s := range a.fn.Body {
		in, ok := s.(*ptx.Instr)
		if !ok || in.Op != ptx.OpSt && in.Op != ptx.OpCall {
			continue
		}
		for _, r := range a.fn.Returns {
			switch {
			case r.Space != ptx.Param:
			case in.Op == ptx.OpCall && names(in.Args[0].List, r):
				for at := 0; at < size(r); at += 4 {
					b.paramVariable(r, uint64(at))
				}
			case in.Op == ptx.OpSt && in.Args[0].Var == r:
				for _, at := range b.parts(in) {
					b.paramVariable(r, in.Args[0].Value+at)
				}
			}
		}
	}
	b.frame = outer
}

// transfer ends the current block with a call of an activation. The block after it is where control
// comes back; transfer returns the results there.
func (b *builder) transfer(a *activation, args []argument, sp *ir.Value) [][]part {
	caller := b.frame
	call, back := b.f.NewBlock(), b.f.NewBlock()
	b.ssa.grow(len(b.f.Blocks))
	b.at.Line = b.line
	b.at.Jump(call)
	b.seal(call)
	b.at = call
	sets := b.bindings(a.frame, caller, a.fn, args)
	sets = append(sets, binding{a.region.sp, sp}, binding{a.region.to, b.word(uint32(len(a.returns)))})
	for _, s := range sets {
		b.set(s.x, s.v)
	}
	a.returns = append(a.returns, back)
	b.at.Line = b.line
	b.at.Jump(a.entry)
	b.at = back
	return b.results(a.frame)
}

// resumeAt makes the block behind a call, after the current one.
func (b *builder) resumeAt(r *resume) *ir.Block {
	after := b.f.NewBlock()
	b.ssa.grow(len(b.f.Blocks))
	b.at.Line = b.line
	b.at.Jump(after)
	b.seal(after)
	b.ssa.resumes[after] = r
	b.carry = nil
	return after
}

// bodyOf builds the body of an activation, which begins with a test of the stack.
func (b *builder) bodyOf(a *activation) {
	b.frame, b.at = a.frame, a.entry
	sp := b.get(a.region.sp)
	full := b.add(ir.ICmp, ir.Pred, sp, b.word(0))
	full.Cmp, full.Sub = ptx.Gt, ptx.U32
	b.sizes = append(b.sizes, sized{full, a, true})
	fault, body := b.f.NewBlock(), b.f.NewBlock()
	b.ssa.grow(len(b.f.Blocks))
	b.at.Line = b.line
	b.at.Branch(full, fault, body)
	b.seal(fault)
	b.seal(body)
	b.at = fault
	b.overflow(sp)
	b.at = body
	b.spillParams()
	b.body(a.fn)
	b.seal(a.done)
}

// beyondLocal is more than any device has of local memory.
const beyondLocal = 0x8000

// overflow ends the launch with the message that a thread has too little local memory.
func (b *builder) overflow(sp *ir.Value) {
	v := b.add(ir.Store, ir.None, b.do(ir.Add, sp, b.word(beyondLocal)), sp)
	v.Sub, v.Space, v.Count, v.Volatile = ptx.B32, ptx.Local, 1, true
	b.at.Line, b.at.End = b.line, ir.Fault
}

// leaveTo builds the way from the end of an activation to its callers.
func (b *builder) leaveTo(a *activation) {
	b.frame, b.at = a.frame, a.done
	if len(a.done.Preds) == 0 { // it never returns
		for _, back := range a.returns {
			b.seal(back)
		}
		return
	}
	to := b.get(a.region.to)
	last := len(a.returns) - 1
	for i, back := range a.returns[:last] {
		next := b.f.NewBlock()
		b.ssa.grow(len(b.f.Blocks))
		b.at.Line = b.line
		b.at.Branch(b.compare(ptx.Eq, ptx.U32, to, b.word(uint32(i))), back, next)
		b.seal(back)
		b.seal(next)
		b.at = next
	}
	b.at.Jump(a.returns[last])
	b.seal(a.returns[last])
}

// resumed returns a variable behind a call. A variable that the frame must keep is stored in front
// of the call and loaded behind.
func (b *builder) resumed(at *ir.Block, r *resume, x variable) *ir.Value {
	if r.act == nil {
		return b.read(r.from, x)
	}
	sp, pred := r.act.region.sp, b.ssa.kinds[x] == ir.Pred
	load := b.f.New(ir.Load, ir.Word, b.read(at, sp))
	load.Block = at
	now, all := load, []*ir.Value{load}
	if pred {
		now = b.f.New(ir.ICmp, ir.Pred, load, b.word(0))
		now.Cmp, now.Sub, now.Block = ptx.Ne, ptx.U32, at
		all = append(all, now)
	}
	b.define(at, x, now)
	saved := b.read(r.from, x)
	b.kept[load] = saved
	if pred {
		saved = r.from.Add(b.f.New(ir.PredSet, ir.Word, saved))
	}
	store := r.from.Add(b.f.New(ir.Store, ir.None, b.read(r.from, sp), saved))
	for _, v := range []*ir.Value{load, store} {
		v.Sub, v.Space, v.Count, v.Imm = ptx.B32, ptx.Local, 1, uint64(r.act.slot(x))
		v.Line = r.from.Line
	}
	at.Values = append(all, at.Values...)
	return now
}

// slot returns where a frame keeps a variable.
func (a *activation) slot(x variable) int {
	at, ok := a.slots[x]
	if !ok {
		at = align(a.bytes, 4)
		a.slots[x], a.bytes = at, at+4
	}
	return at
}

// layoutStack puts the stack behind the local variables of the kernel and completes the sums that
// depend on the sizes of frames.
func (b *builder) layoutStack() {
	if b.f.Stack == 0 {
		return
	}
	static := align(b.f.Local, b.frameAlign)
	b.f.Local = static + b.f.Stack
	if b.f.Local > tesla.LocalBytes {
		b.pos = b.kernel.Pos
		b.fail("%s takes %d bytes of local memory beside a stack of %d; a thread has %d", b.kernel.Name, static,
			StackBytes, tesla.LocalBytes)
		return
	}
	for _, s := range b.sizes {
		n := static
		if s.of != nil {
			n = align(s.of.bytes, b.frameAlign)
		}
		if n > StackBytes && s.of != nil {
			b.pos = s.of.fn.Pos
			b.fail("a call of %s takes %d bytes of a stack of %d", s.of.fn.Name, n, StackBytes)
			return
		}
		if s.limit {
			n = b.f.Local - n
		}
		s.v.SetArg(1, b.word(uint32(n)))
	}
}
