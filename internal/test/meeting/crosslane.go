package meeting

import "math/bits"

// meet waits for the other threads at an operation between lanes, and takes its result.
func (f *frame) meet(s *Stmt) way {
	r := &request{at: s, old: f.v[s.Var], path: f.where()}
	if s.Value != nil {
		r.value = f.value(s.Value)
	}
	if s.Cond != nil {
		r.truth = f.truth(s.Cond)
	}
	if !f.t.yield(r) {
		return way{kind: ended}
	}
	if s.Kind == Barrier {
		return way{}
	}
	f.v[s.Var] = f.t.answer
	if s.Log {
		f.store(logSlot+s.ID%(finalSlot-logSlot), f.t.answer)
	}
	return way{}
}

// run runs all threads until they end: warps meet alone, or all of them together.
func (b *block) run() error {
	for {
		live := 0
		for _, t := range b.threads {
			if t.wait == nil && !t.ended {
				r, ok := t.next()
				t.wait, t.ended = r, !ok
				if t.err != nil {
					return t.err
				}
			}
			if !t.ended {
				live++
			}
		}
		if live == 0 {
			return nil
		}
		if err := b.advance(); err != nil {
			return err
		}
	}
}

// advance answers the warps that wait for themselves or, if there are none, the block.
func (b *block) advance() error {
	advanced := false
	for at := 0; at < len(b.threads); at += 32 {
		lanes := b.threads[at:min(at+32, len(b.threads))]
		first, err := together(lanes)
		if err != nil {
			return err
		}
		if first != nil && !first.blockwide() {
			if err := answerWarp(first, lanes); err != nil {
				return err
			}
			advanced = true
		}
	}
	if advanced {
		return nil
	}
	first, err := together(b.threads)
	if err != nil {
		return err
	}
	b.answer(first)
	return nil
}

// together returns the operation at which all live threads wait; nil if none lives.
func together(threads []*thread) (*Stmt, error) {
	var first *request
	for _, t := range threads {
		switch {
		case t.ended:
		case first == nil:
			first = t.wait
		case t.wait.at != first.at:
			return nil, &ApartError{t.wait.at, "not all live threads come here"}
		case t.wait.path != first.path:
			return nil, &ApartError{t.wait.at, "threads come in different rounds of a loop"}
		}
	}
	if first == nil {
		return nil, nil
	}
	return first.at, nil
}

// answer answers an operation of the block.
func (b *block) answer(s *Stmt) {
	all, anyone, count := true, false, uint32(0)
	for _, t := range b.threads {
		if t.ended {
			continue
		}
		if s.Kind == Exchange {
			b.shared[t.id] = t.wait.value
		}
		if t.wait.truth {
			anyone, count = true, count+1
		} else {
			all = false
		}
	}
	for _, t := range b.threads {
		if t.ended {
			continue
		}
		switch {
		case s.Kind == Exchange:
			t.answer = b.shared[(t.id+s.Amount)%uint32(len(b.threads))]
		case s.Form == All:
			t.answer = bit(all)
		case s.Form == Any:
			t.answer = bit(anyone)
		default:
			t.answer = count
		}
		t.wait = nil
	}
}

// answerWarp answers an operation of a warp.
func answerWarp(s *Stmt, lanes []*thread) error {
	var live, truth uint32
	for i, t := range lanes {
		if !t.ended {
			live |= 1 << i
			if t.wait.truth {
				truth |= 1 << i
			}
		}
	}
	values := make([]uint32, len(lanes))
	for i, t := range lanes {
		if t.ended {
			continue
		}
		switch s.Kind {
		case Masked:
			values[i] = masked(s.Form, i, truth, lanes)
		case Vote:
			values[i] = vote(s.Form, live, truth)
		case Active:
			values[i] = live
		case Shuffle:
			from := source(s.Form, i, s.Amount)
			if live>>from&1 == 0 {
				return &ApartError{s, "a lane reads one that has ended"}
			}
			values[i] = lanes[from].wait.value
		}
	}
	for i, t := range lanes {
		t.answer, t.wait = values[i], nil
	}
	return nil
}

// masked is the result of an operation of some lanes of a warp; the others keep their old values.
func masked(f Form, lane int, group uint32, lanes []*thread) uint32 {
	if group>>lane&1 == 0 {
		return lanes[lane].wait.old
	}
	var truth uint32
	for i, t := range lanes {
		if group>>i&1 != 0 {
			truth |= t.wait.value & 1 << i
		}
	}
	if f == Idx {
		return lanes[bits.TrailingZeros32(group)].wait.value
	}
	return vote(f, group, truth)
}

func vote(f Form, live, truth uint32) uint32 {
	switch f {
	case All:
		return bit(live == truth)
	case Any:
		return bit(truth != 0)
	case Ballot:
		return truth
	}
	return bit(truth == 0 || bits.OnesCount32(truth) == bits.OnesCount32(live))
}

// source returns the lane that a lane reads: itself, if the other is not in the warp.
func source(f Form, lane int, amount uint32) int {
	from := lane
	switch f {
	case Idx:
		from = int(amount)
	case Up:
		from = lane - int(amount)
	case Down:
		from = lane + int(amount)
	case Bfly:
		from = lane ^ int(amount)
	}
	if from < 0 || from > 31 {
		return lane
	}
	return from
}

func bit(b bool) uint32 {
	if b {
		return 1
	}
	return 0
}
