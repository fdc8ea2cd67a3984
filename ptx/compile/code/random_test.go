package code_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"jacquard/ptx/compile/code"
	"jacquard/tesla"
)

// randomFunc writes functions: variables that every block changes, and blocks that lead anywhere.
type randomFunc struct {
	builder
	r      *rand.Rand
	long   bool
	plain  bool
	vars   []code.Reg // with a value in every block
	temps  []code.Reg // of the current block
	slot   code.Reg
	thread code.Reg
	fuel   code.Reg
	run    int32
	one    code.Reg
	conds  []code.Reg
	addrs  []code.Reg
}

// options shape random functions.
type options struct {
	maxRegs, vars, blocks, ops int
	long                       bool // every block is reached
	plain                      bool // no operands of several words
}

func newRandomFunc(seed uint64, o options) *code.Func {
	w := &randomFunc{builder: *newBuilder(o.maxRegs), r: rand.New(rand.NewPCG(seed, 1)), long: o.long, plain: o.plain}
	if seed%3 == 0 {
		w.f.Arch = tesla.SM10
	}
	for range 16 {
		w.f.Literals = append(w.f.Literals, w.r.Uint32())
	}
	w.entryBlock(o)
	blocks := []*code.Block{w.b}
	for range o.blocks {
		blocks = append(blocks, w.block(w.r.IntN(3)))
	}
	for i, b := range blocks {
		w.b = b
		w.body(o, i == 0)
		w.end(blocks, i)
	}
	return w.f
}

func (w *randomFunc) entryBlock(o options) {
	w.thread, w.slot = w.entry()
	w.fuel, w.one = w.word(), w.word()
	w.do(tesla.OpMov, w.one, 1)
	seven := w.word()
	w.do(tesla.OpMov, seven, 7)
	w.logic(tesla.And, w.fuel, w.thread, seven)
	w.do(tesla.OpIAdd, w.fuel, w.fuel, 3)
	for range o.vars {
		v := w.word()
		w.do(tesla.OpIAdd, v, w.thread, w.r.Uint32())
		w.vars = append(w.vars, v)
	}
	for range 3 {
		w.conds = append(w.conds, w.compare(w.any(), w.any(), tesla.Less))
		a := w.f.NewReg(code.Addr)
		w.toAddr(a)
		w.addrs = append(w.addrs, a)
	}
}

// toAddr sets an address to a multiple of 4 below 32.
func (w *randomFunc) toAddr(a code.Reg) {
	t := w.word()
	w.logic(tesla.And, t, w.any(), 7)
	in := w.do(tesla.OpShlToAddr, 0, t, 2)
	in.In.Dst.Kind, in.Dst = tesla.AddrReg, reg(a)
}

// any returns a register with a value.
func (w *randomFunc) any() code.Reg {
	if n := len(w.temps); n > 0 && w.r.IntN(2) == 0 {
		return w.temps[n-1-w.r.IntN(min(n, 20))]
	}
	return w.vars[w.r.IntN(len(w.vars))]
}

// target returns a register to write.
func (w *randomFunc) target() code.Reg {
	if w.r.IntN(3) == 0 {
		return w.vars[w.r.IntN(len(w.vars))]
	}
	t := w.word()
	w.temps = append(w.temps, t)
	return t
}

func (w *randomFunc) cond() code.Reg {
	if w.r.IntN(2) == 0 {
		return w.conds[w.r.IntN(len(w.conds))]
	}
	return w.compare(w.any(), w.any(), []tesla.Cmp{tesla.Less, tesla.Equal, tesla.Less | tesla.Equal, tesla.Greater}[w.r.IntN(4)])
}

func (w *randomFunc) body(o options, entry bool) {
	w.temps = w.temps[:0]
	for range w.r.IntN(o.ops) + 1 {
		w.op()
	}
	if w.r.IntN(2) == 0 {
		w.permute()
	}
}

func (w *randomFunc) op() {
	a, b, c := w.any(), w.any(), w.any()
	kind := w.r.IntN(20)
	if w.plain && kind >= 13 && kind <= 16 {
		kind = 5
	}
	switch kind {
	case 0, 1:
		w.do(tesla.OpIAdd, w.target(), a, b)
	case 2:
		w.do(tesla.OpIAdd, w.target(), a, w.r.Uint32())
	case 3:
		w.logic(tesla.Logic(w.r.IntN(3)), w.target(), a, b)
	case 4:
		w.do(tesla.OpShl, w.target(), a, w.r.IntN(31))
	case 5, 6:
		w.mad(w.target(), a, b, c)
	case 7:
		w.mad(w.target(), a, w.r.IntN(1<<24), c)
	case 8: // an overflow carries into the next word
		in := w.do(tesla.OpIAdd, w.target(), a, b)
		in.CDst = w.f.NewReg(code.Cond)
		carry := in.CDst
		in = w.do(tesla.OpIAdd, w.target(), b, c)
		in.In.Arith, in.CarryIn = tesla.AddC, carry
	case 9:
		p := w.cond()
		in := w.do(tesla.OpIAdd, w.vars[w.r.IntN(len(w.vars))], a, b)
		in.Guard = code.Guard{Reg: p, Cond: tesla.CondLG}
	case 10: // both sides write
		p, d := w.cond(), w.word()
		w.do(tesla.OpIAdd, d, a, b).Guard = code.Guard{Reg: p, Cond: tesla.CondLG}
		if w.r.IntN(3) == 0 {
			w.do(tesla.OpIAdd, w.target(), a, c)
		}
		w.copy(d, w.any()).Guard = code.Guard{Reg: p, Cond: tesla.CondEU}
		w.temps = append(w.temps, d)
	case 11:
		in := w.logic(tesla.Xor, w.vars[w.r.IntN(len(w.vars))], a, b)
		in.In.Type = tesla.B16
		in.In.Dst.Kind, in.In.Src[0].Kind, in.In.Src[1].Kind = tesla.Half, tesla.Half, tesla.Half
		in.Dst.High, in.Src[0].High = w.r.IntN(2) == 0, w.r.IntN(2) == 0
	case 12:
		if w.r.IntN(2) == 0 {
			w.copy(w.target(), a)
			return
		}
		w.zeroTest(a, b, c)
	case 13, 14:
		w.tupleStore()
	case 15, 16:
		w.tupleLoad()
	case 17:
		w.toAddr(w.addrs[w.r.IntN(len(w.addrs))])
	case 18:
		in := w.do(tesla.OpLdConst, w.target(), tesla.Operand{Kind: tesla.Const, Type: tesla.B32, Index: 1, Value: 4 * w.r.Uint32N(8)})
		in.Src[0].Base = w.addrs[w.r.IntN(len(w.addrs))]
	case 19:
		in := w.do(tesla.OpISet, 0, a, b)
		in.In.Type, in.In.Cmp, in.In.Dst.Kind = tesla.S32, tesla.Greater, tesla.Discard
		in.CDst = w.conds[w.r.IntN(len(w.conds))]
	}
}

// zeroTest compares a value with zero shortly after it was made.
func (w *randomFunc) zeroTest(a, b, c code.Reg) {
	d := w.target()
	switch w.r.IntN(5) {
	case 0:
		w.do(tesla.OpIAdd, d, a, b).In.Arith = tesla.Sub
	case 1:
		w.do(tesla.OpIAdd, d, a, w.r.Uint32())
	case 2:
		w.logic(tesla.And, d, a, w.r.IntN(4))
	case 3:
		w.logic(tesla.Xor, d, a, b)
	case 4:
		w.do(tesla.OpShr, d, a, w.r.IntN(34)).In.Type = tesla.U32
	}
	p := w.compare(d, 0, tesla.Cmp(1+w.r.IntN(6)))
	if w.r.IntN(2) == 0 {
		w.b.Code[len(w.b.Code)-1].In.Type = tesla.U32
	}
	x := w.word()
	w.do(tesla.OpMov, x, 1)
	w.copy(x, c).Guard = code.Guard{Reg: p, Cond: tesla.CondLG}
	w.do(tesla.OpIAdd, w.vars[w.r.IntN(len(w.vars))], x, x).Guard = code.Guard{Reg: p, Cond: tesla.CondE}
	w.temps = append(w.temps, x)
}

// place returns an address in the memory of the thread for n words.
func (w *randomFunc) place(n int) code.Reg {
	at := w.word()
	w.do(tesla.OpIAdd, at, w.slot, 4*n*w.r.IntN(16/n))
	return at
}

func (w *randomFunc) tupleStore() {
	n := 1 << w.r.IntN(3)
	at := w.place(n)
	var list []code.Reg
	for range n {
		list = append(list, w.any())
	}
	w.store(at, list...)
}

func (w *randomFunc) tupleLoad() {
	n := 1 << w.r.IntN(3)
	at := w.place(n)
	p := code.Reg(0)
	if w.r.IntN(4) == 0 {
		p = w.cond()
	}
	var list []code.Reg
	for len(list) < n {
		d := w.target()
		for _, x := range list {
			if x == d {
				d = w.word()
			}
		}
		list = append(list, d)
	}
	if p != 0 {
		for _, d := range list { // all have a value before
			w.do(tesla.OpMov, d, 5)
		}
	}
	in := w.load(at, list...)
	if p != 0 {
		in.Guard = code.Guard{Reg: p, Cond: tesla.CondLG}
	}
}

// permute copies variables to variables, all at once.
func (w *randomFunc) permute() {
	w.run++
	n := 1 + w.r.IntN(min(6, len(w.vars)))
	to := w.r.Perm(len(w.vars))[:n]
	from := to
	if w.r.IntN(2) == 0 {
		from = append(append([]int{}, to[1:]...), to[0])
	}
	for i := range n {
		s := w.vars[from[i]]
		if w.r.IntN(4) == 0 {
			s = w.any()
		}
		if w.r.IntN(8) == 0 {
			w.do(tesla.OpMov, w.vars[to[i]], w.r.Uint32()).Parallel = w.run
			continue
		}
		w.copy(w.vars[to[i]], s).Parallel = w.run
	}
}

// end leads from block i to others: ahead, or back as long as there is fuel.
func (w *randomFunc) end(blocks []*code.Block, i int) {
	last := len(blocks) - 1
	if i == last || !w.long && w.r.IntN(12) == 0 && i > 0 {
		w.finish()
		return
	}
	if w.long && w.r.IntN(2) == 0 {
		w.branch(w.cond(), tesla.CondLG, blocks[min(i+2, last)], blocks[i+1])
		if i+2 > last {
			w.jump(blocks[last])
		}
		return
	}
	ahead := func() *code.Block {
		if w.long {
			return blocks[i+1]
		}
		return blocks[i+1+w.r.IntN(min(last-i, 4))]
	}
	switch n := w.r.IntN(10); {
	case n < 3:
		w.jump(ahead())
	case n < 7 || i == 0:
		a, b := ahead(), ahead()
		if a == b {
			w.jump(a)
			return
		}
		if w.r.IntN(4) == 0 {
			w.uniform(a, b)
			return
		}
		w.branch(w.cond(), tesla.CondLG, a, b)
	default:
		back := blocks[1+w.r.IntN(i)]
		w.do(tesla.OpIAdd, w.fuel, w.fuel, ^uint32(0))
		p := w.compare(w.fuel, w.one, tesla.Greater)
		if next := ahead(); next != back {
			w.branch(p, tesla.CondLG, back, next)
		} else {
			w.jump(next)
		}
	}
}

// uniform branches on a condition that is the same in all threads.
func (w *randomFunc) uniform(to, other *code.Block) {
	x, y := w.word(), w.word()
	w.do(tesla.OpLdConst, x, tesla.Operand{Kind: tesla.Const, Type: tesla.B32, Index: 1, Value: 4 * w.r.Uint32N(8)})
	w.do(tesla.OpMov, y, w.r.Uint32())
	w.branch(w.compare(x, y, tesla.Less), tesla.CondLG, to, other)
	w.b.End.Uniform = true
}

// finish stores all variables.
func (w *randomFunc) finish() {
	for i, v := range w.vars {
		at := w.word()
		w.do(tesla.OpIAdd, at, w.slot, 64+4*(i%100))
		w.store(at, v)
	}
	w.b.End = code.End{Kind: code.Exit}
}

func TestRandom(t *testing.T) {
	count := seeds(500)
	if testing.Short() {
		count = 100
	}
	for seed := range count {
		r := rand.New(rand.NewPCG(uint64(seed), 2))
		o := options{
			maxRegs: []int{124, 10, 12, 16, 20, 32}[r.IntN(6)], vars: 1 + r.IntN(40), blocks: r.IntN(20), ops: 1 + r.IntN(20),
			long: r.IntN(3) == 0,
		}
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			check(t, newRandomFunc(uint64(seed), o), "nvidia", "stackless", "implicit", "barrier")
		})
	}
}
