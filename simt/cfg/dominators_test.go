package cfg_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/simt/cfg"
)

// TestDominators removes each block in turn. The block dominates the blocks that become
// unreachable, and post-dominates the blocks that can no longer reach the exit.
func TestDominators(t *testing.T) {
	randoms(t, func(t *testing.T, f *cfg.Function) {
		for b := range f.Blocks {
			ends := reach(f, b, cfg.None)[cfg.Exit]
			for a := range f.Blocks {
				require.Equal(t, a == b || !reach(f, f.Start, a)[b], f.Dominates(a, b), "%d dominates %d", a, b)
				post := a == b || ends && !reach(f, b, a)[cfg.Exit]
				require.Equal(t, post, postDominates(f, a, b), "%d post-dominates %d", a, b)
			}
			require.Equal(t, ends, f.IPostDom[b] != cfg.None)
		}
		require.Equal(t, cfg.None, f.IDom[f.Start])
	})
}

// postDominates reports whether a is b or on the chain of immediate post-dominators from b.
func postDominates(f *cfg.Function, a, b int) bool {
	for ; b >= 0; b = f.IPostDom[b] {
		if a == b {
			return true
		}
	}
	return false
}

// TestImmediate checks that no other dominator is between a block and its immediate dominator.
func TestImmediate(t *testing.T) {
	randoms(t, func(t *testing.T, f *cfg.Function) {
		for b := range f.Blocks {
			for a := range f.Blocks {
				if a != b && f.Dominates(a, b) {
					require.True(t, f.Dominates(a, f.IDom[b]))
				}
				if a != b && postDominates(f, a, b) {
					require.NotEqual(t, cfg.Exit, f.IPostDom[b])
					require.True(t, postDominates(f, a, f.IPostDom[b]))
				}
			}
		}
	})
}
