package translate

import (
	"slices"
	"unsafe"

	"jacquard/fpu"
	"jacquard/simt/branch"
	"jacquard/simt/engine/translate/host"
	"jacquard/simt/engine/translate/vector"
	"jacquard/simt/engine/translate/x86"
	"jacquard/simt/mem"
	"jacquard/simt/program"
	"jacquard/tesla"
)

// emitter translates one program for one level, and for warps that run with all lanes or with some.
//
// Code is laid out in the order of the program. A leader, an instruction that a branch leads to,
// finds nothing in vector registers. Other instructions at which code may be entered again have an
// entry in the cold part, which loads the rows that the main line keeps in registers there.
type emitter struct {
	*vector.Builder
	a *x86.Assembler
	cache
	p *program.Program
	variant
	doors
	width   x86.Width
	bytes   int32   // of a part
	leaders []bool  // by instruction
	entries []entry // by instruction
	cold    []func()
	start   x86.Label // of the code
	out     x86.Label // the end of all ways out
	// The ways out before the control instruction in regNext: where the turn may go to the next warp,
	// where the warp arrives at a barrier or exits, and where it leaves the code.
	ending, heeding, arriving, exiting, outside x86.Label
	noting                                      x86.Label // where it leaves because the list of moves is full

	index     int                   // of the present instruction
	pending   int32                 // instructions before it that regSteps does not count yet
	guarded   bool                  // the present instruction is for some of the lanes that run
	lanes     x86.Operand           // the lanes of the present instruction
	parting   x86.Label             // the routine in which lanes part: see emitMoves
	meeting   x86.Label             // the routine in which lanes meet
	breaking  x86.Label             // the routine in which lanes break: see emitBreak
	going     x86.Label             // where that goes on with other lanes
	loops     []*loop               // by instruction: the innermost loop, nil for none
	loop      *loop                 // the present one
	mostKept  int                   // registers that a loop may keep rows in
	warm      map[int]x86.Label     // leaders, entered from the same loop
	accessing bool                  // the registers of accesses are taken
	forkOf    map[int32]*program.Op // announcements of forks, by the index of the branch
	inSide    bool                  // it is on a side of a fork
	sideLanes x86.Operand           // the lanes of the side, where they are

	quads bool // the program has regions in which quads run whole: to exit there is an error
	calls bool // the program has functions: lanes may return from one

	left bool // the present instruction may leave: the next is an entry
	last bool // the present instruction exits: the schedule takes it if the code cannot

	temporaries []vector.Vec
	conversions map[fpu.Conversion]bool // whether package vector has code for them
	routines    map[routine]x86.Label
	wanted      []routine // in the order of their first use
}

// doors are where code is entered in the middle of an instruction, by its index.
type doors struct {
	acts  map[int32]x86.Label // what a control instruction does besides its event
	joins map[int32]x86.Label // after a join, before the instruction that carries the marker
	told  map[int32]x86.Label // after a hook was told of the instruction
}

// variant selects one of the translations of a program.
type variant struct {
	full  bool // all lanes of the warp run
	stops bool // the policy may have to be asked at an instruction

	// watched: a hook or a recorder is told of what instructions do. See watched.go.
	watched bool
}

// number returns a number for each variant.
func (v variant) number() (n int) {
	if v.full {
		n |= 1
	}
	if v.stops {
		n |= 2
	}
	if v.watched {
		n |= 4
	}
	return n
}

// entry is where code is entered at an instruction.
type entry struct {
	label x86.Label
	known bool
}

// translate returns the code of a program, and the image's offsets in it. If a loop keeps registers
// that bodies need, loops keep fewer, at last none.
func translate(l vector.Level, p *program.Program, v variant) (code []byte, img image) {
	for most := bareLoopRegisters; code == nil; most = max(most-8, 0) {
		code, img = attempt(l, p, v, most)
	}
	return code, img
}

// What translations take: the routines, and an instruction of a usual program.
const (
	routineBytes = 16 << 10
	usualBytes   = 256
)

// attempt is translate with a limit of the registers that a loop keeps. It returns nothing if too
// few are left.
func attempt(l vector.Level, p *program.Program, v variant, mostKept int) (code []byte, img image) {
	defer func() {
		if cause := recover(); cause != nil && (cause != vector.ErrRegisters || mostKept == 0) {
			panic(cause)
		}
	}()
	a := x86.New(l == vector.AVX512)
	a.Grow(routineBytes + usualBytes*len(p.Code))
	e := newEmitter(a, l, p, v)
	e.mostKept = mostKept
	b := e.Builder
	e.findForks()
	e.loops = e.findLoops()
	e.start = e.a.NewLabel()
	e.a.Bind(e.start)
	e.enter()
	for i := range p.Code {
		e.instruction(i)
	}
	e.forget()
	e.loop = nil
	for i := 0; i < len(e.cold); i++ {
		e.cold[i]()
	}
	b.FlushCold()
	for i := 0; i < len(e.wanted); i++ { // routines want others
		e.emit(e.wanted[i])
	}
	e.emitMoves()
	e.emitRelay()
	e.a.Bind(e.out)
	e.a.Mov(64, frSteps, x86.R(regSteps))
	e.a.Ret()
	code = e.a.Finish()
	img.entries = make([]int32, len(p.Code))
	for i, t := range e.entries[:len(p.Code)] {
		if t.known {
			img.entries[i] = int32(e.a.Offset(t.label))
		}
	}
	img.acts, img.joins, img.told = e.offsets(e.acts), e.offsets(e.joins), e.offsets(e.told)
	return code, img
}

// offsets returns where labels of instructions are, 0 for none.
func (e *emitter) offsets(labels map[int32]x86.Label) []int32 {
	list := make([]int32, len(e.p.Code))
	for i, l := range labels {
		list[i] = int32(e.a.Offset(l))
	}
	return list
}

// newEmitter returns an emitter that has emitted nothing.
func newEmitter(a *x86.Assembler, l vector.Level, p *program.Program, v variant) *emitter {
	e := emptyEmitter(a, l, p, v)
	e.leaders, e.entries = leaders(p), make([]entry, len(p.Code)+1)
	e.quads = slices.ContainsFunc(p.Code, func(u program.Op) bool { return u.Ins.Op == tesla.OpQuadOn })
	e.calls = slices.ContainsFunc(p.Code, func(u program.Op) bool { return u.Event == branch.Call || u.Event == branch.PreReturn })
	return e
}

// newTrial returns an emitter to try translations of single instructions with.
func (e *emitter) newTrial() *emitter {
	t := emptyEmitter(x86.New(e.a.EVEX()), e.Level, e.p, e.variant)
	t.leaders, t.quads, t.calls = e.leaders, e.quads, e.calls
	return t
}

// emptyEmitter returns an emitter that does not know the program's structure.
func emptyEmitter(a *x86.Assembler, l vector.Level, p *program.Program, v variant) *emitter {
	b := vector.New(a, l)
	b.Bytes = host.PermutesBytes()
	e := &emitter{
		Builder: b, a: a, p: p, variant: v, doors: doors{map[int32]x86.Label{}, map[int32]x86.Label{}, map[int32]x86.Label{}}, cache: newCache(p.Kernel.Registers + 8),
		routines: map[routine]x86.Label{}, warm: map[int]x86.Label{}, conversions: map[fpu.Conversion]bool{},
	}
	e.width, e.bytes = x86.Y, 32
	if b.Level == vector.AVX512 {
		e.width, e.bytes = x86.Z, 64
	}
	b.Evict, b.Scratch = e.evict, scratchAt(0, 0)
	if b.Level == vector.AVX2 && !v.full {
		b.Take(laneMask)
	}
	e.out, e.parting, e.meeting, e.breaking, e.going = e.a.NewLabel(), e.a.NewLabel(), e.a.NewLabel(), e.a.NewLabel(), e.a.NewLabel()
	e.ending, e.heeding, e.arriving, e.exiting, e.outside, e.noting = e.a.NewLabel(), e.a.NewLabel(), e.a.NewLabel(), e.a.NewLabel(), e.a.NewLabel(), e.a.NewLabel()
	return e
}

// leaders returns the instructions that branches lead to.
func leaders(p *program.Program) []bool {
	list := make([]bool, len(p.Code)+1)
	list[0] = true
	for i := range p.Code {
		if u := &p.Code[i]; u.Control && u.To >= 0 {
			list[u.To] = true
		}
	}
	return list
}

// stops returns the instructions at which code checks whether its turn stops: leaders, and
// instructions after control instructions. Lanes that run apart are rarely anywhere else.
func stops(p *program.Program) []bool {
	list := leaders(p)
	for i := range p.Code {
		list[i+1] = list[i+1] || p.Code[i].Control
	}
	return list
}

// enter is the code at offset 0: it sets the registers of a warp up and goes to frame.target.
func (e *emitter) enter() {
	for _, r := range [...]struct {
		reg  x86.Reg
		from x86.Operand
	}{
		{regRows, frRegs}, {regShared, frShared}, {regIssues, frIssues}, {regSteps, frSteps}, {regLaunch, frRows}, {regFlags, frFlags},
	} {
		e.a.Mov(64, x86.R(r.reg), r.from)
	}
	e.a.Add(64, x86.R(regRows), x86.Imm(int64(rowBias)))
	e.a.Mov(32, x86.R(regMask), frMask)
	if !e.full && e.Level == vector.AVX512 {
		e.a.V(x86.Ins{Op: x86.KMOVD, D: maskLow, RM: frMask})
		e.a.V(x86.Ins{Op: x86.KSHIFTRD, D: maskHigh, RM: x86.K(maskLow), Imm: 16})
	}
	start := e.a.NewLabel()
	e.a.Bind(start)
	// The offset of this label is known: it is the present position.
	at := e.a.Pos()
	e.a.Lea(64, x86.RAX, start.Addr())
	e.a.Add(64, x86.R(x86.RAX), frTarget)
	e.a.Sub(64, x86.R(x86.RAX), x86.Imm(int64(at)))
	e.a.JmpTo(x86.R(x86.RAX))
}

// instruction translates the instruction at an index.
func (e *emitter) instruction(i int) {
	u := &e.p.Code[i]
	if e.leaders[i] || e.loops[i] != e.loop {
		e.meet(i)
	}
	e.index = i
	e.step()
	if u.Control || u.Overwrites { // a turn may have ended here
		e.reenter(i)
	}
	if e.stops && (e.leaders[i] || e.p.Code[i-1].Control) {
		e.a.Cmp(32, frStop, x86.Imm(int64(i)))
		e.a.Jcc(x86.E, e.leave(exitControl))
	}
	if u.Overwrites {
		listener{e}.heed()
	}
	if u.Control {
		e.control(u)
		return
	}
	e.left = false
	listener{e}.tellBefore(u)
	whole := e.straight(u)
	e.pending++
	if whole {
		keeper{listener{e}}.keep(u, e.pending-1)
	}
	if e.left {
		e.reenter(i + 1)
	}
}

// count brings regSteps up to date.
func (e *emitter) count() {
	if e.pending > 0 {
		e.a.Add(64, x86.R(regSteps), x86.Imm(int64(e.pending)))
		e.pending = 0
	}
}

// enterHere makes the present position the entry of an instruction. Nothing is in registers.
func (e *emitter) enterHere(i int) {
	t := e.entryOf(i)
	e.a.Bind(t)
	e.Assume(vector.ModeFloat)
}

// enterNext is enterHere for the instruction after the present one, unless that is a leader.
func (e *emitter) enterNext() {
	if i := e.index + 1; !e.leaders[i] {
		e.enterHere(i)
	}
}

// entryOf returns the label of an entry.
func (e *emitter) entryOf(i int) x86.Label {
	t := &e.entries[i]
	if !t.known {
		t.label, t.known = e.a.NewLabel(), true
	}
	return t.label
}

// reenter makes an entry for an instruction, at the present position of the main line, unless there
// is or will be one.
func (e *emitter) reenter(i int) {
	if e.leaders[i] || e.entries[i].known {
		return
	}
	e.enterFrom(e.entryOf(i))
}

// enterFrom makes an entry at a label, for the present position of the main line.
func (e *emitter) enterFrom(label x86.Label) {
	state, pending, mode := e.cells, e.pending, e.CurrentMode()
	here := e.a.NewLabel()
	e.a.Bind(here)
	e.cold = append(e.cold, func() {
		e.a.Bind(label)
		if pending > 0 { // the main line adds them again
			e.a.Sub(64, x86.R(regSteps), x86.Imm(int64(pending)))
		}
		e.loadCopy(&state)
		e.Assume(vector.ModeFloat)
		e.Mode(mode)
		e.a.Jmp(here)
	})
}

// leave returns the label of cold code that leaves before the present instruction.
func (e *emitter) leave(why uint32) x86.Label {
	if e.last {
		why = exitControl
	}
	label := e.a.NewLabel()
	state, pending, at := e.cells, e.pending, e.index
	e.cold = append(e.cold, func() {
		e.a.Bind(label)
		e.saveCopy(&state)
		if pending > 0 {
			e.a.Add(64, x86.R(regSteps), x86.Imm(int64(pending)))
		}
		e.leaveAt(at, why)
	})
	return label
}

// heed ends the turn before the present instruction, which overwrites, if the warp must let others
// read first.
func (e listener) heed() {
	label := e.a.NewLabel()
	e.a.Cmp(32, frHeeds, x86.Imm(0))
	e.a.Jcc(x86.NE, label)
	at := e.index
	e.atRest(label, func() {
		e.a.Mov(32, x86.R(regNext), x86.Imm(int64(at)))
		if e.relays() {
			e.a.Jmp(e.heeding)
		} else {
			e.a.Jmp(e.outside)
		}
	})
}

// atRest emits cold code for a label to which the present position leads, after the registers are
// saved and regSteps is up to date.
func (e listener) atRest(label x86.Label, f func()) {
	state, pending, mode := e.cells, e.pending, e.CurrentMode()
	e.cold = append(e.cold, func() {
		e.a.Bind(label)
		e.Assume(mode)
		e.Mode(vector.ModeFloat)
		e.saveCopy(&state)
		if pending > 0 {
			e.a.Add(64, x86.R(regSteps), x86.Imm(int64(pending)))
		}
		f()
	})
}

// leaveAt leaves; everything is in memory.
func (e *emitter) leaveAt(at int, why uint32) {
	e.a.Mov(32, x86.R(x86.RCX), x86.Imm(int64(at)))
	if why == exitControl {
		e.a.Jmp(e.ending)
		return
	}
	e.a.Mov(32, frAt, x86.R(x86.RCX))
	e.a.Mov(32, frExit, x86.Imm(int64(why)))
	e.a.Jmp(e.out)
}

// slow hands the present instruction to the interpreter.
func (e *emitter) slow() {
	e.Mode(vector.ModeFloat)
	e.saveAll()
	e.forget()
	e.count()
	e.loop = nil
	e.leaveAt(e.index, exitSlow)
	e.enterNext()
	e.pending = -1 // the caller counts the interpreter's issue
}

// slotAt returns the operand of a field of the access counts of u, once RAX is frame.access.
func slotAt(u *program.Op, field uintptr) x86.Operand {
	return x86.At(x86.RAX, u.Slot*int32(unsafe.Sizeof(mem.Access{}))+int32(field))
}
