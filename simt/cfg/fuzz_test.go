package cfg_test

import (
	"encoding/binary"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/decoder"
	"jacquard/simt/cfg"
	"jacquard/tesla"
)

// FuzzNew analyses any words as code. Every analysis must end, and the analyses must agree.
func FuzzNew(f *testing.F) {
	for _, name := range kernelNames(f) {
		var data []byte
		for _, w := range kernelCode(f, name).Code {
			data = binary.LittleEndian.AppendUint32(data, w)
		}
		f.Add(data[:min(len(data), 600)])
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		code := make([]uint32, min(len(data)/4, 400))
		for i := range code {
			code[i] = binary.LittleEndian.Uint32(data[4*i:])
		}
		g, err := cfg.New(decoder.Kernel(tesla.SM13, code))
		if len(code) == 0 {
			require.ErrorIs(t, err, cfg.ErrNoCode)
			return
		}
		require.NoError(t, err)
		for _, f := range g.Functions {
			requireSound(t, f)
		}
	})
}

// requireSound checks the invariants of every function.
func requireSound(t *testing.T, f *cfg.Function) {
	require.Len(t, f.Order, len(f.Blocks))
	require.Equal(t, f.Entry, f.Blocks[f.Start].Start)
	for b := range f.Blocks {
		require.True(t, f.Dominates(f.Start, b))
		require.NotEmpty(t, f.Blocks[b].Succ)
		for _, to := range f.Targets(b) {
			require.Contains(t, f.Blocks[to].Pred, b)
			require.True(t, f.Position[b] < f.Position[to] || f.Inner[to] != cfg.None, "only a loop goes back")
		}
	}
	for b, waiting := range f.Frontiers(f.Position) {
		for _, w := range waiting {
			require.Greater(t, f.Position[w], f.Position[b])
		}
	}
	if tree, err := f.Structure(); err == nil {
		require.True(t, f.Reducible() && resolved(f))
		requireTree(t, f, tree)
	}
}

// resolved reports whether all edges of the function are known.
func resolved(f *cfg.Function) bool {
	return !slices.ContainsFunc(f.Blocks, func(b cfg.Block) bool {
		return slices.ContainsFunc(b.Succ, func(e cfg.Edge) bool { return e.Kind == cfg.Unresolved })
	})
}
