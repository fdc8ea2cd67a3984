package schedule

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/simt/lane"
	"jacquard/simt/program"
	"jacquard/simt/watch"
	"jacquard/tesla"
)

// registers keeps the registers of a block before an issue.
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

func (o *registers) Block(b *watch.Block) watch.BlockObserver {
	s := &blockRegisters{registers: o}
	s.keep(b)
	return s
}

func (o *blockRegisters) keep(b *watch.Block) {
	o.regs = append(o.regs[:0], registersOf(b)...)
	for i := range addressesOf(b) {
		o.addrs[i] = append(o.addrs[i][:0], addressesOf(b)[i]...)
	}
	for i := range flagsOf(b) {
		o.flags[i] = append(o.flags[i][:0], flagsOf(b)[i]...)
	}
}

func (o *blockRegisters) End() {}

// changed asserts that only the registers in list changed, in lanes that executed.
func (o *blockRegisters) changed(is, was []lane.Row, i *watch.Issue, list []int) {
	var executed [lane.MaxWarps]lane.Mask
	for w := range i.Warps() {
		executed[w.Warp] = w.Executed
	}
	for k := range is {
		if is[k] == was[k] {
			continue
		}
		o.changes++
		r, w := k/len(i.Block.Lanes()), k%len(i.Block.Lanes())
		require.Contains(o.t, list, r, "%s changed register %d", i.Instruction, r)
		for l := range is[k] {
			if executed[w]>>l&1 == 0 {
				require.Equal(o.t, was[k][l], is[k][l], "%s changed an idle lane", i.Instruction)
			}
		}
	}
}

func (o *blockRegisters) Issue(i *watch.Issue) {
	b := i.Block
	at, ok := b.Program().Index(i.PC)
	require.True(o.t, ok)
	e := b.Program().Effects(at)
	o.changed(registersOf(b), o.regs, i, e.Registers)
	for a := range addressesOf(b) {
		if !slices.Contains(e.AddressRegisters, a) {
			require.Equal(o.t, append([]lane.Row{}, o.addrs[a]...), append([]lane.Row{}, addressesOf(b)[a]...), "%s changed $a%d", i.Instruction, a)
		}
	}
	for c := range flagsOf(b) {
		if !slices.Contains(e.Conditions, c) {
			require.Equal(o.t, o.flags[c], flagsOf(b)[c], "%s changed $c%d", i.Instruction, c)
		}
	}
	for w := range i.Warps() {
		if !w.Vetoed {
			require.Equal(o.t, e.Accesses, w.Addresses != nil)
		}
	}
	o.keep(b)
}

// Random kernels change exactly the registers in program.Effects.
func TestEffects(t *testing.T) {
	o := &registers{t: t}
	for seed := range uint64(40) {
		_, err := runObserved(t, randomKernel(t, seed), "", o)
		require.NoError(t, err)
	}
	require.Greater(t, o.changes, 1000)
}

// The data of an access is in as many registers as its type needs, without registers that the
// access overwrites.
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

// registersOf returns the general registers of a block, [register][warp].
func registersOf(b *watch.Block) (list []lane.Row) {
	for r := range b.Program().Kernel.Registers {
		for w := range b.Lanes() {
			list = append(list, b.Register(r, w))
		}
	}
	return list
}

func addressesOf(b *watch.Block) (list [8][]lane.Row) {
	for a := range list {
		if b.Program().Addresses>>a&1 == 0 {
			continue
		}
		for w := range b.Lanes() {
			list[a] = append(list[a], b.AddressRegister(uint8(a), w))
		}
	}
	return list
}

func flagsOf(b *watch.Block) (list [4][]lane.Flags) {
	for c := range list {
		for w := range b.Lanes() {
			list[c] = append(list[c], b.Condition(uint8(c), w))
		}
	}
	return list
}
