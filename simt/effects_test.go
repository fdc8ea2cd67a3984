package simt

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/simt/lane"
	"jacquard/simt/program"
	"jacquard/tesla"
)

// registers remembers what the registers of a block held before an issue.
type registers struct {
	t       *testing.T
	changes int
}

type blockRegisters struct {
	*registers
	regs  []lane.Row
	addrs [8][]lane.Row
	flags [4][]lane.Flags
}

func (o *registers) Block(b *Block) BlockObserver {
	s := &blockRegisters{registers: o}
	s.keep(b)
	return s
}

func (o *blockRegisters) keep(b *Block) {
	o.regs = append(o.regs[:0], b.c.st.Regs...)
	for i := range b.c.st.Addrs {
		o.addrs[i] = append(o.addrs[i][:0], b.c.st.Addrs[i]...)
	}
	for i := range b.c.st.Flags {
		o.flags[i] = append(o.flags[i][:0], b.c.st.Flags[i]...)
	}
}

func (o *blockRegisters) End() {}

// changed asserts that nothing changed but registers in list, and those in lanes that executed.
func (o *blockRegisters) changed(is, was []lane.Row, i *Issue, list []int) {
	var executed [lane.MaxWarps]lane.Mask
	for w := range i.Warps() {
		executed[w.Warp] = w.Executed
	}
	for k := range is {
		if is[k] == was[k] {
			continue
		}
		o.changes++
		r, w := k/i.Block.own.Warps, k%i.Block.own.Warps
		require.Contains(o.t, list, r, "%s changed register %d", i.Instruction, r)
		for l := range is[k] {
			if executed[w]>>l&1 == 0 {
				require.Equal(o.t, was[k][l], is[k][l], "%s changed an idle lane", i.Instruction)
			}
		}
	}
}

func (o *blockRegisters) Issue(i *Issue) {
	b := i.Block
	at, ok := b.c.p.Index(i.PC)
	require.True(o.t, ok)
	e := b.c.p.Effects(at)
	o.changed(b.c.st.Regs, o.regs, i, e.Registers)
	for a := range b.c.st.Addrs {
		if !slices.Contains(e.AddressRegisters, a) {
			require.Equal(o.t, append([]lane.Row{}, o.addrs[a]...), append([]lane.Row{}, b.c.st.Addrs[a]...), "%s changed $a%d", i.Instruction, a)
		}
	}
	for c := range b.c.st.Flags {
		if !slices.Contains(e.Conditions, c) {
			require.Equal(o.t, o.flags[c], b.c.st.Flags[c], "%s changed $c%d", i.Instruction, c)
		}
	}
	for w := range i.Warps() {
		if !w.Vetoed {
			require.Equal(o.t, e.Accesses, w.Addresses != nil)
		}
	}
	o.keep(b)
}

// What random kernels do to registers is what Effects says.
func TestEffects(t *testing.T) {
	o := &registers{t: t}
	for seed := range uint64(40) {
		_, err := runObserved(t, randomKernel(t, seed), "", o)
		require.NoError(t, err)
	}
	require.Greater(t, o.changes, 1000)
}

// What goes to memory is in as many registers as its type is wide, without those that the access overwrites.
func TestDataOfStores(t *testing.T) {
	global := tesla.Operand{Kind: tesla.Global, Index: program.WindowGlobal, Value: 3}
	quad := tesla.Operand{Kind: tesla.Quadruple, Index: 4}
	pair := tesla.Operand{Kind: tesla.Pair, Index: 6}
	for _, c := range []struct {
		in   tesla.Instruction
		want []int
	}{
		{tesla.Instruction{Op: tesla.OpStGlobal, Type: tesla.B32, Src: [3]tesla.Operand{global, reg(5)}}, []int{5}},
		{tesla.Instruction{Op: tesla.OpStGlobal, Type: tesla.B64, Src: [3]tesla.Operand{global, pair}}, []int{6, 7}},
		{tesla.Instruction{Op: tesla.OpStGlobal, Type: tesla.B128, Src: [3]tesla.Operand{global, quad}}, []int{4, 5, 6, 7}},
		{tesla.Instruction{Op: tesla.OpLdGlobal, Type: tesla.B32, Dst: reg(4), Src: [3]tesla.Operand{global}}, nil},
		{tesla.Instruction{Op: tesla.OpAtom, Type: tesla.U32, Atom: tesla.AtomAdd, Dst: reg(4), Src: [3]tesla.Operand{global, reg(5)}}, []int{5}},
		{tesla.Instruction{Op: tesla.OpAtom, Type: tesla.U32, Atom: tesla.AtomAdd, Dst: reg(5), Src: [3]tesla.Operand{global, reg(5)}}, nil},
	} {
		w := &forkWriter{kernelWriter{t: t}}
		w.emit(c.in)
		p := w.program()
		require.Equal(t, c.want, p.Effects(0).Data, p.Kernel.Code[0].String())
	}
}
