package schedule

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/decoder"
	"jacquard/simt/program"
	"jacquard/tesla"
)

// forkWriter makes random kernels with divergent warps.
type forkWriter struct{ kernelWriter }

// when sets $c0 by some bit of a data register.
func (w *forkWriter) when() {
	w.logic(tesla.And, 1, reg(w.data()), imm(uint32(1)<<w.r.IntN(8)))
	w.emit(tesla.Instruction{Op: tesla.OpISet, Type: tesla.U32, Cmp: tesla.Greater, CDst: tesla.C0, Dst: tesla.Operand{Kind: tesla.Discard}, Src: [3]tesla.Operand{reg(1), reg(31)}})
}

// side is straight-line code that touches registers only, and now and then a visible instruction.
func (w *forkWriter) side(least int) {
	for range least + w.r.IntN(3) {
		w.arith(tesla.Arith(w.r.IntN(3)), w.data(), reg(w.data()), reg(w.data()))
	}
	if w.r.IntN(16) == 0 {
		w.address()
		w.arith(tesla.Add, 2, reg(3), reg(1))
		w.emit(tesla.Instruction{Op: tesla.OpLdGlobal, Type: tesla.B32, Dst: reg(w.data()), Src: [3]tesla.Operand{{Kind: tesla.Global, Index: program.WindowGlobal, Value: 2}}})
	}
}

// stray selects the lanes of a choice that miss its join.
type stray int

const (
	pastJoin    stray = iota // one side skips the join
	allPast                  // the branch itself skips the join
	intoOther                // one side ends in the middle of the other
	otherPast                // the other side skips the join
	joinMissing              // nothing is joined at the announced address
	strays
)

// choice is an "if" with or without "else". One in four is no fork but resembles one.
func (w *forkWriter) choice() {
	astray := strays
	if w.r.IntN(4) == 0 {
		astray = stray(w.r.IntN(int(strays)))
	}
	w.when()
	guard := tesla.Guard{Cond: [...]tesla.Cond{tesla.CondE, tesla.CondLG}[w.r.IntN(2)]}
	joinAt := w.hole(tesla.Instruction{Op: tesla.OpJoinAt})
	w.side(0)
	toOther := w.hole(tesla.Instruction{Op: tesla.OpBra, Guard: guard})
	w.side(1)
	var late []func() // jump past the join
	if astray == allPast {
		late = append(late, toOther)
	} else if astray != joinMissing && astray < strays || w.r.IntN(2) == 0 {
		toEnd := w.hole(tesla.Instruction{Op: tesla.OpBra})
		toOther()
		w.side(0)
		if astray == intoOther {
			w.side(1)
			toEnd()
			w.side(1)
		}
		if astray == otherPast {
			late = append(late, w.hole(tesla.Instruction{Op: tesla.OpBra}))
		}
		if astray == pastJoin {
			late = append(late, toEnd)
		} else if astray != intoOther {
			toEnd()
		}
	} else {
		toOther()
	}
	joinAt()
	carrier := tesla.Instruction{Op: tesla.OpNop, Marker: tesla.MarkerJoin}
	if w.r.IntN(2) == 0 {
		carrier = tesla.Instruction{Op: tesla.OpIAdd, Type: tesla.B32, Dst: reg(w.data()), Src: [3]tesla.Operand{reg(w.data()), reg(w.data())}, Marker: tesla.MarkerJoin}
	}
	if astray == joinMissing {
		carrier.Marker = tesla.MarkerNone
	}
	w.emit(carrier)
	if len(late) > 0 {
		w.side(1)
	}
	for _, fill := range late {
		fill()
	}
}

// loop is a loop that lanes leave one after the other, by a branch to a break, and some by a break
// inside.
func (w *forkWriter) loop(depth int) {
	counter := 8 + depth
	w.logic(tesla.And, counter, reg(w.data()), imm(7))
	announce := w.hole(tesla.Instruction{Op: tesla.OpBreakAddr})
	start := uint32(4 * len(w.code))
	w.arith(tesla.Add, counter, reg(counter), imm(0xffffffff))
	w.emit(tesla.Instruction{Op: tesla.OpISet, Type: tesla.S32, Cmp: tesla.Less, CDst: tesla.C0, Dst: tesla.Operand{Kind: tesla.Discard}, Src: [3]tesla.Operand{reg(counter), reg(31)}})
	toBreak := w.hole(tesla.Instruction{Op: tesla.OpBra, Guard: tesla.Guard{Cond: tesla.CondLG}})
	for range 1 + w.r.IntN(2) {
		w.part(depth - 1)
	}
	if w.r.IntN(2) == 0 {
		w.when()
		w.emit(tesla.Instruction{Op: tesla.OpBreak, Guard: tesla.Guard{Cond: tesla.CondLG}})
	}
	w.emit(tesla.Instruction{Op: tesla.OpBra, Target: start})
	toBreak()
	w.emit(tesla.Instruction{Op: tesla.OpBreak})
	announce()
}

func (w *forkWriter) part(depth int) {
	if depth > 0 && w.r.IntN(3) == 0 {
		w.loop(depth)
		return
	}
	w.choice()
}

// program ends the kernel.
func (w *forkWriter) program() *Program {
	w.emit(tesla.Instruction{Op: tesla.OpNop, Marker: tesla.MarkerExit})
	p, err := lower(program.Kernel{Name: "forks", Arch: tesla.SM13, Code: decoder.Kernel(tesla.SM13, w.code), Registers: 12, Shared: 0x40})
	require.NoError(w.t, err)
	return p
}

func forkKernel(t testing.TB, seed uint64) *Program {
	w := &forkWriter{kernelWriter{t: t, r: rand.New(rand.NewPCG(seed, 8))}}
	w.ownBuffer()
	for d := 4; d < writerRegisters; d++ {
		w.arith(tesla.Add, d, reg(0), imm(w.r.Uint32()))
	}
	for range 4 {
		w.part(2)
	}
	w.arith(tesla.Add, 2, reg(3), imm(0))
	w.emit(tesla.Instruction{Op: tesla.OpStGlobal, Type: tesla.B32, Src: [3]tesla.Operand{{Kind: tesla.Global, Index: program.WindowGlobal, Value: 2}, reg(w.data())}})
	return w.program()
}

// Forks that run as a whole leave the same memory, counts and faults as warps that are stepped
// through them.
func TestForksAreNotNoticed(t *testing.T) {
	for _, policy := range []string{"nvidia", "stackless", "stackless:key=pc", "pdom", "simty"} {
		t.Run(policy, func(t *testing.T) {
			forks, parted := 0, uint64(0)
			for seed := range uint64(200) {
				p := forkKernel(t, seed)
				for i := range p.Code {
					if p.Code[i].Fork != nil {
						forks++
					}
				}
				turn := []uint64{1, 8, 50, turnRounds}[seed%4]
				turns, ahead := runRandom(t, p, policy, turn, glancing{}), runRandom(t, p, policy, turn, nil)
				require.Equal(t, turns, ahead, "seed %d", seed)
				require.Nil(t, turns.fault)
				for _, in := range turns.stats.ByInstruction {
					parted += in.Branch.Divergent
				}
			}
			require.Greater(t, forks, 500)
			require.Greater(t, parted, uint64(1000))
		})
	}
}

// The result does not depend on how the launch is cut up: turns end within forks.
func TestForksInTurns(t *testing.T) {
	for seed := range uint64(20) {
		p := forkKernel(t, seed)
		var want outcome
		for i, c := range grids {
			got := runCut(t, p, 12, c)
			if i == 0 {
				want = got
			}
			require.Equal(t, want, got, "seed %d, %+v", seed, c)
		}
	}
}

// A fork without room on the token stack faults at the same instruction as single steps.
func TestForksNeedRoom(t *testing.T) {
	const limit = 1024 // of package branch
	for _, c := range []struct {
		held   int
		faults bool
	}{{limit - 2, false}, {limit - 1, true}, {limit, true}} {
		w := &forkWriter{kernelWriter{t: t, r: rand.New(rand.NewPCG(1, 1))}}
		w.ownBuffer()
		for range c.held {
			announce := w.hole(tesla.Instruction{Op: tesla.OpJoinAt})
			announce()
		}
		w.arith(tesla.Add, 4, reg(0), imm(0))
		w.logic(tesla.And, 1, reg(4), imm(1))
		w.emit(tesla.Instruction{Op: tesla.OpISet, Type: tesla.U32, Cmp: tesla.Greater, CDst: tesla.C0, Dst: tesla.Operand{Kind: tesla.Discard}, Src: [3]tesla.Operand{reg(1), reg(31)}})
		joinAt := w.hole(tesla.Instruction{Op: tesla.OpJoinAt})
		skip := w.hole(tesla.Instruction{Op: tesla.OpBra, Guard: tesla.Guard{Cond: tesla.CondLG}})
		w.side(2)
		skip()
		joinAt()
		w.emit(tesla.Instruction{Op: tesla.OpNop, Marker: tesla.MarkerJoin})
		p := w.program()
		turns, ahead := runRandom(t, p, "", turnRounds, glancing{}), runRandom(t, p, "", turnRounds, nil)
		require.Equal(t, c.faults, turns.fault != nil, "%d held", c.held)
		require.Equal(t, turns.fault, ahead.fault, "%d held", c.held)
		if !c.faults {
			require.Equal(t, turns, ahead)
		}
	}
}
