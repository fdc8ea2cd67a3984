package simt

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/simt/lane"
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
	o.regs = append(o.regs[:0], b.regs...)
	for i := range b.addrs {
		o.addrs[i] = append(o.addrs[i][:0], b.addrs[i]...)
	}
	for i := range b.flags {
		o.flags[i] = append(o.flags[i][:0], b.flags[i]...)
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
		r, w := k/i.Block.warps, k%i.Block.warps
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
	at, ok := b.p.index(i.PC)
	require.True(o.t, ok)
	e := b.p.Effects(at)
	o.changed(b.regs, o.regs, i, e.Registers)
	for a := range b.addrs {
		if !slices.Contains(e.AddressRegisters, a) {
			require.Equal(o.t, append([]lane.Row{}, o.addrs[a]...), append([]lane.Row{}, b.addrs[a]...), "%s changed $a%d", i.Instruction, a)
		}
	}
	for c := range b.flags {
		if !slices.Contains(e.Conditions, c) {
			require.Equal(o.t, o.flags[c], b.flags[c], "%s changed $c%d", i.Instruction, c)
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
