package translate

import (
	"iter"
	"maps"
	"slices"

	"jacquard/simt/branch"
	"jacquard/simt/engine/translate/vector"
	"jacquard/simt/engine/translate/x86"
	"jacquard/simt/machine"
	"jacquard/simt/program"
	"jacquard/tesla"
)

// loop is an innermost loop: the code from the target of a branch back to that branch. The rows
// that it uses most stay in registers of their own while the code is in the loop.
type loop struct {
	from, to int32 // indices of the first and last instruction
	rows     []int
	register map[int]vector.Vec // of the first part of a row; other parts follow
	written  map[int]bool       // rows that the loop changes
}

// The most registers for rows of a loop: the others serve the bodies, and accesses.
const (
	mostLoopRegisters = 16
	bareLoopRegisters = 20 // in loops without accesses
)

// findLoops returns the innermost loop of every instruction, nil for none.
func (e *emitter) findLoops() []*loop {
	of := make([]*loop, len(e.p.Code)+1)
	if e.Level != vector.AVX512 {
		return of
	}
	var list []*loop
	for i := range e.p.Code {
		u := &e.p.Code[i]
		if u.Event == branch.Branch && u.Control && u.To >= 0 && u.To <= u.At {
			list = append(list, &loop{from: u.To, to: u.At})
		}
	}
	slices.SortFunc(list, func(a, b *loop) int { return int((b.to - b.from) - (a.to - a.from)) })
	for _, l := range list { // inner loops replace outer loops
		for i := l.from; i <= l.to; i++ {
			of[i] = l
		}
	}
	for _, l := range list {
		if of[l.from] == l && of[l.to] == l {
			e.choose(l)
			continue
		}
		for i := l.from; i <= l.to; i++ { // around another loop
			if of[i] == l {
				of[i] = nil
			}
		}
	}
	return of
}

// choose picks the rows that a loop keeps in registers.
func (e *emitter) choose(l *loop) {
	uses, most := map[int]int{}, bareLoopRegisters
	l.register, l.written = map[int]vector.Vec{}, map[int]bool{}
	for i := l.from; i <= l.to; i++ {
		u := &e.p.Code[i]
		if u.Refusal != nil {
			continue
		}
		if u.TouchesMemory() {
			most = mostLoopRegisters
		}
		for n := range rowsOf(e.p, u.Ins.Uses()) {
			uses[n]++
		}
		for n := range rowsOf(e.p, u.Ins.Defs()) {
			uses[n] += 2
			l.written[n] = true
		}
	}
	l.rows = slices.SortedFunc(maps.Keys(uses), func(a, b int) int {
		if uses[a] != uses[b] {
			return uses[b] - uses[a]
		}
		return a - b
	})
	l.rows = l.rows[:min(len(l.rows), most/2, e.mostKept/2)]
	for i, n := range l.rows {
		l.register[n] = vector.Vec(2 * i)
	}
}

// rowsOf yields the rows of registers.
func rowsOf(p *program.Program, set tesla.Registers) iter.Seq[int] {
	return func(yield func(int) bool) {
		for n := range set.General() {
			if n < p.Kernel.Registers && !yield(n) {
				return
			}
		}
		for a := range set.Addresses() {
			if machine.WritableAddress(uint8(a)) && !yield(machine.AddressRow(p, uint8(a))) {
				return
			}
		}
	}
}

// enterLoop loads the rows of a loop, when registers hold nothing.
func (e *emitter) enterLoop(l *loop) {
	e.loop = l
	if l == nil {
		return
	}
	e.loadLoop(l)
	e.holdLoop(l)
}

// loadLoop loads the rows of a loop.
func (e *emitter) loadLoop(l *loop) {
	for _, n := range l.rows {
		for part := range e.Level.Parts() {
			v := l.register[n] + vector.Vec(part)
			e.a.V(x86.Ins{Op: x86.VMOVDQU32, L: e.width, D: uint8(v), RM: e.rowAt(n, part)})
		}
	}
}

// holdLoop records that the rows of a loop are in their registers, and may have changed.
func (e *emitter) holdLoop(l *loop) {
	for _, n := range l.rows {
		for part := range e.Level.Parts() {
			v := l.register[n] + vector.Vec(part)
			e.Take(v)
			e.hold(v, n, part, l.written[n])
		}
	}
}

// ofLoop returns the register of a part of a row in the present loop.
func (e *emitter) ofLoop(row, part int) (v vector.Vec, ok bool) {
	if e.loop == nil {
		return 0, false
	}
	v, ok = e.loop.register[row]
	return v + vector.Vec(part), ok
}

// keeps reports whether a register belongs to the present loop.
func (e *emitter) keeps(v int) bool {
	c := &e.cells[v]
	at, ok := e.ofLoop(int(c.row), int(c.part))
	return ok && int(at) == v
}

// edge emits the jump to a leader, and keeps the state of registers.
func (e *emitter) edge(to int) {
	l := e.loops[to]
	if l == nil || l != e.loop {
		e.saveCopy(&e.cells)
		e.a.Jmp(e.entryOf(to))
		return
	}
	for i := range e.cells {
		if c := &e.cells[i]; c.row != noRow && c.dirty && !e.keeps(i) {
			e.store(c, i)
		}
	}
	e.a.Jmp(e.warmOf(to))
}

// warmOf returns the label of a leader in a loop for code that comes from the loop.
func (e *emitter) warmOf(i int) x86.Label {
	l, ok := e.warm[i]
	if !ok {
		l = e.a.NewLabel()
		e.warm[i] = l
	}
	return l
}

// meet ends the straight code before a leader, or where another loop begins, and makes the entry of
// a leader.
func (e *emitter) meet(i int) {
	e.Mode(vector.ModeFloat)
	e.count()
	l := e.loops[i]
	if l != e.loop {
		e.saveAll()
		e.forget()
		e.loop = nil
		if l == nil {
			if e.leaders[i] {
				e.enterHere(i)
			}
			return
		}
		e.enterLoop(l)
	} else if l == nil {
		e.saveAll()
		e.forget()
		if e.leaders[i] {
			e.enterHere(i)
		}
		return
	}
	if !e.leaders[i] {
		return
	}
	for v := range e.cells {
		if c := &e.cells[v]; c.row != noRow && !e.keeps(v) {
			e.save(v)
			e.drop(v)
		}
	}
	e.forget() // the rows of the loop stay where they are
	e.a.Bind(e.warmOf(i))
	e.holdLoop(l)
	label := e.entryOf(i)
	e.cold = append(e.cold, func() {
		e.a.Bind(label)
		e.Assume(vector.ModeFloat)
		e.loadLoop(l)
		e.a.Jmp(e.warmOf(i))
	})
}
