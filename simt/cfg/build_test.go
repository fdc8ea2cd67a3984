package cfg_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/simt/cfg"
	"jacquard/tesla"
)

// show prints a graph: functions, their blocks by address and their edges.
func show(g *cfg.Graph) string {
	var s strings.Builder
	for _, f := range g.Functions {
		fmt.Fprintf(&s, "function 0x%x\n", f.Entry)
		for _, b := range f.Blocks {
			fmt.Fprintf(&s, "  0x%x", b.Start)
			for _, e := range b.Succ {
				if e.To == cfg.Exit {
					fmt.Fprintf(&s, ", %s", e.Kind)
				} else {
					fmt.Fprintf(&s, ", %s 0x%x", e.Kind, f.Blocks[e.To].Start)
				}
			}
			s.WriteByte('\n')
		}
	}
	for _, c := range g.Calls {
		fmt.Fprintf(&s, "call at 0x%x from 0x%x to 0x%x\n", c.PC, g.Functions[c.Caller].Entry, g.Functions[c.Callee].Entry)
	}
	for _, p := range g.Problems {
		fmt.Fprintf(&s, "%s\n", p)
	}
	return s.String()
}

func lines(s ...string) string { return strings.Join(s, "\n") + "\n" }

func TestNew(t *testing.T) {
	trap := op(tesla.OpTrap, always, 0)
	never := op(tesla.OpBra, tesla.Guard{Cond: tesla.CondNever}, 0)
	bad := nop()
	bad.Bad = tesla.BadOpcode
	exitNever := exit()
	exitNever.Guard.Cond = tesla.CondNever
	for _, c := range []struct {
		name string
		code []tesla.Instruction
		want string
	}{
		{"straight", []tesla.Instruction{nop(), exit()}, lines("function 0x0", "  0x0, exit")},
		{"exit whatever the guard", []tesla.Instruction{exitNever, nop()}, lines("function 0x0", "  0x0, exit")},
		{"if with a join", []tesla.Instruction{joinAt(3), braIf(3), nop(), join(), exit()}, lines("function 0x0",
			"  0x0, fall through 0x10, taken 0x18", "  0x10, fall through 0x18", "  0x18, exit")},
		{"never taken", []tesla.Instruction{never, exit()}, lines("function 0x0", "  0x0, fall through 0x8", "  0x8, exit")},
		{"loops in each other", []tesla.Instruction{breakAddr(7), nop(), breakAddr(5), brkIf(), bra(3), brkIf(), bra(1), exit()}, lines("function 0x0",
			"  0x0, fall through 0x8", "  0x8, fall through 0x18", "  0x18, fall through 0x20, break 0x28",
			"  0x20, taken 0x18", "  0x28, fall through 0x30, break 0x38", "  0x30, taken 0x8", "  0x38, exit")},
		{"break of two loops", []tesla.Instruction{breakAddr(4), braIf(3), breakAddr(5), brk(), nop(), exit()}, lines("function 0x0",
			"  0x0, fall through 0x10, taken 0x18", "  0x10, fall through 0x18", "  0x18, break 0x20, break 0x28", "  0x20, fall through 0x28", "  0x28, exit")},
		{"return", []tesla.Instruction{retIf(), exit()}, lines("function 0x0", "  0x0, fall through 0x8, return", "  0x8, exit")},
		{"preret", []tesla.Instruction{preRet(2), ret(), exit()}, lines("function 0x0", "  0x0, return 0x10", "  0x10, exit")},
		{"return out of a loop", []tesla.Instruction{preRet(5), breakAddr(4), retIf(), brk(), trap, brk()}, lines("function 0x0",
			"  0x0, fall through 0x18, return 0x28", "  0x18, break 0x20", "  0x20, stop", "  0x28, unresolved",
			"0x28: a break that can be reached without a break address")},
		{"calls", []tesla.Instruction{call(3), call(5), exit(), call(5), ret(), retIf(), call(3), ret()}, lines("function 0x0",
			"  0x0, call 0x8", "  0x8, call 0x10", "  0x10, exit",
			"function 0x18", "  0x18, call 0x20", "  0x20, return",
			"function 0x28", "  0x28, fall through 0x30, return", "  0x30, call 0x38", "  0x38, return",
			"call at 0x0 from 0x0 to 0x18", "call at 0x8 from 0x0 to 0x28", "call at 0x18 from 0x18 to 0x28", "call at 0x30 from 0x28 to 0x18")},
		{"lone join", []tesla.Instruction{braIf(2), joinAt(2), join(), exit()}, lines("function 0x0",
			"  0x0, fall through 0x8, taken 0x10", "  0x8, fall through 0x10", "  0x10, exit",
			"0x10: a join that can be reached without its joinat")},
		{"nowhere", []tesla.Instruction{braIf(9), call(9)}, lines("function 0x0", "  0x0, fall through 0x8, unresolved", "  0x8, unresolved",
			"0x0: leads to an address where no instruction starts", "0x8: leads to an address where no instruction starts")},
		{"no end", []tesla.Instruction{nop()}, lines("function 0x0", "  0x0, unresolved", "0x0: the code ends behind it")},
		{"indirect", []tesla.Instruction{op(tesla.OpBraIndirect, always, 0)}, lines("function 0x0", "  0x0, unresolved",
			"0x0: branches to an address that only a run can tell")},
		{"illegal", []tesla.Instruction{bad, exit()}, lines("function 0x0", "  0x0, stop")},
		{"break addresses without end", []tesla.Instruction{breakAddr(2), braIf(0), exit()}, lines("function 0x0",
			"  0x0, fall through 0x10, taken 0x0, unresolved", "  0x10, exit",
			"0x0: is reached with too many different token stacks to follow")},
	} {
		t.Run(c.name, func(t *testing.T) {
			g, _ := analyse(t, c.code...)
			require.Equal(t, c.want, show(g))
		})
	}
}

func TestNoCode(t *testing.T) {
	_, err := cfg.New(nil)
	require.ErrorIs(t, err, cfg.ErrNoCode)
}

// TestLanesStayOnEdges lets lanes run random code with random decisions and a token stack per lane:
// every step from block to block must be an edge of the graph.
func TestLanesStayOnEdges(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	steps := map[cfg.EdgeKind]int{}
	for range 3000 {
		code := make([]tesla.Instruction, 4+r.IntN(12))
		for i := range code {
			to := r.IntN(len(code))
			code[i] = []tesla.Instruction{
				nop(), braIf(to), braIf(to), bra(to), breakAddr(to), breakAddr(to), preRet(to), brkIf(), brk(), retIf(), ret(), call(to), exit(), join(), joinAt(to),
			}[r.IntN(15)]
		}
		g, _ := analyse(t, code...)
		for range 5 {
			l := lane{t: t, r: r, g: g, steps: steps}
			l.run()
		}
	}
	for k := range cfg.Unresolved {
		require.True(t, steps[k] > 100 || k == cfg.Stop, "%s: %d", k, steps[k])
	}
}

// lane is one lane that runs alone.
type lane struct {
	t     *testing.T
	r     *rand.Rand
	g     *cfg.Graph
	steps map[cfg.EdgeKind]int
	stack []address
	f     *cfg.Function
}

type address struct {
	call bool
	pc   uint32
	back *frame // where a call's return leads
}

type frame struct {
	f *cfg.Function
}

func (l *lane) run() {
	l.f = l.g.Functions[0]
	pc := l.f.Entry
	for range 100 {
		i := int(pc / 8)
		if i == len(l.g.Code) {
			l.step(pc-8, cfg.FallThrough, pc) // fails unless the edge is marked
			return
		}
		in := l.g.Code[i]
		taken := in.Guard == always || l.r.IntN(2) == 0
		next := pc + 8
		switch {
		case in.Marker == tesla.MarkerExit:
			l.leave(pc, cfg.Finish)
			return
		case in.Op == tesla.OpBreakAddr || in.Op == tesla.OpPreRet:
			l.stack = append(l.stack, address{call: in.Op == tesla.OpPreRet, pc: in.Target})
		case in.Op == tesla.OpCall:
			if !l.step(pc, cfg.Over, next) {
				return
			}
			l.stack = append(l.stack, address{call: true, pc: next, back: &frame{l.f}})
			l.f = l.callee(pc)
			pc = in.Target
			continue
		case !taken:
		case in.Op == tesla.OpBra:
			if !l.step(pc, cfg.Taken, in.Target) {
				return
			}
			pc = in.Target
			continue
		case in.Op == tesla.OpBreak || in.Op == tesla.OpRet:
			kind := cfg.Break
			if in.Op == tesla.OpRet {
				kind = cfg.Return
			}
			a, ok := l.pop(in.Op == tesla.OpRet)
			switch {
			case !ok:
				return // left the function by a break, or left the kernel
			case a.back != nil:
				l.leave(pc, cfg.Return)
				l.f = a.back.f
			case !l.step(pc, kind, a.pc):
				return
			}
			pc = a.pc
			continue
		}
		if !l.step(pc, cfg.FallThrough, next) {
			return
		}
		pc = next
	}
}

// pop takes the latest address of a kind. A break out of the function is not modelled.
func (l *lane) pop(call bool) (address, bool) {
	for len(l.stack) > 0 {
		a := l.stack[len(l.stack)-1]
		l.stack = l.stack[:len(l.stack)-1]
		if a.call == call {
			return a, true
		}
		if a.back != nil {
			break
		}
	}
	return address{}, false
}

func (l *lane) callee(pc uint32) *cfg.Function {
	for _, c := range l.g.Calls {
		if c.PC == pc && l.g.Functions[c.Caller] == l.f {
			return l.g.Functions[c.Callee]
		}
	}
	l.t.Fatalf("no call at 0x%x", pc)
	return nil
}

// step checks that a lane can go from pc to next; false means an unresolved edge.
func (l *lane) step(pc uint32, kind cfg.EdgeKind, next uint32) bool {
	l.t.Helper()
	b := l.f.Block(pc)
	require.NotEqual(l.t, cfg.None, b, "0x%x is in no block", pc)
	if l.f.Blocks[b].Tail != pc {
		require.Equal(l.t, b, l.f.Block(next))
		return true
	}
	unknown := false
	for _, e := range l.f.Blocks[b].Succ {
		if e.Kind == kind && e.To >= 0 && l.f.Blocks[e.To].Start == next {
			l.steps[kind]++
			return true
		}
		unknown = unknown || e.Kind == cfg.Unresolved
	}
	require.True(l.t, unknown, "no edge from 0x%x to 0x%x\n%s", pc, next, show(l.g))
	return false
}

func (l *lane) leave(pc uint32, kind cfg.EdgeKind) {
	l.t.Helper()
	b := l.f.Block(pc)
	require.NotEqual(l.t, cfg.None, b)
	require.Contains(l.t, l.f.Blocks[b].Succ, cfg.Edge{Kind: kind, To: cfg.Exit}, "0x%x\n%s", pc, show(l.g))
	l.steps[kind]++
}
