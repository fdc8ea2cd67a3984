package count

import (
	"jacquard/simt/lane"
	"jacquard/simt/program"
)

// forked counts how often lanes parted in a fork, by the number of lanes that took its branch and
// by the number of the others. The counts of the instructions on both sides follow from it.
type forked struct {
	took, stayed [lane.Width + 1]uint64
}

// Forks counts that the lanes all of warp w, which issued last, go through fork k, once for each
// mask of taken: the lanes that take the branch. These issue first, and the join in vain; the
// others follow. more is the number of places of other lanes that the policy does not know.
func (m *Meter) Forks(w uint8, k *program.Fork, all lane.Mask, taken []lane.Mask, more int) {
	m.partAndMeet(w, len(taken), uint64(len(taken)), more)
	first, second := uint64(k.Meet+1-k.Other), uint64(k.Other-(k.At+1))
	f := &m.forks[k.Number]
	for _, some := range taken {
		rest := all &^ some
		f.took[lanes(some)]++
		f.stayed[lanes(rest)]++
		m.countSome(first, some)
		m.countSome(second, rest)
	}
	m.Issued += uint64(len(taken)) * (first + second)
}

// expandForks counts, by instruction, the issues and outcomes of lanes that parted in forks.
func (c *Ledger) expandForks(p *program.Program) {
	for i, k := range p.Forks {
		f, branch, meet := &c.forks[i], &c.Each[k.At].Branch, &c.Each[k.Meet]
		for n := range f.took {
			if times := f.took[n]; times != 0 {
				c.IssueTimes(n, k.Other, k.Meet+1, int64(times))
				branch.Divergent += times
				branch.Threads += uint64(n) * times
				meet.vetoed += times
				meet.kept += uint64(n) * times
			}
			if times := f.stayed[n]; times != 0 {
				c.IssueTimes(n, k.At+1, k.Other, int64(times))
				if k.End() < k.Other {
					c.TakenBy(n)[k.End()] += times
				}
			}
		}
		*f = forked{}
	}
}

func (f *forked) add(o *forked) {
	addTo(f.took[:], o.took[:])
	addTo(f.stayed[:], o.stayed[:])
}
