package schedule

import (
	"encoding/binary"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/decoder"
	"jacquard/simt/engine"
	"jacquard/simt/engine/interp"
	"jacquard/simt/engine/reference"
	"jacquard/simt/mem"
	"jacquard/simt/program"
	"jacquard/tesla"
)

// compiles are the engines.
var compiles = map[string]func(*program.Program) (engine.Code, error){"interp": interp.Compile, "reference": reference.Compile}

// orderKernel makes a kernel: $r3 is a buffer, $r4 the number of the warp, $r7 is 0.
func orderKernel(t testing.TB, compile func(*program.Program) (engine.Code, error), write func(w *kernelWriter)) *Program {
	t.Helper()
	w := &kernelWriter{t: t}
	w.emit(tesla.Instruction{Op: tesla.OpMov, Type: tesla.B32, Dst: reg(3), Src: [3]tesla.Operand{{Kind: tesla.Shared, Type: tesla.B32, Value: tesla.HeaderBytes}}})
	w.emit(tesla.Instruction{Op: tesla.OpShr, Type: tesla.U32, Dst: reg(4), Src: [3]tesla.Operand{reg(0), imm(5)}})
	write(w)
	w.emit(tesla.Instruction{Op: tesla.OpNop, Marker: tesla.MarkerExit})
	p, err := program.Lower(program.Kernel{Name: "order", Arch: tesla.SM13, Code: decoder.Kernel(tesla.SM13, w.code), Registers: 8, Shared: 0x40})
	require.NoError(t, err)
	code, err := compile(p)
	require.NoError(t, err)
	return NewProgram(p, code)
}

// at is the word of memory at the address in a register.
func at(r uint32) tesla.Operand {
	return tesla.Operand{Kind: tesla.Global, Index: program.WindowGlobal, Value: r}
}

func (w *kernelWriter) load(d int, address uint32) {
	w.emit(tesla.Instruction{Op: tesla.OpLdGlobal, Type: tesla.B32, Dst: reg(d), Src: [3]tesla.Operand{at(address)}})
}

func (w *kernelWriter) store(address uint32, v int) {
	w.emit(tesla.Instruction{Op: tesla.OpStGlobal, Type: tesla.B32, Src: [3]tesla.Operand{at(address), reg(v)}})
}

// compare sets $c0 by a register and a value.
func (w *kernelWriter) compare(cmp tesla.Cmp, r int, v uint32) {
	w.arith(tesla.Add, 1, reg(r), imm(-v))
	w.emit(tesla.Instruction{Op: tesla.OpISet, Type: tesla.S32, Cmp: cmp, CDst: tesla.C0, Dst: tesla.Operand{Kind: tesla.Discard}, Src: [3]tesla.Operand{reg(1), reg(7)}})
}

// branchTo branches to an address if $c0 holds.
func (w *kernelWriter) branchTo(target uint32) {
	w.emit(tesla.Instruction{Op: tesla.OpBra, Target: target, Guard: tesla.Guard{Cond: tesla.CondLG}})
}

func (w *kernelWriter) here() uint32 { return uint32(4 * len(w.code)) }

// again goes back to start until $r6, which counts the rounds of the loop, has reached rounds.
func (w *kernelWriter) again(start, rounds uint32) {
	w.arith(tesla.Add, 6, reg(6), imm(1))
	w.compare(tesla.Less, 6, rounds)
	w.branchTo(start)
}

// runOrder runs blocks of some warps on 64 KB of memory, and returns the memory as words.
func runOrder(t testing.TB, p *Program, warps int, change func(l *Launch)) ([]uint32, outcome) {
	t.Helper()
	const bytes = 1 << 16
	space := mem.NewSpace(1 << 20)
	addr, err := space.Alloc(bytes)
	require.NoError(t, err)
	l := &Launch{
		Program: p, Grid: [2]int{1, 1}, Block: [3]int{32 * warps, 1, 1}, Global: space,
		Params: binary.LittleEndian.AppendUint32(nil, addr), Pool: &Pool{all: true}, Workers: 1,
	}
	if change != nil {
		change(l)
	}
	g, err := newGrid(l)
	require.NoError(t, err)
	g.hire(l.Workers)
	fault := g.run()
	data, err := space.Bytes(addr, bytes)
	require.NoError(t, err)
	words := make([]uint32, bytes/4)
	for i := range words {
		words[i] = binary.LittleEndian.Uint32(data[4*i:])
	}
	return words, outcome{stats: g.stats(), fault: fault}
}

// The first warp of a program overwrites, without a barrier between, words that the others read
// after the last barrier. All read in time, as on hardware.
func TestBriefTurns(t *testing.T) {
	const (
		warps  = 8
		rounds = 300 // so that barriers lie everywhere in turns
	)
	for engineName, compile := range compiles {
		p := orderKernel(t, compile, func(w *kernelWriter) {
			w.emit(tesla.Instruction{Op: tesla.OpShl, Type: tesla.B32, Dst: reg(2), Src: [3]tesla.Operand{reg(4), imm(2)}})
			w.arith(tesla.Add, 2, reg(2), reg(3))
			loop := w.here()
			w.compare(tesla.Equal, 4, 0)
			w.emit(tesla.Instruction{
				Op: tesla.OpStGlobal, Type: tesla.B32, Src: [3]tesla.Operand{at(3), reg(6)}, Guard: tesla.Guard{Cond: tesla.CondLG},
			})
			w.emit(tesla.Instruction{Op: tesla.OpBar, Barrier: tesla.Barrier{ID: 0, Count: 0xfff, Inc: true, Wait: true}})
			w.arith(tesla.Add, 2, reg(2), imm(4*warps))
			w.load(5, 3)
			w.store(2, 5)
			for range engine.BriefRounds {
				w.arith(tesla.Add, 5, reg(5), imm(1))
			}
			w.again(loop, rounds)
		})
		for _, order := range []Order{OrderTurns, OrderInstruction} {
			words, plain := runOrder(t, p, warps, func(l *Launch) { l.Order = order })
			require.Nil(t, plain.fault)
			for i, got := range words[warps : warps*(1+rounds)] {
				require.EqualValues(t, i/warps, got, "%s, %v: warp %d", engineName, order, i%warps)
			}
		}
	}
}

// Warps that log themselves, without care for each other, show the order. It is the same for every
// engine, number of workers and listener.
func TestOrder(t *testing.T) {
	const (
		warps  = 3
		rounds = 400
	)
	for engineName, compile := range compiles {
		var loop, end uint32
		p := orderKernel(t, compile, func(w *kernelWriter) {
			w.arith(tesla.Add, 2, reg(3), imm(1<<15))
			w.load(5, 2)
			w.store(2, 5) // the first turn ends here
			loop = w.here()
			w.load(5, 3) // entries of the log
			w.emit(tesla.Instruction{Op: tesla.OpShl, Type: tesla.B32, Dst: reg(2), Src: [3]tesla.Operand{reg(5), imm(2)}})
			w.arith(tesla.Add, 2, reg(2), reg(3))
			w.arith(tesla.Add, 2, reg(2), imm(4))
			w.store(2, 4)
			w.arith(tesla.Add, 5, reg(5), imm(1))
			w.store(3, 5)
			w.again(loop, rounds)
			end = w.here()
		})
		first, _ := p.Index(loop)
		last, _ := p.Index(end)
		length := last - first
		for order, want := range map[Order][]int{OrderTurns: nil, OrderInstruction: nil} {
			words, plain := runOrder(t, p, warps, func(l *Launch) { l.Order = order })
			require.Nil(t, plain.fault)
			if order == OrderTurns {
				// A warp logs itself once per round of the loop, in every round that begins before
				// the turn's end.
				var logged [warps]int
				for turn := 1; len(want) < warps*rounds; turn++ {
					for w := range warps {
						for ; logged[w] < rounds && (logged[w] == 0 || first+logged[w]*length-1 < turn*turnRounds); logged[w]++ {
							want = append(want, w)
						}
					}
				}
				require.EqualValues(t, warps*rounds, words[0], engineName)
				for i, w := range want {
					require.EqualValues(t, w, words[1+i], "%s, entry %d", engineName, i)
				}
			} else {
				require.EqualValues(t, rounds, words[0], "%s: in step, all read one number", engineName)
			}
			for _, workers := range []int{1, 2, 7} {
				for name, listen := range map[string]func(*Launch){
					"nothing":  func(*Launch) {},
					"observer": func(l *Launch) { l.Observer = glancing{} },
					"recorder": func(l *Launch) { l.Recorder = diaryRecorder{newDiary(p)} },
					"hook":     func(l *Launch) { l.InStep = InStepOn },
					"watchdog": func(l *Launch) { l.Watchdog = 1 << 20 },
				} {
					got, o := runOrder(t, p, warps, func(l *Launch) {
						l.Order, l.Workers = order, workers
						listen(l)
					})
					what := fmt.Sprintf("%s, %s, %d workers, %s", engineName, order, workers, name)
					require.Equal(t, words, got, what)
					o.stats.InStep, plain.stats.InStep = nil, nil
					require.Equal(t, plain, o, what)
				}
			}
		}
	}
}

// Warps that wait for others end in long turns if they end in turns of one instruction.
func TestTurnsAreFair(t *testing.T) {
	flag := func(w *kernelWriter) { // waits until the first word is set
		loop := w.here()
		w.load(5, 3)
		w.compare(tesla.Equal, 5, 0)
		w.branchTo(loop)
	}
	for name, write := range map[string]func(w *kernelWriter){
		"a flag of the last warp": func(w *kernelWriter) {
			w.compare(tesla.Less, 4, 7)
			wait := w.hole(tesla.Instruction{Op: tesla.OpBra, Guard: tesla.Guard{Cond: tesla.CondLG}})
			w.store(3, 4)
			wait()
			flag(w)
		},
		"a flag behind a long loop": func(w *kernelWriter) {
			w.compare(tesla.Less, 4, 7)
			wait := w.hole(tesla.Instruction{Op: tesla.OpBra, Guard: tesla.Guard{Cond: tesla.CondLG}})
			w.again(w.here(), 20_000)
			w.store(3, 4)
			wait()
			flag(w)
		},
		"a lock": func(w *kernelWriter) { // each warp takes the first word and adds to the second
			w.arith(tesla.Add, 2, reg(3), imm(4))
			w.logic(tesla.And, 6, reg(0), imm(31))
			w.compare(tesla.Less|tesla.Greater, 6, 0)
			skip := w.hole(tesla.Instruction{Op: tesla.OpBra, Guard: tesla.Guard{Cond: tesla.CondLG}})
			w.arith(tesla.Add, 6, reg(7), imm(1))
			try := w.here()
			w.emit(tesla.Instruction{Op: tesla.OpAtom, Type: tesla.B32, Atom: tesla.AtomCas, Dst: reg(5), Src: [3]tesla.Operand{at(3), reg(7), reg(6)}})
			w.compare(tesla.Less|tesla.Greater, 5, 0)
			w.branchTo(try)
			w.load(5, 2)
			w.arith(tesla.Add, 5, reg(5), imm(1))
			w.store(2, 5)
			w.store(3, 7)
			skip()
		},
	} {
		for _, order := range []Order{OrderTurns, OrderInstruction} {
			p := orderKernel(t, interp.Compile, write)
			words, o := runOrder(t, p, 8, func(l *Launch) { l.Order, l.Watchdog = order, 1<<24 })
			require.Nil(t, o.fault, "%s, %s", name, order)
			if name == "a lock" {
				require.Equal(t, []uint32{0, 8}, words[:2], order)
			} else {
				require.EqualValues(t, 7, words[0], name)
			}
		}
	}
}

// Barriers open at the same times in every order: the clock and the waits show it. Here warps reach
// them after different numbers of turns.
func TestBarriersInTurns(t *testing.T) {
	p := orderKernel(t, interp.Compile, func(w *kernelWriter) {
		w.emit(tesla.Instruction{Op: tesla.OpShl, Type: tesla.B32, Dst: reg(2), Src: [3]tesla.Operand{reg(0), imm(2)}})
		w.arith(tesla.Add, 3, reg(3), reg(2))
		for k := range 4 {
			w.emit(tesla.Instruction{Op: tesla.OpShl, Type: tesla.B32, Dst: reg(6), Src: [3]tesla.Operand{reg(4), imm(uint32(5 + 2*k))}})
			w.again(w.here(), 1<<12)
			w.emit(tesla.Instruction{Op: tesla.OpBar, Barrier: tesla.Barrier{ID: 0, Count: 0xfff, Inc: true, Wait: true}})
			w.emit(tesla.Instruction{Op: tesla.OpMovFromSpecial, Type: tesla.B32, Dst: reg(5), Src: [3]tesla.Operand{{Kind: tesla.Special, Index: program.SpecialClock}}})
			w.store(3, 5)
			w.arith(tesla.Add, 3, reg(3), imm(1<<12))
		}
	})
	words, turns := runOrder(t, p, 7, nil)
	again, steps := runOrder(t, p, 7, func(l *Launch) { l.Order = OrderInstruction })
	require.Nil(t, turns.fault)
	require.Equal(t, steps, turns)
	require.Equal(t, again, words)
	require.NotZero(t, turns.stats.BarrierWaits)
	require.NotZero(t, words[0])
	for k := range 4 {
		for i := range 32 * 7 {
			require.Equal(t, words[k<<10], words[k<<10+i], "all warps go on at one time")
		}
	}
}

// A fault ends the block: warps later in the order have done nothing.
func TestFaultsInTurns(t *testing.T) {
	p := orderKernel(t, interp.Compile, func(w *kernelWriter) {
		w.emit(tesla.Instruction{Op: tesla.OpShl, Type: tesla.B32, Dst: reg(2), Src: [3]tesla.Operand{reg(4), imm(2)}})
		w.arith(tesla.Add, 3, reg(3), reg(2))
		w.arith(tesla.Add, 5, reg(7), imm(1))
		w.store(3, 5)
		w.compare(tesla.Less, 4, 2)
		fine := w.hole(tesla.Instruction{Op: tesla.OpBra, Guard: tesla.Guard{Cond: tesla.CondLG}})
		w.trap() // in warps 2 and 3
		fine()
		w.arith(tesla.Add, 3, reg(3), imm(16))
		w.store(3, 5)
	})
	for order, want := range map[Order][]uint32{
		OrderTurns:       {1, 1, 1, 0, 1, 1, 0, 0},
		OrderInstruction: {1, 1, 1, 1, 0, 0, 0, 0},
	} {
		d := newDiary(p)
		words, o := runOrder(t, p, 4, func(l *Launch) { l.Order, l.Recorder = order, diaryRecorder{d} })
		require.NotNil(t, o.fault)
		require.Equal(t, 2, o.fault.Warp, order)
		require.Equal(t, want, words[:8], order)
		var told int
		for _, i := range d.issues[0] {
			told += i.active.N
		}
		require.EqualValues(t, o.stats.WarpInstructions, told+1, "all that happened was told, and not the fault")
		_, watched := runOrder(t, p, 4, func(l *Launch) { l.Order, l.Observer = order, glancing{} })
		require.Equal(t, o, watched, order)
	}
}
