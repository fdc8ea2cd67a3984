package interp

import (
	"math/bits"

	"jacquard/simt/engine"
	"jacquard/simt/lane"
	"jacquard/simt/machine"
	"jacquard/simt/mem"
	"jacquard/simt/program"
)

// Code is a program with the functions that execute it, for any number of Engines.
type Code struct {
	p   *program.Program
	ops []op
}

// Compile binds a program to the kernels of simt/lane. It never fails.
func Compile(p *program.Program) (engine.Code, error) {
	c := &Code{p: p, ops: make([]op, len(p.Code))}
	for i := range c.ops {
		c.ops[i].Op = p.Code[i]
		bind(p, &c.ops[i])
	}
	return c, nil
}

// SIMD returns engine.Off: the kernels are portable Go.
func (c *Code) SIMD() string { return engine.Off }

// New returns an engine.
func (c *Code) New(warps int) engine.Engine {
	eng := &Engine{State: *machine.NewState(c.p, warps), ops: c.ops}
	eng.tmp, eng.same = lane.NewRows(tmpRows*warps), lane.NewRows(len(c.p.Words))
	eng.everyLane.Full = true
	for i := range eng.everyLane.Mask {
		eng.everyLane.Mask[i] = lane.All
	}
	return eng
}

// Engine executes code for the warps of a machine state: one call of a lane kernel per instruction
// for all warps.
type Engine struct {
	machine.State
	ops  []op
	tmp  []lane.Row // scratch rows
	same []lane.Row // by operand in s[]: the last word that all warps read, in all lanes

	guarded   lane.Sel                 // scratch of guard
	chosen    lane.Sel                 // scratch of lane-masked moves
	holds     [lane.MaxWarps]lane.Mask // outcome of a comparison, by position in the selection
	everyLane lane.Sel                 // scratch of loose: masks of all lanes
	carry     [lane.MaxWarps]lane.Flags
	mixedCost mem.Cost   // cost of the access of a mixed issue
	stored    mem.Data   // scratch of stores; not a local variable: a hook may keep the address
	kept      []lane.Row // by warp: addresses of the access whose values are kept
}

// Machine returns the state that the engine works on.
func (eng *Engine) Machine() *machine.State { return &eng.State }

// Run executes the straight-line code [from, to) for the lanes of s. It returns to, or the index
// after the instruction that faulted.
func (eng *Engine) Run(s *lane.Sel, from, to int) int {
	var keeps []bool
	if eng.Kept != nil {
		keeps = eng.Kept.Wants
	}
	for i := from; i < to; i++ {
		u := &eng.ops[i]
		lanes := s
		if u.Guarded {
			if lanes = eng.guard(u, i, s); lanes == nil {
				continue
			}
		}
		var sound bool
		if keeps != nil && keeps[i] {
			sound = eng.execKept(u, lanes)
		} else {
			sound = u.exec(eng, u, lanes)
		}
		if !sound {
			eng.Locate(&u.Op, eng.Clock+uint64(i))
			return i + 1
		}
	}
	return to
}

// execKept executes u and keeps its values.
func (eng *Engine) execKept(u *op, s *lane.Sel) (sound bool) {
	if eng.kept == nil {
		eng.kept = make([]lane.Row, lane.MaxWarps)
	}
	if u.Accesses() {
		for _, w := range s.Warp[:s.N] {
			eng.kept[w] = *eng.AddressesOf(&u.Op, int(w), &eng.kept[w])
		}
	}
	if !u.exec(eng, u, s) {
		return false
	}
	for i, w := range s.Warp[:s.N] {
		eng.Kept.Add(&eng.State, &u.Op, int(w), s.Mask[i], &eng.kept[w])
	}
	return true
}

// guard returns the lanes of s in which u's guard holds, or nil.
func (eng *Engine) guard(u *op, i int, s *lane.Sel) *lane.Sel {
	g := &eng.guarded
	g.N, g.Full = 0, true
	off := 0
	for k := range s.N {
		w := s.Warp[k]
		m := s.Mask[k] & lane.Condition(&eng.Flags[u.Guard.Reg][w], uint8(u.Guard.Cond))
		off += bits.OnesCount32(uint32(s.Mask[k] &^ m))
		if m != 0 {
			g.Add(int(w), m)
		}
	}
	eng.Counts.Off[i] += uint64(off)
	if off != 0 && eng.Recorder != nil {
		eng.Recorder.Partial(i, s, g)
	}
	if g.N == 0 {
		return nil
	}
	return g
}
