package branch

import (
	"errors"
	"slices"

	"jacquard/simt/cfg"
)

// sandybridge walks through structured code as the graphics processor of Intel's Sandy Bridge does
// (its sixth generation): a pc per lane, and instructions for if, else, while, break and continue
// that move the pcs. Lanes that take a forward branch wait at its target. Lanes that continue or go
// back wait for the loop's last instruction, which takes all of them back together. The walk goes
// straight on while it has lanes. A control instruction that leaves it none sends it to the next pc
// where lanes of the ifs and loops around can wait, whether there are any or not.
type sandybridge struct {
	ascending
	joins joins
	loops map[uint32][]uint32 // by the address after a loop: headers, inner loops first
}

func prepareSandybridge(k *Kernel, _ []string) (func() Flow, error) {
	if err := refuseCalls(k, noReturnAddress); err != nil {
		return nil, err
	}
	g := k.Graph()
	if err := refuseUnknown(g, "it wants structured code"); err != nil {
		return nil, err
	}
	guide := sandybridge{ascending{codeEnd(g)}, newJoins(g), map[uint32][]uint32{}}
	for _, f := range g.Functions { // one function, without calls
		loops, err := whiles(f)
		if err != nil {
			return nil, err
		}
		for _, l := range slices.Backward(loops) {
			behind := f.Blocks[l.last].End
			guide.loops[behind] = append(guide.loops[behind], f.Blocks[l.header].Start)
		}
		for i := range f.Blocks {
			guide.joins.set(&f.Blocks[i], nextJoin(f, loops, i))
		}
	}
	return newWalks(k, walk{guide: guide}), nil
}

// while is a loop of blocks laid out from its header to the block that leads back.
type while struct {
	header, last int
	parks        bool // blocks before the last lead to the next round too
}

// around reports whether block i is in the loop or laid out between its blocks.
func (l *while) around(i int) bool { return l.header <= i && i <= l.last }

// whiles returns the loops of f, outer before inner, or the reason why f cannot be written with if,
// else, while, break and continue.
func whiles(f *cfg.Function) ([]while, error) {
	var unstructured *cfg.UnstructuredError
	if _, err := f.Structure(); errors.As(err, &unstructured) {
		return nil, &RefusedError{PC: unstructured.PC,
			Reason: "it wants structured code, and " + unstructured.Reason}
	}
	var loops []while
	for n := range f.Loops {
		l := while{header: f.Loops[n].Header, last: slices.Max(f.Body(n))}
		last := &f.Blocks[l.last]
		if !slices.Contains(f.Targets(l.last), l.header) {
			return nil, &RefusedError{PC: last.Tail,
				Reason: "it wants loops laid out from their first instruction to the one that leads back, " +
					"and this one, the last, does not"}
		}
		for _, from := range f.Blocks[l.header].Pred {
			l.parks = l.parks || from != l.last && l.around(from)
		}
		loops = append(loops, l)
	}
	for i := range f.Blocks {
		for _, to := range f.Targets(i) {
			starts := func(l while) bool { return l.header == to && l.around(i) }
			if to <= i && !slices.ContainsFunc(loops, starts) {
				return nil, &RefusedError{PC: f.Blocks[i].Tail,
					Reason: "it goes back in the code, but not to the start of a loop"}
			}
		}
	}
	return loops, nil
}

// nextJoin returns the least address after block i at which lanes can wait while the walk is in the
// block, or NoStop. Such lanes came by a branch of an earlier block, or by a branch out of a loop
// around the block in an earlier round, or wait for the next round.
func nextJoin(f *cfg.Function, loops []while, i int) uint32 {
	least := NoStop
	for from := range f.Blocks {
		for _, to := range f.Targets(from) {
			if to > i && (from < i || slices.ContainsFunc(loops, func(l while) bool {
				return l.around(from) && l.around(i) && to > l.last
			})) {
				least = min(least, f.Blocks[to].Start)
			}
		}
	}
	for _, l := range loops {
		if l.parks && l.around(i) && i != l.last {
			least = min(least, f.Blocks[l.last].Tail)
		}
	}
	return least
}

func (s sandybridge) turn(w *walk, t turn) uint32 {
	for _, header := range s.loops[t.next] {
		for m := w.ready(); m != 0; m &= m - 1 {
			if w.pc[first(m)] == header {
				return header
			}
		}
	}
	to, ahead := s.joins.before(t.next), NoStop
	for m := w.ready(); m != 0; m &= m - 1 {
		l := first(m)
		pc := w.pc[l]
		if pc < t.next {
			continue // lanes wait for the end of its loop
		}
		ahead = min(ahead, pc)
		if t.moved>>l&1 != 0 {
			to = min(to, pc)
		}
	}
	// Only after a barrier can lanes be where the table does not expect them.
	if to = min(to, ahead); to == NoStop {
		return w.least()
	}
	return to
}
