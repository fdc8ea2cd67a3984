package branch

import (
	"fmt"

	"jacquard/simt/lane"
)

// structured is the control state of a warp on a machine that runs structured code: one pc for the
// whole warp, and masks that say which lanes are active there. No lane runs ahead: lanes wait at
// the end of an if or a loop until all lanes that entered it have arrived or ended. The machine
// skips code in which no lane is active. Policies differ in how they keep the masks.
//
// A warp arrives at a barrier as a whole, whatever lanes are active: the machine has no second pc
// for the other lanes.
type structured struct {
	code  []action // shared with other warps, read only
	nest  *nesting // of code
	masks masks
	calls returns // nil if the policy cannot call
	at    int     // index in code of a doRun
	pc    uint32  // in that run
	taken lane.Mask
	live  lane.Mask
	wholeWarp
	most  int         // the depth of earlier masks
	ahead *structured // scratch of Places; nil at first
	fresh func() masks
}

// masks records the active lanes of structured code and the event that each other lane waits for.
// Its events are the actions of that code.
type masks interface {
	Start(m lane.Mask)
	Active() lane.Mask

	If(m lane.Mask) // the active lanes outside m wait
	Else()
	EndIf()
	Loop()
	While() // lanes that wait for the next round become active
	EndLoop()
	Break(ifs int) // the active lanes leave the loop; ifs is the number of ifs open inside it
	Continue(ifs int)
	Exit() // the active lanes end

	Depth() int           // most entries so far
	Copy(from masks)      // from has the same type
	State(to State) State // without the active lanes; lanes that ended are in no entry
}

// returns is implemented by masks that can call.
type returns interface {
	Call(back int, pc uint32) // the active lanes enter a function and return to action back and pc
	Return() bool             // the active lanes leave the innermost call; false if there is none
	Back() (back int)         // all lanes that returned from the call become active
}

// ofMasks makes a policy of structured code whose masks fresh makes.
func ofMasks(fresh func() masks) prepare {
	return ofFlows(func(k *Kernel, _ []string) (func() Flow, error) {
		_, calls := fresh().(returns)
		code, err := structure(k, calls)
		if err != nil {
			return nil, err
		}
		nest := newNesting(code)
		nest.depths = depthsOf(k, code, nest, fresh)
		return func() Flow { return newStructured(code, nest, fresh) }, nil
	})
}

func newStructured(code []action, nest *nesting, fresh func() masks) *structured {
	f := &structured{code: code, nest: nest, masks: fresh(), fresh: fresh}
	f.calls, _ = f.masks.(returns)
	return f
}

func (f *structured) Start(mask lane.Mask) {
	f.masks.Start(mask)
	f.at, f.live, f.waits, f.most = 0, mask, false, 0
	f.walk()
}

// Pick lets the engine take a whole warp anywhere. In a run, annotations are no more than Advance.
func (f *structured) Pick() (uint32, lane.Mask, uint32, Kinds) {
	if f.whole() {
		return f.pc, f.live, NoStop, annotations | choices
	}
	if f.nest.calls { // the masks may overflow
		return f.pc, f.masks.Active(), f.code[f.at].end, 0
	}
	return f.pc, f.masks.Active(), f.code[f.at].end, annotations
}

func (f *structured) Advance(pc uint32) {
	f.pc = pc
	if pc == f.code[f.at].end {
		f.leave(0)
	}
}

// leave goes on after the run; taken are the lanes that take its branch.
func (f *structured) leave(taken lane.Mask) {
	f.taken = taken
	f.at++
	f.walk()
}

// walk carries out actions up to a run with active lanes, or until no lane is live.
func (f *structured) walk() {
	for f.code[f.at].kind != doRun {
		a := f.act(&f.code[f.at])
		if f.masks.Active() == 0 {
			if f.live == 0 {
				return
			}
			f.at = a.out
		}
	}
	f.pc = f.code[f.at].pc
}

// act carries out one action and goes on to the next. It returns the action; for doBack it returns
// the call after which control goes on.
func (f *structured) act(a *action) *action {
	f.at++
	switch a.kind {
	case doIf:
		if a.taken {
			f.masks.If(f.taken)
		} else {
			f.masks.If(f.masks.Active() &^ f.taken)
		}
	case doElse:
		f.masks.Else()
	case doEndIf:
		f.masks.EndIf()
	case doLoop:
		f.masks.Loop()
	case doWhile:
		f.masks.While()
		f.at = a.to
	case doEndLoop:
		f.masks.EndLoop()
	case doBreak:
		f.masks.Break(a.ifs)
	case doContinue:
		f.masks.Continue(a.ifs)
	case doCall:
		f.calls.Call(f.at-1, f.code[f.at-2].end) // after the run that it ends
		f.at = a.to
	case doReturn:
		if f.calls == nil || !f.calls.Return() {
			f.end()
		}
	case doExit:
		f.end()
	case doBack:
		f.at = f.calls.Back()
		a = &f.code[f.at]
		f.at++
	default:
		panic(fmt.Sprintf("branch: unknown action %d", a.kind))
	}
	return a
}

// end ends the active lanes.
func (f *structured) end() {
	f.live &^= f.masks.Active()
	f.masks.Exit()
}

// Join ignores the marker: the code says where lanes meet.
func (f *structured) Join(pc uint32) (bool, error) {
	if f.whole() {
		f.come(pc + 4)
		f.pc = pc
		return true, nil
	}
	f.Advance(pc)
	return f.pc == pc, nil
}

// control goes on to next, or after the run if next is its end.
func (f *structured) control(taken lane.Mask, next uint32) error {
	if f.whole() {
		f.come(next)
	}
	f.pc = next
	if next == f.code[f.at].end {
		f.leave(taken)
	}
	if f.Depth() > stackLimit {
		return fmt.Errorf("control stack overflow: more than %d entries", stackLimit)
	}
	return nil
}

func (f *structured) Branch(taken lane.Mask, _, next uint32) error { return f.control(taken, next) }
func (f *structured) Break(taken lane.Mask, next uint32) error     { return f.control(taken, next) }
func (f *structured) Return(taken lane.Mask, next uint32) error    { return f.control(taken, next) }
func (f *structured) Call(_, next uint32) error                    { return f.control(0, next) }
func (f *structured) Annotate(_ EventKind, _, next uint32) error   { return f.control(0, next) }

// Exit ends a whole warp wherever it is.
func (f *structured) Exit() error {
	if f.whole() {
		f.end()
		return nil
	}
	return f.control(0, f.code[f.at].end)
}

func (f *structured) Arrive(barrier uint8, next uint32) error {
	f.arrive(barrier)
	return f.control(0, next)
}

func (f *structured) Live() lane.Mask { return f.live }
func (f *structured) Depth() int      { return max(f.most, f.masks.Depth()) }
func (f *structured) Status() Status  { return f.status(f.live) }

// Places ends the active lanes of a copy again and again, and records which lanes run next.
func (f *structured) Places(to []Place) []Place {
	if f.ahead == nil {
		f.ahead = newStructured(f.code, f.nest, f.fresh)
	}
	ahead := f.ahead
	ahead.at, ahead.pc, ahead.live = f.at, f.pc, f.live
	ahead.masks.Copy(f.masks)
	for ahead.live != 0 {
		to = append(to, Place{ahead.pc, ahead.masks.Active(), f.waits})
		ahead.end()
		if ahead.live != 0 {
			ahead.at = ahead.code[ahead.at].out
			ahead.walk()
		}
	}
	return to
}

// State has no place in the code but the pc: the code has every instruction of a function once, and
// the masks keep the calls.
func (f *structured) State(to State) State {
	return append(f.masks.State(to), f.wholeWarp.state(f.pc, f.masks.Active()))
}
