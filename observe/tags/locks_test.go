package tags_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/asm"
	"jacquard/decoder"
	"jacquard/simt"
	"jacquard/simt/mem"
	"jacquard/tesla"
)

// Only one of the lanes that want a lock gets it, so the flags of the load are not uniform.
func TestLock(t *testing.T) {
	b := asm.Builder{Arch: tesla.SM13}
	lock := asm.Plain(tesla.OpLdShared)
	lock.Type, lock.Mods, lock.CDst = tesla.B32, tesla.Lock, tesla.C0
	lock.Dst, lock.Src[0] = asm.Reg(1), tesla.Operand{Kind: tesla.Shared, Type: tesla.B32, Value: 0x20}
	b.Add(lock)
	b.Add(asm.FromCond(2, 0))
	b.Exit()
	words, err := b.Code()
	require.NoError(t, err)
	p, err := simt.Lower(simt.Kernel{Name: "k", Arch: b.Arch, Registers: 4, Shared: 64, Code: decoder.Kernel(b.Arch, words)})
	require.NoError(t, err)
	l := &simt.Launch{Program: p, Grid: [2]int{1, 1}, Block: [3]int{32, 1, 1}, Global: mem.NewSpace(1 << 22)}
	c := newChecker(l)
	l.Observer = c
	_, err = simt.Run(l)
	require.NoError(t, err)
	require.NoError(t, c.wrong)
	require.Equal(t, simt.Operands{Writes: 1, WritesUniform: 1}, c.counts[0])
	require.Equal(t, simt.Operands{Writes: 1}, c.counts[1])
}
