package interp

import (
	"maps"

	"jacquard/simt/lane"
	"jacquard/simt/program"
	"jacquard/tesla"
)

// op is an instruction with the functions and kernels that execute it. The lowered instruction is
// the engine's own copy, because some operands change for kernels that fetch them in another way.
type op struct {
	exec execFunc // effect on registers and memory; nil if none
	program.Op

	unfinished bool // the result must be clamped, moved or tested for flags

	k1    lane.Unary
	k2    lane.Binary
	k3    lane.Ternary
	flags flagFunc // flags of the result; nil if none are written or exec sets them

	product    lane.Binary // multiply-add: the first step
	compare    lane.Comparison
	wide       func(d, a lane.Rows64, f []lane.Flags, s *lane.Sel) // conversions with a 64-bit side
	cvtFlags   func(f []lane.Flags, r lane.Rows, s *lane.Sel)
	shiftFlags func(f []lane.Flags, a, n lane.Rows, width int, s *lane.Sel)
}

// execFunc executes an instruction for the lanes of s. It reports false after setting Raised; then
// nothing of the faulting warp's instruction has happened.
type execFunc func(eng *Engine, u *op, s *lane.Sel) bool

// flagFunc replaces the flags of $c u.CDst by the flags of the result in d.
type flagFunc func(eng *Engine, u *op, d lane.Rows, s *lane.Sel)

// bindings map operations to the functions that bind them.
type bindings map[tesla.Op]func(*program.Program, *op)

// binding has every operation with an effect; a test checks that it is complete. The tables are
// beside the functions of their families.
var binding = func() bindings {
	all := bindings{}
	for _, family := range []bindings{
		moves, accesses, atomics, integers, conversions, floats, doubles, textures, controls,
	} {
		maps.Copy(all, family)
	}
	return all
}()

func bind(p *program.Program, u *op) {
	switch {
	case !u.Acts:
		return
	case u.OffCode:
		u.exec = execOffCode
		return
	case u.Refusal != nil:
		u.exec = execRefused
		return
	}
	binding[u.Ins.Op](p, u)
	applyModes(p, u)
	u.unfinished = u.Clamp || u.flags != nil || u.Dst.Mode == program.DstLow || u.Dst.Mode == program.DstHigh
}

func bindExec(exec execFunc) func(*program.Program, *op) {
	return func(_ *program.Program, u *op) { u.exec = exec }
}

// flagged makes the flags of the result follow a rule, if the instruction writes a $c.
func (u *op) flagged(rule flagFunc) {
	if u.CDst != program.NoCond {
		u.flags = rule
	}
}
