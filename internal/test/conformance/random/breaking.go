package random

import (
	"fmt"
	"math/rand/v2"

	"jacquard/asm"
	"jacquard/decoder"
	"jacquard/tesla"
)

const (
	breakFuel      = raceRegisters // the register with the rounds left to the thread, in all loops
	breakRegisters = raceRegisters + 1
	breakFunctions = 3 // each calls later ones only, so all calls end
	breakDepth     = 4 // of statements in statements
	breakLength    = 9 // statements of the kernel, and of each function, that hold others
)

// Breaking writes a kernel whose lanes leave loops by breaks: from within branches, functions, and
// functions that these call. A break in a function leads out of a loop there. In every other kernel
// a break may lead out of a loop of a caller. Only a policy with one stack for loops and calls takes
// such kernels.
func Breaking(seed uint64) (*Kernel, error) {
	r := rand.New(rand.NewPCG(seed, 9))
	w := &breaker{racer: racer{asm.Builder{Arch: tesla.SM13}, r}, far: r.IntN(2) == 0, barriers: r.IntN(4) == 0}
	threads := []int{5, 32, 64, raceBlock}[r.IntN(4)]
	k := w.launch(fmt.Sprintf("breaking%d", seed), 1, threads)
	k.Registers = breakRegisters
	w.kernel()
	words, err := w.Code()
	k.Code = decoder.Kernel(k.Arch, words)
	return k, err
}

// breaker writes the code of a breaking kernel.
type breaker struct {
	racer
	far       bool // breaks may lead out of functions
	barriers  bool // warps wait for each other, with whatever lanes
	left      int  // statements to write that hold others
	functions []asm.Label
}

// spot is what surrounds a statement.
type spot struct {
	depth    int
	breaks   bool // a break leads somewhere
	function int  // in which it is, -1 for the kernel
}

// kernel writes the kernel inside a region that breaks leave, and its functions behind it.
func (w *breaker) kernel() {
	for range breakFunctions {
		w.functions = append(w.functions, w.Label())
	}
	w.start()
	w.and(reg(breakFuel), reg(raceThread), imm([]uint32{0, 3, 7}[w.r.IntN(3)]))
	w.sum(tesla.Add, reg(breakFuel), reg(breakFuel), imm(3))
	w.region(func() { w.body(spot{breakDepth, true, -1}) })
	w.Exit()
	for f, start := range w.functions {
		w.Place(start)
		w.body(spot{breakDepth, w.far, f})
		w.Add(tesla.Instruction{Op: tesla.OpRet})
	}
}

// body writes the kernel or a function.
func (w *breaker) body(in spot) {
	for w.left = breakLength; w.left > 0; {
		w.statement(in)
	}
}

func (w *breaker) block(in spot) {
	for range 1 + w.r.IntN(3) {
		w.statement(in)
	}
}

func (w *breaker) statement(in spot) {
	w.left--
	if in.depth == 0 || w.left < 0 {
		w.work()
		return
	}
	in.depth--
	switch n := w.r.IntN(18); {
	case n < 3:
		w.loop(in)
	case n < 6:
		w.ifElse(in)
	case n < 10 && in.function+1 < breakFunctions:
		next := in.function + 1
		w.Jump(tesla.Instruction{Op: tesla.OpCall}, w.functions[next+w.r.IntN(breakFunctions-next)])
	case n < 13:
		w.leave(in, w.some())
	case n < 14:
		w.shared(in)
	case n < 15:
		w.nested(in)
	default:
		w.work()
	}
}

// work is code without control. An access keeps a branch around it from being a fork.
func (w *breaker) work() {
	switch n := w.r.IntN(8); {
	case n == 0:
		w.accessGlobal()
	case n < 3:
		w.accessShared()
	case n == 3 && w.barriers:
		w.Add(asm.Barrier())
	default:
		w.sum(tesla.Arith(w.r.IntN(3)), w.data(), w.data(), w.data())
	}
}

// some returns a guard that some lanes pass, or most.
func (w *breaker) some() tesla.Guard {
	w.test()
	return tesla.Guard{Cond: []tesla.Cond{tesla.CondLG, tesla.CondE}[w.r.IntN(2)]}
}

// leave has the lanes that pass a guard break, or return if that is a way out, too.
func (w *breaker) leave(in spot, g tesla.Guard) {
	op := tesla.OpBreak
	if !in.breaks || in.function >= 0 && w.r.IntN(6) == 0 {
		op = tesla.OpRet
	}
	w.Add(tesla.Instruction{Op: op, Guard: g})
}

// region writes code that lanes leave by breaks, and a last break for lanes that reach its end.
func (w *breaker) region(code func()) {
	end := w.Label()
	w.Jump(tesla.Instruction{Op: tesla.OpBreakAddr}, end)
	code()
	w.Add(tesla.Instruction{Op: tesla.OpBreak})
	w.Place(end)
}

// loop writes a loop that ends for a thread without fuel, whatever else breaks.
func (w *breaker) loop(in spot) {
	in.breaks = true
	end := w.Label()
	w.Jump(tesla.Instruction{Op: tesla.OpBreakAddr}, end)
	head := w.PlaceHere()
	w.sum(tesla.Add, reg(breakFuel), reg(breakFuel), imm(^uint32(0)))
	test := instruction(tesla.OpIAdd, tesla.B32, reg(breakFuel), reg(breakFuel), reg(noRegister)) // plus 0
	test.CDst = tesla.C0
	w.Add(test)
	w.Add(tesla.Instruction{Op: tesla.OpBreak, Guard: tesla.Guard{Cond: tesla.CondLE}})
	w.block(in)
	w.Jump(tesla.Instruction{Op: tesla.OpBra}, head)
	w.Place(end)
}

// ifElse writes an if with an else. Lanes of one side may all leave.
func (w *breaker) ifElse(in spot) {
	other, end := w.Label(), w.Label()
	w.Jump(tesla.Instruction{Op: tesla.OpJoinAt}, end)
	w.Jump(tesla.Instruction{Op: tesla.OpBra, Guard: w.some()}, other)
	w.block(in)
	if w.r.IntN(4) == 0 {
		w.leave(in, tesla.Guard{})
	} else {
		w.Jump(tesla.Instruction{Op: tesla.OpBra}, end)
	}
	w.Place(other)
	if w.r.IntN(2) == 0 {
		w.block(in)
	}
	w.join(end)
}

func (w *breaker) join(at asm.Label) {
	w.Place(at)
	w.Add(tesla.Instruction{Op: tesla.OpNop, Marker: tesla.MarkerJoin})
}

// shared writes an if, which is a fork, and behind it a region with the same join: lanes come from
// there into the if, past its announcement, while others of the region wait at the join.
func (w *breaker) shared(in spot) {
	second, past, end, over := w.Label(), w.Label(), w.Label(), w.Label()
	w.Jump(tesla.Instruction{Op: tesla.OpBra, Guard: w.some()}, second)
	w.Jump(tesla.Instruction{Op: tesla.OpJoinAt}, end)
	w.Place(past)
	w.Jump(tesla.Instruction{Op: tesla.OpBra, Guard: w.some()}, end)
	if w.r.IntN(2) == 0 {
		w.vote() // of the lanes on this side
	} else {
		w.sum(tesla.Add, w.data(), w.data(), w.data())
	}
	w.join(end)
	w.Jump(tesla.Instruction{Op: tesla.OpBra}, over)
	w.Place(second)
	w.Jump(tesla.Instruction{Op: tesla.OpJoinAt}, end)
	w.Jump(tesla.Instruction{Op: tesla.OpBra, Guard: w.some()}, end)
	w.block(in)
	w.Jump(tesla.Instruction{Op: tesla.OpBra}, past)
	w.Place(over)
}

// nested writes a region in a region with the same join. Lanes of the inner region go on behind
// the join while lanes of the outer wait there, so a break has to come before the next join.
func (w *breaker) nested(in spot) {
	w.region(func() {
		in.breaks = true
		end := w.Label()
		for range 2 {
			w.Jump(tesla.Instruction{Op: tesla.OpJoinAt}, end)
			w.Jump(tesla.Instruction{Op: tesla.OpBra, Guard: w.some()}, end)
			w.block(in)
		}
		w.join(end)
		w.work()
	})
}
