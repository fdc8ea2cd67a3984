package trace

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/observe/trace/codec"
)

// Parts come out by wave, epoch, block and time, for any order of the workers.
func TestOrder(t *testing.T) {
	const blocks, resident = 11, 4 // three waves
	ends := [blocks]uint64{3, 1, 2, 3, 0, 5, 1, 1, 2, 2, 0}
	var want []string
	for first := 0; first < blocks; first += resident {
		for epoch := range uint64(6) {
			for b := first; b < min(first+resident, blocks); b++ {
				if epoch <= ends[b] && b != 6 {
					want = append(want, fmt.Sprint(b, " ", epoch, " 0"), fmt.Sprint(b, " ", epoch, " 1"))
				}
			}
		}
	}
	for seed := range uint64(50) {
		r := rand.New(rand.NewPCG(seed, 0))
		recorder, err := NewRecorder(&bytes.Buffer{}, Options{Filter: Filter{Blocks: []Range{{0, 5}, {7, 99}}}}, nil)
		require.NoError(t, err)
		o := order{recorder: recorder, total: blocks, blocks: map[int]*blockQueue{}}
		var running []*blockQueue
		epochs := map[int]uint64{}
		for begun := 0; begun < blocks || len(running) > 0; {
			if i := r.IntN(len(running) + 1); i < len(running) {
				p := running[i]
				epoch := epochs[p.block]
				for n := range uint64(2) {
					o.add(p, epoch, codec.Part{PartHeader: codec.PartHeader{Block: uint32(p.block), First: epoch<<16 + n, Count: 1}})
				}
				epochs[p.block]++
				if epoch == ends[p.block] {
					o.end(p)
					running = append(running[:i], running[i+1:]...)
				} else {
					o.reached(p, epoch+1)
				}
				continue
			}
			if begun < blocks {
				if begun != 6 {
					running = append(running, o.begin(begun, resident))
				}
				begun++
			}
		}
		var got []string
		for _, p := range o.frame.parts {
			got = append(got, fmt.Sprint(p.Block, " ", p.First>>16, " ", p.First&1))
		}
		require.Equal(t, want, got, "seed %d", seed)
		require.Empty(t, o.blocks)
	}
}
