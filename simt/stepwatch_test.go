package simt_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/decoder"
	"jacquard/simt"
	"jacquard/simt/branch"
	"jacquard/simt/lane"
	"jacquard/simt/mem"
	"jacquard/tesla"
)

// listing is code that is written instruction by instruction, eight bytes each.
type listing []tesla.Instruction

func (l *listing) add(in tesla.Instruction) *tesla.Instruction {
	in.Size = 8
	*l = append(*l, in)
	return &(*l)[len(*l)-1]
}

func (l *listing) op(op tesla.Op, dst tesla.Operand, src ...tesla.Operand) *tesla.Instruction {
	return l.add(oracleInstruction(op, tesla.B32, dst, src...))
}

func (l *listing) control(op tesla.Op) *tesla.Instruction {
	return l.add(oracleInstruction(op, tesla.TypeNone, tesla.Operand{}))
}

func (l listing) words(t testing.TB) (words []uint32) {
	t.Helper()
	for _, in := range l {
		w0, w1, err := decoder.Encode(tesla.SM13, in)
		require.NoError(t, err, "%+v", in)
		words = append(words, w0, w1)
	}
	return words
}

func (l listing) here() uint32 { return uint32(8 * len(l)) }

const unrolledRow = 256 // bytes of shared memory a warp: 32 words, and 32 zeros behind them

// unrolled adds the numbers of each warp as the unrolled end of reductions used to do it:
// with no barrier between the steps, because the lanes of a warp run in step. Odd threads and
// even ones go different ways before. With barriers it does the same for any schedule.
func unrolled(t testing.TB, barriers bool) []uint32 {
	const base = 0x20
	var l listing
	at := tesla.Operand{Kind: tesla.Shared, Type: tesla.B32, Base: 1, Value: base}
	barrier := func() {
		if barriers {
			in := l.control(tesla.OpBar)
			in.Barrier.Inc, in.Barrier.Wait, in.Barrier.All = true, true, true
		}
	}
	l.op(tesla.OpMov, oracleReg(1), oracleImm(32))
	and := l.op(tesla.OpLogic, oracleReg(1), oracleReg(0), oracleReg(1))
	and.Logic = tesla.And
	l.op(tesla.OpIAdd, oracleReg(1), oracleReg(1), oracleReg(0))
	l.op(tesla.OpShlToAddr, oracleAddr(1), oracleReg(1), oracleImm(2))
	l.op(tesla.OpMov, oracleReg(2), oracleImm(1))
	odd := l.op(tesla.OpLogic, oracleReg(2), oracleReg(0), oracleReg(2))
	odd.Logic, odd.CDst = tesla.And, 0
	l.control(tesla.OpJoinAt).Target = l.here() + 4*8
	bra := l.control(tesla.OpBra)
	bra.Target, bra.Guard.Cond = l.here()+2*8, tesla.Cond(2) // even
	l.op(tesla.OpIAdd, oracleReg(2), oracleReg(0), oracleImm(100))
	l.control(tesla.OpBra).Target = l.here() + 8
	l.op(tesla.OpMov, oracleReg(2), oracleReg(0))
	l.control(tesla.OpNop).Marker = tesla.MarkerJoin
	l.op(tesla.OpStShared, tesla.Operand{}, at, oracleReg(2))
	for step := 16; step > 0; step /= 2 {
		barrier()
		from := at
		from.Value += uint32(4 * step)
		l.op(tesla.OpIAdd, oracleReg(2), from, oracleReg(2))
		barrier()
		l.op(tesla.OpStShared, tesla.Operand{}, at, oracleReg(2))
	}
	l.op(tesla.OpShl, oracleReg(1), oracleReg(0), oracleImm(2))
	l.op(tesla.OpIAdd, oracleReg(1), tesla.Operand{Kind: tesla.Shared, Type: tesla.B32, Value: 0x10}, oracleReg(1))
	l.op(tesla.OpStGlobal, tesla.Operand{}, oracleGlobal(1), oracleReg(2))
	l.control(tesla.OpNop).Marker = tesla.MarkerExit
	return l.words(t)
}

// sums runs such a kernel with two warps and returns what they sum up to.
func sums(t *testing.T, code []uint32, policy string, look simt.InStep) ([2]uint32, *simt.Stats) {
	t.Helper()
	space := mem.NewSpace(1 << 20)
	out, err := space.Alloc(64 * 4)
	require.NoError(t, err)
	l := machine{arch: tesla.SM13, words: code, registers: 4, shared: 0x20 + 2*unrolledRow, params: []uint32{out}, space: space, block: [3]int{64, 1, 1}}.launch(t)
	l.Policy, l.InStep = policy, look
	s, err := simt.Run(l)
	require.NoError(t, err, policy)
	got := words(t, space, out, 64)
	return [2]uint32{got[0], got[32]}, s
}

func TestDependenceOnStep(t *testing.T) {
	want := [2]uint32{496 + 1600, 1520 + 1600}
	careless, careful := unrolled(t, false), unrolled(t, true)
	var wrong []string
	for _, scheme := range branch.Schemes() {
		t.Run(scheme.Name, func(t *testing.T) {
			got, s := sums(t, careful, scheme.Name, simt.InStepOn)
			require.Equal(t, want, got)
			require.Nil(t, s.InStep)

			got, s = sums(t, careless, scheme.Name, simt.InStepAuto)
			require.Equal(t, scheme.Loose, s.InStep != nil)
			if got != want {
				require.True(t, scheme.Loose, "a wrong sum without a word")
				wrong = append(wrong, scheme.Name)
			}
			_, s = sums(t, careless, scheme.Name, simt.InStepOn)
			require.NotNil(t, s.InStep)
			_, s = sums(t, careless, scheme.Name, simt.InStepOff)
			require.Nil(t, s.InStep)
		})
	}
	require.Subset(t, wrong, []string{"mimd", "dwf"}, "the kernel does not depend on anything")
}

// What is said of the dependence: the first one in the code, under a policy in step.
func TestDependenceText(t *testing.T) {
	_, s := sums(t, unrolled(t, false), "nvidia", simt.InStepOn)
	require.Equal(t, &simt.Dependence{
		Kernel: "k", Warp: 0, Space: "s", Addr: 0x60,
		First: simt.Access{PC: 0x60, Text: "st b32 s[$a1+0x20] $r2", Lanes: 1 << 16, Store: true},
		Then:  simt.Access{PC: 0x68, Text: "add b32 $r2 b32 s[$a1+0x60] $r2", Lanes: lane.All >> 16},
	}, s.InStep)
	require.Equal(t, "kernel k relies on the lanes of a warp running in step: in block (0,0), warp 0, s[0x60] is stored by lanes 00010000 at pc 0x60 (st b32 s[$a1+0x20] $r2) and then read by lanes 0000ffff at pc 0x68 (add b32 $r2 b32 s[$a1+0x60] $r2), with no barrier between",
		s.InStep.String())
	_, s = sums(t, unrolled(t, false), "dwf:sched=dpc", simt.InStepAuto)
	require.Contains(t, s.InStep.String(), "running in step, which divergence policy dwf:sched=dpc does not promise: in block")
}

// Each case is what a warp does to shared memory behind its parameters. $a1 is four times
// the lane, $r0 the lane, $r2 is 7; $c0 holds for odd lanes as "different".
func TestStepWatch(t *testing.T) {
	place := func(typ tesla.Type, base uint8, at uint32) tesla.Operand {
		return tesla.Operand{Kind: tesla.Shared, Type: typ, Base: base, Value: at}
	}
	store := func(l *listing, typ tesla.Type, base uint8, at uint32, from int) *tesla.Instruction {
		in := l.op(tesla.OpStShared, tesla.Operand{}, place(typ, base, at), oracleReg(from))
		in.Type = typ
		if typ == tesla.U8 {
			in.Src[1] = tesla.Operand{Kind: tesla.Half, Index: uint8(2 * from)}
		}
		return in
	}
	load := func(l *listing, base uint8, at uint32) {
		l.op(tesla.OpMov, oracleReg(3), place(tesla.B32, base, at))
	}
	tests := []struct {
		name  string
		write func(l *listing)
		want  string // of the dependence, "" for none
	}{
		{"each lane its own word", func(l *listing) { store(l, tesla.B32, 1, 0x20, 0); load(l, 1, 0x20) }, ""},
		{"the neighbour's word", func(l *listing) { store(l, tesla.B32, 1, 0x20, 0); load(l, 1, 0x24) }, "stored read"},
		{"the neighbour's word, then one's own", func(l *listing) { load(l, 1, 0x24); store(l, tesla.B32, 1, 0x20, 2) }, "read stored"},
		{"nothing new", func(l *listing) { load(l, 1, 0x24); store(l, tesla.B32, 1, 0x20, 3) }, ""},
		{"all store the same", func(l *listing) { store(l, tesla.B32, 0, 0x20, 2); load(l, 0, 0x20) }, ""},
		{"all store something else", func(l *listing) { store(l, tesla.B32, 0, 0x20, 0); load(l, 0, 0x20) }, "stored read"},
		{"nobody reads which was last", func(l *listing) { store(l, tesla.B32, 0, 0x20, 0) }, ""},
		{"two values for one word", func(l *listing) {
			store(l, tesla.B32, 0, 0x20, 2)
			store(l, tesla.B32, 0, 0x20, 0).Guard.Cond = tesla.Cond(5)
		}, "stored stored"},
		{"bytes side by side", func(l *listing) { store(l, tesla.U8, 2, 0x20, 0) }, ""},
		{"bytes that are read as words", func(l *listing) { store(l, tesla.U8, 2, 0x20, 0); load(l, 1, 0x20) }, "stored read"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var l listing
			l.op(tesla.OpShlToAddr, oracleAddr(1), oracleReg(0), oracleImm(2))
			l.op(tesla.OpShlToAddr, oracleAddr(2), oracleReg(0), oracleImm(0))
			l.op(tesla.OpMov, oracleReg(2), oracleImm(1))
			odd := l.op(tesla.OpLogic, oracleReg(3), oracleReg(0), oracleReg(2))
			odd.Logic, odd.CDst = tesla.And, 0
			l.op(tesla.OpMov, oracleReg(2), oracleImm(7))
			l.op(tesla.OpMov, oracleReg(3), oracleImm(0))
			tt.write(&l)
			l.control(tesla.OpNop).Marker = tesla.MarkerExit
			m := machine{arch: tesla.SM13, words: l.words(t), shared: 0x20 + 4*33}.launch(t)
			m.InStep = simt.InStepOn
			s, err := simt.Run(m)
			require.NoError(t, err)
			if tt.want == "" {
				require.Nil(t, s.InStep)
				return
			}
			require.NotNil(t, s.InStep)
			did := map[bool]string{true: "stored", false: "read"}
			require.Equal(t, tt.want, did[s.InStep.First.Store]+" "+did[s.InStep.Then.Store], s.InStep.String())
		})
	}
}

// Global memory is looked at as shared memory is. A load may go to the register that holds
// its address.
func TestStepWatchGlobal(t *testing.T) {
	for _, c := range []struct {
		from  uint32 // bytes from the thread's own word to the one it reads
		named bool
	}{{0, false}, {4, true}} {
		space := mem.NewSpace(1 << 20)
		buffer, err := space.Alloc(33 * 4)
		require.NoError(t, err)
		var l listing
		l.op(tesla.OpShl, oracleReg(1), oracleReg(0), oracleImm(2))
		l.op(tesla.OpIAdd, oracleReg(1), tesla.Operand{Kind: tesla.Shared, Type: tesla.B32, Value: 0x10}, oracleReg(1))
		l.op(tesla.OpIAdd, oracleReg(2), oracleReg(1), oracleImm(int(c.from)))
		l.op(tesla.OpLdGlobal, oracleReg(2), oracleGlobal(2))
		l.op(tesla.OpStGlobal, tesla.Operand{}, oracleGlobal(1), oracleReg(0))
		l.control(tesla.OpNop).Marker = tesla.MarkerExit
		m := machine{arch: tesla.SM13, words: l.words(t), shared: 0x14, params: []uint32{buffer}, space: space}.launch(t)
		m.InStep = simt.InStepOn
		s, err := simt.Run(m)
		require.NoError(t, err)
		if !c.named {
			require.Nil(t, s.InStep)
			continue
		}
		require.NotNil(t, s.InStep)
		require.Equal(t, "g", s.InStep.Space)
		require.Equal(t, buffer+4, s.InStep.Addr)
		require.False(t, s.InStep.First.Store)
	}
}
