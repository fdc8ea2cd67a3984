package cfg_test

import (
	"math/bits"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/simt/cfg"
)

// exploreFrontiers runs any number of lanes in all possible ways. A state is the set of blocks with
// lanes; the lanes at the lowest position go on, each to any successor.
func exploreFrontiers(f *cfg.Function, position []int) [][]int {
	waits := make([]uint, len(f.Blocks))
	seen := map[uint]bool{}
	todo := []uint{1 << f.Start}
	for len(todo) > 0 {
		state := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if state == 0 || seen[state] {
			continue
		}
		seen[state] = true
		run := cfg.None
		for b := range f.Blocks {
			if state>>b&1 != 0 && (run == cfg.None || position[b] < position[run]) {
				run = b
			}
		}
		rest := state &^ (1 << run)
		waits[run] |= rest
		to := f.Targets(run)
		for choice := range uint(1) << len(to) {
			if choice == 0 && !f.Leaves(run) {
				continue
			}
			next := rest
			for i, b := range to {
				if choice>>i&1 != 0 {
					next |= 1 << b
				}
			}
			todo = append(todo, next)
		}
	}
	out := make([][]int, len(f.Blocks))
	for b, w := range waits {
		for ; w != 0; w &= w - 1 {
			out[b] = append(out[b], bits.TrailingZeros(w))
		}
	}
	return out
}

func TestFrontiers(t *testing.T) {
	randoms(t, func(t *testing.T, f *cfg.Function) {
		require.Equal(t, exploreFrontiers(f, f.Position), f.Frontiers(f.Position))
		address := make([]int, len(f.Blocks))
		for b := range address {
			address[b] = b
		}
		require.Equal(t, exploreFrontiers(f, address), f.Frontiers(address))
	})
}
