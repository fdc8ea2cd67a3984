package branch

import "jacquard/simt/lane"

// amd keeps masks in one stack, on which calls leave their return addresses too: AMD's GPUs
// from R600 to Evergreen ("R600-Family Instruction Set Architecture", 2008), as described in
// S. Collange and others, "Étude comparée et simulation d'algorithmes de branchements pour le
// GPGPU" (2009), section 5.1. The stack belongs to the warp: the lanes of a call return
// together, also from recursion.
//
// A break takes its lanes out of the rounds of the loop's entry and out of the entries above; they
// come back with the mask with which the loop began. A continue takes lanes only out of the entries
// above. A lane that returns waits in the entry of the call.
type amd struct {
	run   lane.Mask
	stack []entry
	calls int // calls on the stack
	most  int
}

// entry is an entry of amd's stack.
type entry struct {
	kind  actionKind // doIf, doLoop or doCall
	mask  lane.Mask  // lanes that continue after the entry
	round lane.Mask  // doLoop: lanes still in the loop
	back  int        // doCall: index for masks.Back
	pc    uint32     // doCall: where its lanes go on
}

func (a *amd) Start(m lane.Mask) { *a = amd{run: m, stack: a.stack[:0]} }
func (a *amd) Active() lane.Mask { return a.run }
func (a *amd) Depth() int        { return a.most }
func (a *amd) top() *entry       { return &a.stack[len(a.stack)-1] }

func (a *amd) push(e entry) {
	e.mask = a.run
	a.stack = append(a.stack, e)
	a.most = max(a.most, len(a.stack))
}

func (a *amd) pop() {
	a.run = a.top().mask
	a.stack = a.stack[:len(a.stack)-1]
}

func (a *amd) If(m lane.Mask) {
	a.push(entry{kind: doIf})
	a.run &= m
}

func (a *amd) Else()        { a.run = a.top().mask &^ a.run }
func (a *amd) EndIf()       { a.pop() }
func (a *amd) Loop()        { a.push(entry{kind: doLoop, round: a.run}) }
func (a *amd) While()       { a.run = a.top().round }
func (a *amd) EndLoop()     { a.pop() }
func (a *amd) Break(int)    { a.leave(doLoop).round &^= a.run; a.run = 0 }
func (a *amd) Continue(int) { a.leave(doLoop); a.run = 0 }

func (a *amd) Call(back int, pc uint32) {
	a.push(entry{kind: doCall, back: back, pc: pc})
	a.calls++
}

func (a *amd) Return() bool {
	if a.calls == 0 {
		return false
	}
	a.leave(doCall)
	a.run = 0
	return true
}

func (a *amd) Back() int {
	back := a.top().back
	a.calls--
	a.pop()
	return back
}

func (a *amd) Exit() {
	for i := range a.stack {
		a.stack[i].drop(a.run)
	}
	a.run = 0
}

// leave takes the lanes that run out of all entries above the innermost entry of the kind, and
// returns that entry.
func (a *amd) leave(kind actionKind) *entry {
	i := len(a.stack) - 1
	for ; a.stack[i].kind != kind; i-- {
		a.stack[i].drop(a.run)
	}
	return &a.stack[i]
}

func (e *entry) drop(m lane.Mask) {
	e.mask &^= m
	e.round &^= m
}

func (a *amd) Copy(from masks) {
	o := from.(*amd)
	a.run, a.stack, a.calls = o.run, append(a.stack[:0], o.stack...), o.calls
}

func (a *amd) State(to State) State {
	for _, e := range a.stack {
		switch e.kind {
		case doIf:
			to = append(to, entryOf(IfEntry, NoStop, e.mask))
		case doLoop:
			to = append(to, entryOf(LoopEntry, NoStop, e.mask), entryOf(RoundEntry, NoStop, e.round))
		case doCall:
			to = append(to, entryOf(CallEntry, e.pc, e.mask))
		}
	}
	return to
}
