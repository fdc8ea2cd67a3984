package schedule

import "slices"

// mostVain is how often, in a row, the first wave is looked at together with others that do not come
// to an end. Looks come at twice the time of the one before.
const mostVain = 8

// lookTogether looks at all waves that go on, round by round, because the first returned to a state.
// It may wait for a block of a later wave, say for a lock, and a board runs blocks that have begun to
// their end. All wait for each other if all return to a state at once, with all of global memory
// unchanged. The waves go on else.
func (s *stage) lookTogether() {
	first, last := s.waves[0], uint64(0) // when the first was last in its state
	waves, looks := s.goOn()
	begin := first.time
	for end := begin + begin/lookShare; first.time < end; {
		back, over := step(waves, looks)
		if over {
			break
		}
		if back[0] {
			last = first.time
		}
		if all(back) && looks[0].proves(first.time) {
			looks[0].fault(first.time)
			break
		}
	}
	first.vain++
	if last <= (begin+first.time)/2 {
		first.vain = 0
	}
	for _, w := range waves {
		w.watch.look, w.watch.waits = nil, false
		if w.pending == 0 {
			s.count(w)
		}
	}
}

// goOn returns the waves that go on, each with all blocks at its time, and looks at them.
func (s *stage) goOn() (waves []*wave, looks []*look) {
	for _, w := range s.waves {
		for _, b := range w.blocks {
			b.run(w.time)
		}
		if w.running() > 0 {
			waves = append(waves, w)
			looks = append(looks, newLook(w.blocks, w.time))
		}
	}
	return waves, looks
}

// step runs waves for a round. It returns which of them are in the state that their looks began with,
// and whether one is over.
func step(waves []*wave, looks []*look) (back []bool, over bool) {
	for _, w := range waves {
		w.time++
		for _, b := range w.blocks {
			b.run(w.time)
		}
		over = over || w.running() == 0
	}
	if over {
		return nil, true
	}
	for i, w := range waves {
		back = append(back, looks[i].returned(w.time))
	}
	return back, false
}

// all reports whether all of a list are true.
func all(list []bool) bool { return !slices.Contains(list, false) }
