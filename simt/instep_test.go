package simt_test

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/decoder"
	"jacquard/simt"
	"jacquard/simt/branch"
	"jacquard/simt/check"
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

const unrolledRow = 256 // bytes of shared memory per warp: 32 words, then 32 zeros

// unrolled adds the numbers of each warp as the unrolled end of reductions used to do it: with no
// barrier between the steps, because the lanes of a warp run in lockstep. Before, its lanes part
// and meet. With barriers it does the same for any schedule.
func unrolled(t testing.TB, barriers bool, p parting) []uint32 {
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
	l.logic(tesla.And, 1, 0, 1)
	l.op(tesla.OpIAdd, oracleReg(1), oracleReg(1), oracleReg(0))
	l.op(tesla.OpShlToAddr, oracleAddr(1), oracleReg(1), oracleImm(2))
	finish := p(&l)
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
	finish()
	return l.words(t)
}

// parting writes divergent code as a compiler would. It leaves a number in $r2. The function that it
// returns completes the code after the end.
type parting func(l *listing) (finish func())

const isZero, isOther, isNone = tesla.CondE, tesla.CondLG, tesla.CondLE

// odd sets $c0 to whether the thread is.
func (l *listing) odd() {
	l.op(tesla.OpMov, oracleReg(2), oracleImm(1))
	l.logic(tesla.And, 2, 0, 2).CDst = tesla.C0
}

func (l *listing) logic(op tesla.Logic, d, a, b int) *tesla.Instruction {
	in := l.op(tesla.OpLogic, oracleReg(d), oracleReg(a), oracleReg(b))
	in.Logic = op
	return in
}

func (l *listing) jump(op tesla.Op, cond tesla.Cond) (at int) {
	l.control(op).Guard.Cond = cond
	return len(*l) - 1
}

// aim lets instructions lead to the next one.
func (l *listing) aim(at ...int) {
	for _, i := range at {
		(*l)[i].Target = uint32(8 * len(*l))
	}
}

func ifElse(l *listing) func() {
	l.odd()
	join := l.jump(tesla.OpJoinAt, tesla.CondAlways)
	even := l.jump(tesla.OpBra, isZero)
	l.op(tesla.OpIAdd, oracleReg(2), oracleReg(0), oracleImm(100))
	skip := l.jump(tesla.OpBra, tesla.CondAlways)
	l.aim(even)
	l.op(tesla.OpMov, oracleReg(2), oracleReg(0))
	l.aim(join, skip)
	l.control(tesla.OpNop).Marker = tesla.MarkerJoin
	return func() {}
}

// rounds is a loop that every thread goes through another number of times.
func rounds(l *listing) func() {
	l.op(tesla.OpMov, oracleReg(2), oracleImm(7))
	l.logic(tesla.And, 3, 0, 2)
	l.op(tesla.OpMov, oracleReg(2), oracleReg(0))
	l.op(tesla.OpMov, oracleReg(4), oracleImm(-1))
	out := l.jump(tesla.OpBreakAddr, tesla.CondAlways)
	head := len(*l)
	l.op(tesla.OpIAdd, oracleReg(2), oracleReg(2), oracleReg(3))
	l.op(tesla.OpIAdd, oracleReg(3), oracleReg(3), oracleReg(4)).CDst = tesla.C0
	l.jump(tesla.OpBreak, isNone)
	back := l.jump(tesla.OpBra, tesla.CondAlways)
	(*l)[back].Target = uint32(8 * head)
	l.aim(out)
	return func() {}
}

// breakInIf is a loop that odd threads leave early, out of an if.
func breakInIf(l *listing) func() {
	l.op(tesla.OpMov, oracleReg(2), oracleImm(7))
	l.logic(tesla.And, 3, 0, 2)
	l.op(tesla.OpMov, oracleReg(2), oracleReg(0))
	l.op(tesla.OpMov, oracleReg(5), oracleImm(1))
	out := l.jump(tesla.OpBreakAddr, tesla.CondAlways)
	head := len(*l)
	l.op(tesla.OpIAdd, oracleReg(2), oracleReg(2), oracleReg(3))
	join := l.jump(tesla.OpJoinAt, tesla.CondAlways)
	l.logic(tesla.And, 4, 0, 5).CDst = tesla.C0
	even := l.jump(tesla.OpBra, isZero)
	l.op(tesla.OpMov, oracleReg(4), oracleImm(-4))
	l.op(tesla.OpIAdd, oracleReg(4), oracleReg(3), oracleReg(4)).CDst = tesla.C0
	l.jump(tesla.OpBreak, isNone)
	l.op(tesla.OpIAdd, oracleReg(2), oracleReg(2), oracleImm(1))
	l.aim(join, even)
	l.control(tesla.OpNop).Marker = tesla.MarkerJoin
	l.op(tesla.OpMov, oracleReg(4), oracleImm(-1))
	l.op(tesla.OpIAdd, oracleReg(3), oracleReg(3), oracleReg(4)).CDst = tesla.C0
	l.jump(tesla.OpBreak, isNone)
	back := l.jump(tesla.OpBra, tesla.CondAlways)
	(*l)[back].Target = uint32(8 * head)
	l.aim(out)
	return func() {}
}

// callInIf calls a function at the end of the code, for odd threads.
func callInIf(l *listing) func() {
	l.odd()
	l.op(tesla.OpMov, oracleReg(2), oracleReg(0))
	join := l.jump(tesla.OpJoinAt, tesla.CondAlways)
	even := l.jump(tesla.OpBra, isZero)
	call := l.jump(tesla.OpCall, tesla.CondAlways)
	l.aim(join, even)
	l.control(tesla.OpNop).Marker = tesla.MarkerJoin
	return func() {
		l.aim(call)
		l.op(tesla.OpIAdd, oracleReg(2), oracleReg(2), oracleImm(100))
		l.control(tesla.OpRet)
	}
}

// sums runs such a kernel with two warps and returns its sums.
func sums(t *testing.T, code []uint32, policy string, look simt.InStep) ([2]uint32, *simt.Stats, error) {
	t.Helper()
	space := mem.NewSpace(1 << 20)
	out, err := space.Alloc(64 * 4)
	require.NoError(t, err)
	l := machine{arch: tesla.SM13, words: code, registers: 6, shared: 0x20 + 2*unrolledRow, params: []uint32{out}, space: space, block: [3]int{64, 1, 1}}.launch(t)
	l.Policy, l.InStep = policy, look
	s, err := simt.Run(l)
	got := words(t, space, out, 64)
	return [2]uint32{got[0], got[32]}, s, err
}

// A kernel that relies on lanes running in lockstep is named under every policy that does not run
// them so; under the others its sums are right.
func TestDependenceOnStep(t *testing.T) {
	shapes := map[string]parting{"if": ifElse, "loop": rounds, "break in an if": breakInIf, "call": callInIf}
	wrong := map[string]bool{}
	for _, policy := range allPolicies(t) {
		for name, shape := range shapes {
			t.Run(policy.Name+" "+name, func(t *testing.T) {
				want, _, err := sums(t, unrolled(t, true, shape), "nvidia", simt.InStepOff)
				require.NoError(t, err)
				careless, careful := unrolled(t, false, shape), unrolled(t, true, shape)
				got, s, err := sums(t, careful, policy.Name, simt.InStepOn)
				if errors.As(err, new(*simt.RefusedError)) {
					return
				}
				require.NoError(t, err)
				require.Equal(t, want, got)
				require.Nil(t, s.InStep)

				got, s, err = sums(t, careless, policy.Name, simt.InStepAuto)
				require.NoError(t, err)
				require.Equal(t, policy.Loose, s.InStep != nil)
				if got != want {
					require.True(t, policy.Loose, "a wrong sum without a word")
					wrong[policy.Name] = true
				}
				_, s, err = sums(t, careless, policy.Name, simt.InStepOn)
				require.NoError(t, err)
				require.NotNil(t, s.InStep)
				_, s, err = sums(t, careless, policy.Name, simt.InStepOff)
				require.NoError(t, err)
				require.Nil(t, s.InStep)
			})
		}
	}
	for _, name := range []string{"mimd", "dwf", "bfs", "stackless:key=pc"} {
		require.True(t, wrong[name], "under %s the kernel does not depend on anything", name)
	}
}

// allPolicies returns every policy with every value of its options, under the name that users type.
func allPolicies(t *testing.T) (list []branch.Choice) {
	for _, s := range branch.Policies() {
		list = append(list, s)
		for _, o := range s.Options {
			for _, v := range o.Values[1:] {
				name := s.Name + ":" + o.Key + "=" + v
				other, err := branch.Find(name)
				require.NoError(t, err)
				other.Name = name
				list = append(list, other)
			}
		}
	}
	return list
}

// The report names the first dependence in the code, under a policy in lockstep.
func TestDependenceText(t *testing.T) {
	_, s, err := sums(t, unrolled(t, false, ifElse), "nvidia", simt.InStepOn)
	require.NoError(t, err)
	require.Equal(t, &simt.Dependence{
		Kernel: "k", Warp: 0, Space: "s", Addr: 0x60,
		First: check.Access{PC: 0x60, Text: "st b32 s[$a1+0x20] $r2", Lanes: 1 << 16, Store: true},
		Then:  check.Access{PC: 0x68, Text: "add b32 $r2 b32 s[$a1+0x60] $r2", Lanes: lane.All >> 16},
	}, s.InStep)
	require.Equal(t, "kernel k relies on the lanes of a warp running in step: in block (0,0), warp 0, s[0x60] is stored by lanes 00010000 at pc 0x60 (st b32 s[$a1+0x20] $r2) and then read by lanes 0000ffff at pc 0x68 (add b32 $r2 b32 s[$a1+0x60] $r2), with no barrier between",
		s.InStep.String())
	_, s, err = sums(t, unrolled(t, false, ifElse), "dwf:sched=dpc", simt.InStepAuto)
	require.NoError(t, err)
	require.Contains(t, s.InStep.String(), "running in step, which divergence policy dwf:sched=dpc does not promise: in block")
}

// Each case is accesses of a warp to shared memory after its parameters. $a1 is four times the lane,
// $r0 the lane, $r2 is 7; $c0 holds for odd lanes as "different".
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
			store(l, tesla.B32, 0, 0x20, 0).Guard.Cond = tesla.CondLG
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
			odd.Logic, odd.CDst = tesla.And, tesla.C0
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
