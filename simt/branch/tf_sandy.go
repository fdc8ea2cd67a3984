package branch

import (
	"slices"

	"jacquard/simt/cfg"
)

// tfSandy walks as Intel's Sandy Bridge does, by thread frontiers: G. Diamos and others, "SIMD
// re-convergence at thread frontiers" (2011). The walk cannot see where lanes wait. A branch knows
// whether any of its lanes fall through or are taken, and it carries the least address at which
// other lanes can wait while it runs. The walk goes to the least of these addresses, with an empty
// issue if no lane is there.
type tfSandy struct {
	ascending
	joins joins
}

func prepareTFSandy(k *Kernel, _ []string) (func() Flow, error) {
	if err := refuseCalls(k, noReturnAddress); err != nil {
		return nil, err
	}
	g := k.Graph()
	if err := refuseUnknown(g, "its branches carry where other lanes can wait"); err != nil {
		return nil, err
	}
	guide := tfSandy{ascending{codeEnd(g)}, newJoins(g)}
	for _, f := range g.Functions { // one function, without calls
		for i, pc := range earliest(f) {
			guide.joins.set(&f.Blocks[i], pc)
		}
	}
	return newWalks(k, walk{guide: guide}), nil
}

// earliest returns for each block the least address at which lanes can wait when the walk leaves
// the block, or NoStop. If the walk came to the block without lanes, lanes wait where they could
// when it was sent there.
func earliest(f *cfg.Function) []uint32 {
	address := make([]int, len(f.Blocks))
	for i := range address {
		address[i] = i
	}
	wait := f.Frontiers(address)
	empty := make([]bool, len(f.Blocks))
	least := make([]uint32, len(f.Blocks))
	send := func(to int, lanes []int) {
		empty[to] = true
		wait[to] = append(wait[to], lanes...)
	}
	for i := range f.Blocks { // the walk is sent ahead only
		b := &f.Blocks[i]
		slices.Sort(wait[i])
		wait[i] = slices.Compact(wait[i])
		if n := len(wait[i]); n > 0 && wait[i][0] == i {
			wait[i] = wait[i][1:]
		}
		if len(wait[i]) == 0 {
			least[i] = NoStop
			continue
		}
		to := wait[i][0]
		least[i] = f.Blocks[to].Start
		past := slices.DeleteFunc(f.Targets(i), func(t int) bool { return t <= to })
		switch {
		case len(b.Succ) == 1 && b.Succ[0].Kind == cfg.FallThrough:
			if empty[i] {
				send(b.Succ[0].To, wait[i])
			}
		case empty[i] || len(past) > 0 || f.Leaves(i):
			send(to, append(past, wait[i]...))
		}
	}
	return least
}

func (s tfSandy) turn(w *walk, t turn) uint32 {
	to := min(w.leastOf(t.moved&w.ready()), s.joins.before(t.next))
	// Only after a barrier can lanes be where the table does not expect them.
	return min(to, w.least())
}
