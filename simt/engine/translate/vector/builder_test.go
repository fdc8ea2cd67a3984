package vector

import (
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/fpu"
	"jacquard/simt/engine/translate/x86"
)

// Emission allocates only for out-of-line code, once the assembler and the pool are warm.
func TestNoAllocation(t *testing.T) {
	for _, l := range []Level{AVX2, AVX512} {
		a := x86.New(l == AVX512)
		b := New(a, l)
		x, y := b.Vec(), b.Vec()
		emit := func() {
			b.Free(b.Add(x, y), b.Mul24HiS(x, y), b.AbsDiffU(x, y), b.And(x, b.Literal(7)))
			b.FreeMask(b.FCompare(x, b.Literal(0), 3), b.CompareU(x, y, 5))
			b.SumFlags(SumSub, 32, false, x, y, 0, 0)
		}
		for range 1000 {
			emit()
		}
		require.Zero(t, testing.AllocsPerRun(100, emit), l)
	}
}

func TestMistakes(t *testing.T) {
	b := New(x86.New(false), AVX2)
	v := b.Vec()
	require.Panics(t, func() { New(x86.New(false), AVX512) })
	require.Panics(t, func() { b.Take(v) })
	b.Free(v)
	require.Panics(t, func() { b.Free(v) })
	require.Panics(t, func() { b.FreeMask(Mask(v)) })
	require.Panics(t, func() { b.Spare(17) })
	require.Panics(t, func() { b.Mode(0) })
	require.Panics(t, func() { b.scratch(0) })
	require.Panics(t, func() { signedHalves(1<<15, 0) })
	for range 16 {
		b.Vec()
	}
	require.Panics(t, func() { b.Vec() })
	require.Panics(t, func() { b.Cold(x86.E, 1, func() {}) })
	b.Reset()
	require.Equal(t, 16, b.FreeVecs())
}

// The mode is written only where it changes.
func TestMode(t *testing.T) {
	a := x86.New(false)
	b := New(a, AVX2)
	b.Assume(ModeFloat)
	b.Mode(ModeFloat)
	require.Zero(t, a.Pos())
	b.Mode(ModeFloat.Rounded(fpu.RZ))
	once := a.Pos()
	require.NotZero(t, once)
	b.Mode(ModeFloat.Rounded(fpu.RZ))
	require.Equal(t, once, a.Pos())
	require.Equal(t, Mode(0xffc0), b.CurrentMode())
}
