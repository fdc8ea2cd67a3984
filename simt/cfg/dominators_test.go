package cfg_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/simt/cfg"
)

// TestDominators takes each block out in turn: it dominates what can then no longer be
// reached, and post-dominates what then can no longer reach the exit.
func TestDominators(t *testing.T) {
	randoms(t, func(t *testing.T, f *cfg.Function) {
		for b := range f.Blocks {
			ends := reach(f, b, cfg.None)[cfg.Exit]
			for a := range f.Blocks {
				require.Equal(t, a == b || !reach(f, f.Start, a)[b], f.Dominates(a, b), "%d dominates %d", a, b)
				post := a == b || ends && !reach(f, b, a)[cfg.Exit]
				require.Equal(t, post, f.PostDominates(a, b), "%d post-dominates %d", a, b)
			}
			require.Equal(t, ends, f.IPostDom[b] != cfg.None)
		}
		require.Equal(t, cfg.None, f.IDom[f.Start])
	})
}

// TestImmediate checks that no other dominator stands between a block and its immediate one.
func TestImmediate(t *testing.T) {
	randoms(t, func(t *testing.T, f *cfg.Function) {
		for b := range f.Blocks {
			for a := range f.Blocks {
				if a != b && f.Dominates(a, b) {
					require.True(t, f.Dominates(a, f.IDom[b]))
				}
				if a != b && f.PostDominates(a, b) {
					require.NotEqual(t, cfg.Exit, f.IPostDom[b])
					require.True(t, f.PostDominates(a, f.IPostDom[b]))
				}
			}
		}
	})
}
