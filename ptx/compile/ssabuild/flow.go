package ssabuild

import (
	"jacquard/ptx"
	"jacquard/ptx/compile/ir"
)

// enter builds the body of a function. done is where ret goes, nil for the end of a kernel. bind
// gives the parameters their values. The frame stays in lastFrame.
func (b *builder) enter(fn *ptx.Func, done *ir.Block, bind func()) {
	b.frame = b.newFrame(fn, done)
	b.active[fn] = true
	if takesCarry(fn) {
		b.define(b.at, b.frame.carry, b.word(0))
	}
	bind()
	b.body(fn)
	delete(b.active, fn)
	b.lastFrame, b.frame = b.frame, b.frame.up
}

// newFrame returns the frame of a function that the current one calls.
func (b *builder) newFrame(fn *ptx.Func, done *ir.Block) *frame {
	f := &frame{fn: fn, first: b.registers(fn), carry: b.variable(ir.Word), done: done, bytes: map[paramKey]variable{}, up: b.frame, memory: addressed(fn), call: b.line}
	if f.up != nil {
		f.act = f.up.act
	}
	return f
}

// body builds the statements of a function.
func (b *builder) body(fn *ptx.Func) {
	if b.exceeds(fn) {
		b.leave()
		return
	}
	sections := split(fn, b.target.Scope == nil)
	place(fn, sections, b.line)
	order := reach(sections)
	for _, i := range order {
		s := &sections[i]
		s.start = b.f.NewBlock()
		if s.table {
			s.index = b.variable(ir.Word)
		}
	}
	for _, i := range order {
		for k := range sections[i].ways() {
			sections[sections[i].way(k)].preds++
		}
	}
	if len(sections) == 0 {
		b.leave()
		return
	}
	sections[0].preds++ // from the caller
	for _, i := range order {
		b.expect(sections[i].start, sections[i].preds)
	}
	b.jump(sections[0].start)
	for _, i := range order {
		b.section(fn, sections, i)
	}
}

// jump ends the current block with a jump to a block whose predecessors are counted.
func (b *builder) jump(to *ir.Block) {
	b.at.Line = b.line
	b.at.Jump(to)
	b.arrived(to)
	b.at = nil
}

// leave returns from the function, or ends the kernel.
func (b *builder) leave() {
	if b.at == nil {
		return
	}
	b.at.Line = b.line
	if b.frame.done == nil {
		b.at.End = ir.Exit
	} else {
		b.at.Jump(b.frame.done)
	}
	b.at = nil
}

// section builds one section.
func (b *builder) section(fn *ptx.Func, all []section, i int) {
	s := &all[i]
	b.at, b.carry, b.line = s.start, nil, s.line
	if s.table {
		b.spread(b.get(s.index), all, s)
		return
	}
	last := s.last(fn)
	for at, st := range fn.Body[s.from:s.to] {
		b.frame.enterScope(b, s.from+at)
		switch st := st.(type) {
		case *ptx.Loc:
			b.line = lineOf(st, b.line.Scope)
		case *ptx.Decl:
			b.declare(st)
		case *ptx.Instr:
			if b.inLibrary == 0 {
				b.pos = st.Pos
			}
			if st == last {
				b.finish(st, all, s)
				return
			}
			b.instruction(st)
			if b.at == nil { // a call that never returns
				for k := range s.ways() {
					b.arrived(all[s.way(k)].start)
				}
				return
			}
		}
	}
	if s.next >= 0 {
		b.jump(all[s.next].start)
		return
	}
	b.leave()
}

// enterScope makes the scope of a statement that of the values that follow.
func (f *frame) enterScope(b *builder, statement int) {
	if b.target.Scope == nil || b.inLibrary > 0 {
		return
	}
	index := b.target.Scope(f.fn, statement)
	if index < 0 {
		return
	}
	n, ok := f.scopes[index]
	if !ok {
		if f.scopes == nil {
			f.scopes = map[int32]int32{}
		}
		n = int32(len(b.f.Scopes))
		f.scopes[index] = n
		b.f.Scopes = append(b.f.Scopes, ir.Scope{Fn: f.fn, Index: index, Call: f.call})
	}
	b.line.Scope = n
}

// branch ends the block with a branch, guarded or not.
func (b *builder) branch(in *ptx.Instr, to *ir.Block, all []section, s *section) {
	b.at.Line = b.line
	if in.Guard.Pred == nil {
		b.jump(to)
		return
	}
	next := b.after(all, s)
	b.at.Branch(b.guard(in), to, next)
	b.at.Uniform = in.Mods&ptx.Uni != 0
	b.arrived(to)
	b.arrived(next)
	b.at = nil
}

// after returns the block where control goes on if the guard of a section's last instruction does
// not hold: the block of the next section in the text, or a block that leaves the function.
func (b *builder) after(all []section, s *section) *ir.Block {
	if s.next >= 0 {
		return all[s.next].start
	}
	at, next := b.at, b.f.NewBlock()
	b.expect(next, 1)
	b.at = next
	b.leave()
	b.at = at
	return next
}

// guard returns the predicate under which an instruction runs.
func (b *builder) guard(in *ptx.Instr) *ir.Value {
	p := b.get(b.first(in.Guard.Pred))
	if in.Guard.Not {
		p = b.add(ir.Not, ir.Pred, p)
	}
	return p
}

// finish builds the instruction that ends a section.
func (b *builder) finish(in *ptx.Instr, all []section, s *section) {
	if in.Op == ptx.OpBra {
		b.branch(in, all[s.to1[0]].start, all, s)
		return
	}
	if in.Guard.Pred != nil {
		b.taken(in, all, s)
	}
	b.at.Line = b.line
	switch in.Op {
	case ptx.OpBrx:
		b.indirect(in, all, s)
	case ptx.OpRet:
		b.leave()
	case ptx.OpExit:
		b.at.End, b.at = ir.Exit, nil
	default:
		b.at.End, b.at = ir.Fault, nil
	}
}

// taken begins a block for the lanes whose guard holds. The others go on behind the section.
func (b *builder) taken(in *ptx.Instr, all []section, s *section) {
	taken := b.f.NewBlock()
	b.expect(taken, 1)
	next := b.after(all, s)
	b.at.Line = b.line
	b.at.Branch(b.guard(in), taken, next)
	b.arrived(taken)
	b.arrived(next)
	b.at = taken
}

// indirect builds brx.idx.
func (b *builder) indirect(in *ptx.Instr, all []section, s *section) {
	index := b.value(&in.Args[0], ptx.U32)
	if to := &all[s.to1[0]]; to.table {
		b.define(b.at, to.index, index)
		b.jump(to.start)
		return
	}
	b.spread(index, all, s)
}

// spread builds a branch to the section of an index, as a chain of branches.
func (b *builder) spread(index *ir.Value, all []section, s *section) {
	for i, t := range s.to1 {
		to := all[t].start
		if i == len(s.to1)-1 {
			b.jump(to)
			return
		}
		next := b.f.NewBlock()
		b.expect(next, 1)
		b.at.Branch(b.compare(ptx.Eq, ptx.U32, index, b.word(uint32(i))), to, next)
		b.arrived(to)
		b.arrived(next)
		b.at = next
	}
}
