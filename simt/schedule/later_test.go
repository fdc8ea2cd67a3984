package schedule

import (
	"encoding/binary"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/simt/branch"
	"jacquard/simt/machine"
	"jacquard/simt/mem"
	"jacquard/simt/watch"
)

// latecomer begins to watch blocks after it has been asked a number of times, and leaves again.
type latecomer struct{ wait, stay, issues int }

func (o *latecomer) Block(*watch.Block) watch.BlockObserver {
	if o.wait--; o.wait >= 0 {
		return nil
	}
	o.wait = o.stay
	return o
}

func (o *latecomer) Leaves() bool {
	o.wait--
	return o.wait < 0
}

func (o *latecomer) Before(*watch.Issue, *machine.State) {}

func (o *latecomer) Issue(*watch.Issue) { o.issues++ }

func (o *latecomer) End() {}

// runLater is runRandom with an observer that comes later.
func runLater(t testing.TB, p *Program, policy string, turn uint64, o watch.Observer) outcome {
	space := mem.NewSpace(1 << 20)
	addr, err := space.Alloc(32)
	require.NoError(t, err)
	later := &watch.Later{}
	later.Set(o)
	l := &Launch{
		Program: p, Grid: [2]int{1, 1}, Block: [3]int{150, 1, 1}, Params: binary.LittleEndian.AppendUint32(nil, addr),
		Global: space, Policy: policy, Observer: later,
	}
	g, err := newGrid(l)
	require.NoError(t, err)
	g.turn, g.slice = turn, freeSlice
	fault := g.run()
	data, err := space.Bytes(addr, 32)
	require.NoError(t, err)
	return outcome{data, g.stats(), fault}
}

// A block that is watched now and then leaves the same memory, counts and faults.
func TestLater(t *testing.T) {
	for _, c := range branch.Policies() {
		policy := c.Name
		middle := 0
		for seed := range uint64(40) {
			for i, kernel := range []func(testing.TB, uint64) *Program{randomKernel, forkKernel} {
				p, turn := kernel(t, seed), []uint64{1, 2, 8, 20}[seed%4]
				plain := runRandom(t, p, policy, turn, nil)
				for _, wait := range []int{0, 1, 2, 5, 9} {
					o := &latecomer{wait: wait, stay: 1 + int(seed%3)}
					require.Equal(t, plain, runLater(t, p, policy, turn, o), "%s, seed %d, kernel %d, wait %d", policy, seed, i, wait)
					if wait > 0 && o.issues > 0 {
						middle++
					}
				}
			}
		}
		require.Greater(t, middle, 30, policy)
	}
}
