package code_test

import (
	"testing"

	"jacquard/decoder"
	"jacquard/ptx/compile/code"
	"jacquard/tesla"

	"github.com/stretchr/testify/require"
)

// listing compiles a function and returns its instructions.
func listing(t *testing.T, f *code.Func) []string {
	t.Helper()
	require.NoError(t, code.Verify(f))
	r, err := code.Compile(f)
	require.NoError(t, err)
	var out []string
	for _, in := range decoder.Kernel(f.Arch, r.Words) {
		out = append(out, in.String())
	}
	return out
}

// TestTexture has coordinates in two registers and four results in those and the next two.
func TestTexture(t *testing.T) {
	w := newBuilder(16)
	thread, slot := w.entry()
	in := w.do(tesla.OpTexAuto, w.word())
	in.In.Type, in.In.Tex = 0, tesla.Tex{Mask: 15, Coords: 2, Live: true}
	in.Dst.Regs = [4]code.Reg{w.word(), w.word(), w.word(), w.word()}
	in.Src[0].Regs = [4]code.Reg{thread, thread}
	in.Tied = true
	d := in.Dst.Regs
	w.store(slot, d[1], d[3])
	require.Contains(t, w.f.String(), "texauto live v5:v6:v7:v8 $t0 $s0 v1:v1")
	require.Equal(t, []string{
		"shl b32 $r1 $r0 0x9",
		"add b32 $r4 b32 s[0x10] $r1",
		"mov b32 $r1 $r0",
		"texauto live $r0:$r1:$r2:$r3 $t0 $s0 $r0:$r1",
		"mov b32 $r0 $r1",
		"mov b32 $r1 $r3",
		"exit st b64 g14[$r4] $r0d",
	}, listing(t, w.f))
}

// TestZero takes zero from a register that the kernel does not own: in short forms one that they
// reach.
func TestZero(t *testing.T) {
	w := newBuilder(16)
	thread, slot := w.entry()
	a, b := w.word(), w.word()
	w.do(tesla.OpIAdd, a, code.Reg(0), thread)
	w.do(tesla.OpIAdd, b, thread, code.Reg(0)).In.Arith = tesla.SubR
	c := w.word()
	w.do(tesla.OpIMax, c, a, code.Reg(0)).In.Type = tesla.S32
	w.store(slot, c, b)
	require.Equal(t, []string{
		"shl b32 $r1 $r0 0x9",
		"add b32 $r1 b32 s[0x10] $r1",
		"add b32 $r2 $r63 $r0",
		"subr b32 $r3 $r0 $r63",
		"max s32 $r2 $r2 $r124",
		"exit st b64 g14[$r1] $r2d",
	}, listing(t, w.f))
}

// TestManyFlags needs more flags at once than there are registers, or just as many.
func TestManyFlags(t *testing.T) {
	for _, n := range []int{4, 5, 7} {
		r, _ := check(t, manyFlags(n), "nvidia")
		require.Equal(t, n > 4, r.Spills.Rounds > 0)
		require.Zero(t, r.Local) // flags go to registers
	}
}

func manyFlags(n int) *code.Func {
	w := newBuilder(16)
	thread, slot := w.entry()
	sum, one := w.word(), w.word()
	w.do(tesla.OpMov, sum, 0)
	w.do(tesla.OpMov, one, 1)
	var conds []code.Reg
	for i := range n {
		bit := w.word()
		w.logic(tesla.And, bit, thread, 1<<i)
		p := w.compare(bit, one, tesla.Less)
		conds = append(conds, p)
	}
	for _, p := range conds {
		w.do(tesla.OpIAdd, sum, sum, one).Guard = code.Guard{Reg: p, Cond: tesla.CondLG}
		w.do(tesla.OpShl, sum, sum, 1)
	}
	w.store(slot, sum)
	return w.f
}

// TestRematerialise makes constants anew instead of keeping them in local memory.
func TestRematerialise(t *testing.T) {
	w := newBuilder(10)
	thread, slot := w.entry()
	var consts []code.Reg
	for i := range 20 {
		c := w.word()
		w.do(tesla.OpMov, c, 1000+i)
		consts = append(consts, c)
	}
	sum := thread
	for _, c := range append(consts, consts...) {
		next := w.word()
		w.logic(tesla.Xor, next, sum, c)
		sum = w.word()
		w.mad(sum, next, c, next)
	}
	w.store(slot, sum)
	r, _ := check(t, w.f, "nvidia")
	require.Positive(t, r.Spills.Rematerialised)
	require.LessOrEqual(t, r.Spills.Words, 1) // the address, which is used but once
}

// Values that begin as constants and change are not made anew.
func TestConstantsThatChange(t *testing.T) {
	w := newBuilder(10)
	thread, slot := w.entry()
	var values []code.Reg
	for i := range 20 {
		v := w.word()
		w.do(tesla.OpMov, v, 1000+i)
		values = append(values, v)
	}
	for i, v := range values {
		w.do(tesla.OpIAdd, v, v, 77+i)
	}
	sum := thread
	for _, v := range append(values, values...) {
		next := w.word()
		w.logic(tesla.Xor, next, sum, v)
		sum = w.word()
		w.mad(sum, next, v, next)
	}
	w.store(slot, sum)
	r, _ := check(t, w.f, "nvidia")
	require.Zero(t, r.Spills.Rematerialised)
	require.Positive(t, r.Spills.Words)
}

// A word stands once in the literals, of which operands reach some.
func TestLiteral(t *testing.T) {
	f := &code.Func{}
	for range 2 {
		for i := range uint32(code.LiteralReach) {
			o, ok := f.Literal(1000+i, code.LiteralReach)
			require.True(t, ok)
			require.Equal(t, tesla.Operand{Kind: tesla.Const, Index: 1, Type: tesla.B32, Value: 4 * i}, o)
		}
		_, ok := f.Literal(1, code.LiteralReach)
		require.False(t, ok)
		require.Len(t, f.Literals, code.LiteralReach)
	}
	_, ok := f.Literal(1, code.LiteralReach+1)
	require.False(t, ok, "it is there, but no operand reaches it")
	require.Len(t, f.Literals, code.LiteralReach+1)
}

// Text names halves, pairs, quadruples, bases, flags and carries by their virtual registers.
func TestText(t *testing.T) {
	w := newBuilder(10)
	for range 9 {
		w.word()
	}
	c, a := w.f.NewReg(code.Cond), w.f.NewReg(code.Addr)
	in := w.logic(tesla.Xor, 1, code.Reg(2), code.Reg(3))
	in.In.Type, in.In.Dst.Kind, in.In.Src[0].Kind, in.In.Src[1].Kind = tesla.B16, tesla.Half, tesla.Half, tesla.Half
	in.Dst.High, in.Src[1].High = true, true
	w.load(5, 6, 7)
	w.store(5, 6, 7, 8, 9)
	w.do(tesla.OpIAdd, 1, code.Reg(2), code.Reg(3)).CDst = c
	in = w.do(tesla.OpIAdd, 1, code.Reg(2), code.Reg(3))
	in.In.Arith, in.CarryIn = tesla.AddC, c
	w.do(tesla.OpLdConst, 4, tesla.Operand{Kind: tesla.Const, Type: tesla.B32, Index: 1, Value: 8}).Src[0].Base = a
	w.copy(1, 2).Guard = code.Guard{Reg: c, Cond: tesla.CondLG}
	w.do(tesla.OpIAdd, 1, code.Reg(0), code.Reg(3)).First = true
	w.copy(1, 2).Parallel = 3
	require.Equal(t, `func k sm_13 registers=10 local=0 literals=0
b0:
	xor b16 v1.h v2.l v3.h
	ld b64 v6:v7 g14[v5]
	st b128 g14[v5] v6:v7:v8:v9
	add b32 p10 v1 v2 v3
	addc b32 v1 v2 v3 p10
	ld v4 b32 c1[a11+0x8]
	(lg p10) mov b32 v1 v2  ; copy
	add b32 v1 zero v3  ; first
	|3 mov b32 v1 v2  ; copy
	exit
`, w.f.String())
}

// TestVerify finds an error in each broken function.
func TestVerify(t *testing.T) {
	for _, c := range []struct {
		name  string
		write func(w *builder)
		want  string
	}{
		{"read before written", func(w *builder) { w.copy(w.word(), w.word()) }, "register 2 is read before it is written"},
		{"class", func(w *builder) {
			a := w.word()
			w.do(tesla.OpMov, a, 1)
			w.b.Code[0].CDst = a
		}, "register 1 is of class 0, not 1"},
		{"pair of one", func(w *builder) {
			a := w.word()
			w.do(tesla.OpMov, a, 1)
			w.b.Code[0].In.Dst.Kind = tesla.Pair
		}, "an operand of 1 registers"},
		{"nowhere", func(w *builder) { w.jump(&code.Block{}) }, "leads to no block"},
		{"nothing", func(w *builder) { w.b.End = code.End{} }, "leads to no block"},
		{"no guard", func(w *builder) { w.branch(0, tesla.CondLG, w.b, w.b) }, "a branch without a guard"},
		{"a branch on a word", func(w *builder) {
			a := w.word()
			w.do(tesla.OpMov, a, 1)
			w.branch(a, tesla.CondLG, w.b, w.b)
		}, "branch: register 1 is of class 0, not 1"},
		{"a branch before the flags", func(w *builder) { w.branch(w.f.NewReg(code.Cond), tesla.CondLG, w.b, w.b) }, "branch: register 1 is read before it is written"},
		{"a guard of a word", func(w *builder) {
			a := w.word()
			w.do(tesla.OpMov, a, 1)
			w.do(tesla.OpMov, a, 1).Guard = code.Guard{Reg: a, Cond: tesla.CondLG}
		}, "register 1 is of class 0, not 1"},
		{"a carry in a word", func(w *builder) {
			a := w.word()
			w.do(tesla.OpMov, a, 1)
			w.do(tesla.OpMov, a, 1).CarryIn = a
		}, "register 1 is of class 0, not 1"},
		{"a base in a word", func(w *builder) {
			a := w.word()
			w.do(tesla.OpMov, a, 1)
			w.do(tesla.OpLdConst, a, tesla.Operand{Kind: tesla.Const}).Src[0].Base = a
		}, "register 1 is of class 0, not 2"},
		{"no such register", func(w *builder) { w.do(tesla.OpMov, 7, 1) }, "no register 7"},
		{"the first number that is none", func(w *builder) { w.do(tesla.OpMov, 1, 1) }, "no register 1"},
		{"a negative register", func(w *builder) { w.do(tesla.OpMov, -1, 1) }, "no register -1"},
		{"a word of two", func(w *builder) {
			a, b := w.word(), w.word()
			w.do(tesla.OpMov, a, 1)
			w.b.Code[0].Dst.Regs[1] = b
		}, "an operand of 2 registers"},
		{"memory without an address", func(w *builder) { w.do(tesla.OpLdGlobal, w.word(), memory()) }, "an operand of 0 registers"},
		{"flags of none", func(w *builder) {
			w.do(tesla.OpMovFromCond, w.word(), tesla.Operand{Kind: tesla.CondReg})
		}, "an operand of 0 registers"},
		{"a copy of an immediate", func(w *builder) {
			w.do(tesla.OpMov, w.word(), 1).Copy = true
		}, "not a copy"},
		{"a copy that adds", func(w *builder) {
			a := w.word()
			w.do(tesla.OpMov, a, 1)
			w.do(tesla.OpIAdd, a, a, a).Copy = true
		}, "not a copy"},
		{"a copy of a half", func(w *builder) {
			a := w.word()
			w.do(tesla.OpMov, a, 1)
			w.copy(a, a).In.Type = tesla.B16
		}, "not a copy"},
		{"a parallel sum", func(w *builder) {
			a := w.word()
			w.do(tesla.OpMov, a, 1)
			w.do(tesla.OpIAdd, a, a, a).Parallel = 1
		}, "not a parallel copy"},
		{"a parallel copy under a guard", func(w *builder) {
			a := w.word()
			w.do(tesla.OpMov, a, 1)
			in := w.copy(a, a)
			in.Parallel, in.Guard = 1, code.Guard{Reg: w.f.NewReg(code.Cond), Cond: tesla.CondLG}
		}, "not a parallel copy"},
		{"a copy of the same run does not write before", func(w *builder) {
			a, b := w.word(), w.word()
			w.do(tesla.OpMov, a, 1)
			w.copy(b, a).Parallel = 1
			w.copy(a, b).Parallel = 1
		}, "register 2 is read before it is written"},
		{"one side of a branch alone writes", func(w *builder) {
			a, p := w.word(), w.f.NewReg(code.Cond)
			w.f.Regs[p].Open = true
			entry := w.b
			side, end := w.block(0), w.block(0)
			w.copy(a, a)
			w.b = side
			w.do(tesla.OpMov, a, 1)
			w.jump(end)
			w.b = entry
			w.branch(p, tesla.CondLG, side, end)
		}, "b2: mov b32 v1 v1  ; copy: register 1 is read before it is written"},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := newBuilder(10)
			c.write(w)
			require.ErrorContains(t, code.Verify(w.f), c.want)
		})
	}
}

// TestManyAddresses needs more address registers at once than there are, or just as many. Their
// sources may live on.
func TestManyAddresses(t *testing.T) {
	for _, c := range []struct {
		n    int
		live bool
	}{{4, false}, {5, false}, {7, false}, {7, true}} {
		w := newBuilder(32)
		thread, slot := w.entry()
		for i := range 64 {
			w.f.Literals = append(w.f.Literals, uint32(i*i))
		}
		sum := w.word()
		w.do(tesla.OpMov, sum, 0)
		var sources, addrs []code.Reg
		for i := range c.n {
			s, a := w.word(), w.f.NewReg(code.Addr)
			w.logic(tesla.And, s, thread, 1<<i-1)
			in := w.do(tesla.OpShlToAddr, 0, s, 2)
			in.In.Dst.Kind, in.Dst = tesla.AddrReg, reg(a)
			sources, addrs = append(sources, s), append(addrs, a)
		}
		for range 2 {
			for _, a := range addrs {
				x := w.word()
				at := tesla.Operand{Kind: tesla.Const, Type: tesla.B32, Index: 1}
				w.do(tesla.OpLdConst, x, at).Src[0].Base = a
				w.do(tesla.OpIAdd, sum, sum, x)
				w.do(tesla.OpShl, sum, sum, 1)
			}
		}
		if c.live {
			for _, s := range sources {
				w.do(tesla.OpIAdd, sum, sum, s)
			}
		}
		w.store(slot, sum)
		r, _ := check(t, w.f, "nvidia")
		require.Equal(t, c.n > 4, r.Spills.Rounds > 0)
		require.Equal(t, c.live, r.Spills.Rematerialised > 0)
		require.Zero(t, r.Local)
	}
}

// TestManyWords has a hundred values at once, and halves and immediates of some, which reach the
// lower 64 registers.
func TestManyWords(t *testing.T) {
	w := newBuilder(124)
	thread, slot := w.entry()
	var values []code.Reg
	for i := range 100 {
		v := w.word()
		w.mad(v, thread, 3+i, slot)
		values = append(values, v)
	}
	for i, v := range values[60:] {
		x, y, pair := w.word(), w.word(), []code.Reg{w.word(), w.word()}
		w.do(tesla.OpIAdd, x, v, 1<<20+i)
		w.copy(y, v)
		in := w.logic(tesla.Xor, v, x, y)
		in.In.Type, in.In.Dst.Kind, in.In.Src[0].Kind, in.In.Src[1].Kind = tesla.B16, tesla.Half, tesla.Half, tesla.Half
		w.copy(pair[0], x)
		w.copy(pair[1], y)
		at := w.word()
		w.do(tesla.OpIAdd, at, slot, 8*(i%16))
		w.store(at, pair...)
	}
	for i, v := range values {
		at := w.word()
		w.do(tesla.OpIAdd, at, slot, 128+4*(i%96))
		w.store(at, v)
	}
	r, _ := check(t, w.f, "nvidia")
	require.Greater(t, r.Registers, 100)
	require.Zero(t, r.Local)
}

// Lanes that must meet at several places are told apart by votes, which early devices lack: they
// can have several barriers all the same.
func TestVotesOfEarlyDevices(t *testing.T) {
	for _, c := range []struct {
		arch      tesla.Arch
		bar, fail bool
	}{{tesla.SM11, false, true}, {tesla.SM11, true, false}, {tesla.SM12, false, false}} {
		w := newBuilder(16)
		thread, slot := w.entry()
		w.f.Arch, w.f.Gather = c.arch, true
		head := w.b
		some, end := w.block(0), w.block(0)
		w.store(slot, thread)
		some.Meet, end.Meet = true, true
		some.Bar, some.All, end.Bar, end.All = c.bar, c.bar, c.bar, c.bar
		some.End = code.End{Kind: code.Jump, To: [2]*code.Block{end}}
		w.b = head
		w.branch(w.compare(thread, slot, tesla.Less), tesla.CondLG, some, end)
		_, err := code.Compile(w.f)
		if c.fail {
			require.ErrorIs(t, err, code.ErrNoVotes)
		} else {
			require.NoError(t, err)
		}
	}
}
