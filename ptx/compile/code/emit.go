package code

import (
	"fmt"

	"jacquard/tesla"
)

// LineEntry says that the code from a byte offset on comes from a line of a file.
type LineEntry struct {
	Offset     uint32
	File, Line int32
}

// ScopeEntry says that the code from a byte offset on belongs to a scope: an index in ir.Func.Scopes.
type ScopeEntry struct {
	Offset uint32
	Scope  int32
}

// Result is the machine code of a kernel.
type Result struct {
	Words            []uint32
	Registers, Local int // per thread; Local in bytes
	Literals         []uint32
	Lines            []LineEntry
	Scopes           []ScopeEntry
	Spills           Spills
}

// item is an instruction with a place in the code.
type item struct {
	in    tesla.Instruction
	to    *Block // the block that Target leads to, or nil
	joins int    // the joins there that are still to come
	line  Line
	label bool // lanes may come from elsewhere
}

// emitter turns blocks into words.
type emitter struct {
	f      *Func
	items  []item
	places [][]int // by block, by joins that are still to come: the item there
	forms  [256][2]tesla.Form
	words  []uint32
	at     []uint32 // by item: its byte offset
}

// Emit returns the machine code of a function whose registers are allocated and whose blocks are in
// order.
func Emit(f *Func) (*Result, error) {
	f.number()
	e := &emitter{f: f, places: make([][]int, len(f.Blocks))}
	for i := range f.Blocks {
		e.block(i)
	}
	if err := e.encodeAll(); err != nil {
		return nil, err
	}
	r := &Result{Words: e.words, Registers: max(f.registersUsed, 1), Local: f.Local, Literals: f.Literals,
		Spills: f.spills}
	for i := range e.items {
		x := &e.items[i]
		n := len(r.Lines)
		if x.line.Line != 0 && (n == 0 || r.Lines[n-1].Line != x.line.Line || r.Lines[n-1].File != x.line.File) {
			r.Lines = append(r.Lines, LineEntry{e.at[i], x.line.File, x.line.Line})
		}
		if n := len(r.Scopes); n == 0 && x.line.Scope != 0 || n > 0 && r.Scopes[n-1].Scope != x.line.Scope {
			r.Scopes = append(r.Scopes, ScopeEntry{e.at[i], x.line.Scope})
		}
	}
	return r, nil
}

// block appends the items of block n.
func (e *emitter) block(n int) {
	b := e.f.Blocks[n]
	host := e.joins(b)
	from := len(e.items)
	for i := range b.Code {
		e.items = append(e.items, item{in: b.Code[i].In, line: b.Code[i].Line})
	}
	if host {
		e.items[from].in.Marker = tesla.MarkerJoin
	}
	e.end(b, n, from)
}

// joins appends the joins at the start of a block, and notes the places where lanes may come to it.
// It reports whether the first instruction of the block is the last join.
func (e *emitter) joins(b *Block) (host bool) {
	places := make([]int, b.joins+1)
	e.places[b.ID] = places
	host = b.hosted
	for k := b.joins; k > 0; k-- {
		places[k] = len(e.items)
		if k > 1 || !host {
			e.items = append(e.items, item{in: nop(tesla.MarkerJoin), line: b.line()})
		}
	}
	places[0] = len(e.items)
	return host
}

func nop(m tesla.Marker) tesla.Instruction {
	return tesla.Instruction{Op: tesla.OpNop, Marker: m, Guard: tesla.Guard{Cond: tesla.CondNever}}
}

// line returns the first line of a block.
func (b *Block) line() Line {
	if len(b.Code) > 0 {
		return b.Code[0].Line
	}
	return b.End.Line
}

// end appends the end of block n. The instructions of the block begin at item from.
func (e *emitter) end(b *Block, n, from int) {
	end := &b.End
	for _, j := range b.joinAts {
		op := tesla.OpJoinAt
		if j.loop {
			op = tesla.OpBreakAddr
		}
		e.control(op, tesla.Guard{}, j.at, j.joins, end.Line)
	}
	switch end.Kind {
	case Exit:
		e.exit(from, end.Line)
	case Trap:
		e.items = append(e.items, item{in: tesla.Instruction{Op: tesla.OpTrap, Size: 8}, line: end.Line})
	case Jump:
		if !e.follows(n, b, 0) {
			e.leave(b, 0, tesla.Guard{})
		}
	case Branch:
		e.branch(b, n)
	}
}

// exit ends the kernel after the last instruction, if that can carry the marker.
func (e *emitter) exit(from int, line Line) {
	if last := len(e.items) - 1; last >= from && e.f.canHost(&e.items[last].in, tesla.MarkerExit) {
		e.items[last].in.Marker = tesla.MarkerExit
		return
	}
	e.items = append(e.items, item{in: nop(tesla.MarkerExit), line: line})
}

// branch appends a branch, and a jump for the other way if no block with it follows.
func (e *emitter) branch(b *Block, n int) {
	end := &b.End
	taken, other, g := 0, 1, end.guard
	end0, end1 := end.To[0].isExit() || b.breaks[0], end.To[1].isExit() || b.breaks[1]
	if end1 && !end0 || e.follows(n, b, 0) && !end0 {
		taken, other, g.Cond = 1, 0, invert(g.Cond)
	}
	// At the end of a loop the branch comes first: then one instruction goes round.
	if end.To[taken].isExit() && !b.breaks[0] && !b.breaks[1] && end.To[other].ID <= n {
		taken, other, g.Cond = other, taken, invert(g.Cond)
	}
	e.leave(b, taken, g)
	if !e.follows(n, b, other) {
		e.leave(b, other, tesla.Guard{})
	}
}

// leave appends what takes the lanes that pass a guard from block b along way i.
func (e *emitter) leave(b *Block, i int, g tesla.Guard) {
	t, line := b.End.To[i], b.End.Line
	in := tesla.Instruction{Op: tesla.OpBreak, Guard: g, Size: 8}
	switch {
	case t.isExit() && b.pops[i] == 0:
		in.Op = tesla.OpRet
	case !b.breaks[i]:
		e.control(tesla.OpBra, g, t, b.pops[i], line)
		return
	}
	e.items = append(e.items, item{in: in, line: line})
}

// follows reports whether way i of block n leads to the first instruction behind the block.
func (e *emitter) follows(n int, b *Block, i int) bool {
	return !b.breaks[i] && n+1 < len(e.f.Blocks) && e.f.Blocks[n+1] == b.End.To[i] && b.pops[i] == b.End.To[i].joins
}

// control appends an instruction that names a place in the code.
func (e *emitter) control(op tesla.Op, g tesla.Guard, to *Block, joins int, line Line) {
	in := tesla.Instruction{Op: op, Guard: g, Size: 8}
	e.items = append(e.items, item{in: in, to: to, joins: joins, line: line})
}

// place returns the item to which a control instruction leads.
func (e *emitter) place(x *item) int { return e.places[x.to.ID][x.joins] }

// fail records that an instruction has no encoding, an error of the compiler.
func (e *emitter) fail(in tesla.Instruction, err error) error {
	return fmt.Errorf("code: %s: %s: %w", e.f.Name, text(e.f.Arch, in), err)
}
