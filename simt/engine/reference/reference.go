package reference

import (
	"math/bits"

	"jacquard/simt/engine"
	"jacquard/simt/lane"
	"jacquard/simt/machine"
	"jacquard/simt/program"
)

// Code is a program for the scalar engine.
type Code struct{ p *program.Program }

// Compile makes a program ready. It never fails.
func Compile(p *program.Program) (engine.Code, error) { return Code{p}, nil }

// SIMD returns engine.Off: the engine uses no vector instructions.
func (Code) SIMD() string { return engine.Off }

// New returns an engine for some warps.
func (c Code) New(warps int) engine.Engine { return &Engine{State: *machine.NewState(c.p, warps)} }

// Engine executes code for the warps of a machine state, lane by lane.
type Engine struct {
	machine.State
	executed lane.Sel                // scratch of Run
	kept     [lane.MaxWarps]lane.Row // scratch of keep
}

// Machine returns the state that the engine works on.
func (eng *Engine) Machine() *machine.State { return &eng.State }

// Run executes the straight-line code [from, to): see engine.Engine.
func (eng *Engine) Run(s *lane.Sel, from, to int) int {
	for i := from; i < to; i++ {
		u := &eng.Program.Code[i]
		executed := eng.guard(u, s)
		if executed.N == 0 {
			continue
		}
		keep := eng.keeping(u, executed)
		if !Step(&eng.State, u, executed) {
			eng.Locate(u, eng.Clock+uint64(i))
			return i + 1
		}
		keep()
	}
	return to
}

// guard returns the lanes of s that execute u, and counts the others (docs/isa/machine.md, Guards).
func (eng *Engine) guard(u *program.Op, s *lane.Sel) *lane.Sel {
	if !u.Guarded {
		return s
	}
	executed := &eng.executed
	*executed = Guard(&eng.State, u, s)
	off := 0
	for _, m := range s.Mask[:s.N] {
		off += bits.OnesCount32(uint32(m))
	}
	for _, m := range executed.Mask[:executed.N] {
		off -= bits.OnesCount32(uint32(m))
	}
	eng.Counts.Off[u.At] += uint64(off)
	if off != 0 && eng.Recorder != nil {
		eng.Recorder.Partial(int(u.At), s, executed)
	}
	return executed
}

// keeping returns a function that keeps the values of u after u executed. The addresses are from
// before.
func (eng *Engine) keeping(u *program.Op, executed *lane.Sel) (keep func()) {
	if eng.Kept == nil || !eng.Kept.Wants[u.At] {
		return func() {}
	}
	if u.Accesses() {
		for _, w := range executed.Warp[:executed.N] {
			eng.kept[w] = *eng.AddressesOf(u, int(w), &eng.kept[w])
		}
	}
	return func() {
		for i, w := range executed.Warp[:executed.N] {
			eng.Kept.Add(&eng.State, u, int(w), executed.Mask[i], &eng.kept[w])
		}
	}
}
