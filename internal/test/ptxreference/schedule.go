package ptxreference

// warp are up to 32 threads, by lane.
type warp struct{ threads []*thread }

// slice is the number of steps after which another warp, or with Launch.Alone another thread, has
// its turn.
const slice = 1 << 12

// inStep runs the threads of the warp in lockstep until all wait or ended, or until the slice is
// over. It reports whether a thread did something.
func (w *warp) inStep() (moved bool, err error) {
	var front []*thread
	for range slice {
		front = w.front(front[:0])
		if len(front) == 0 {
			if !w.meetInSync() {
				return moved, nil
			}
			moved = true
			continue
		}
		moved = true
		for _, t := range front {
			if err := t.step(); err != nil {
				return true, err
			}
		}
		w.meetHere(front)
	}
	return moved, nil
}

// front returns the running threads at the place that goes before all others.
func (w *warp) front(list []*thread) []*thread {
	var lead *thread
	for _, t := range w.threads {
		if t.state == running && (lead == nil || t.before(lead)) {
			lead = t
		}
	}
	for _, t := range w.threads {
		if t.state == running && t.at(lead) {
			list = append(list, t)
		}
	}
	return list
}

// meetHere lets the threads meet that have just come to the same instruction.
func (w *warp) meetHere(front []*thread) {
	var g *group
	for _, t := range front {
		if t.state != atMeeting {
			continue
		}
		if t.asked.meeting.kind.sync {
			w.meetInSync()
			return
		}
		if g == nil {
			g = &group{}
		}
		g[t.lane] = t
	}
	if g != nil {
		g.finish()
	}
}

// alone runs the threads of the warp one after the other.
func (w *warp) alone() (moved bool, err error) {
	for _, t := range w.threads {
		for i := 0; i < slice && t.state == running; i++ {
			moved = true
			if err := t.step(); err != nil {
				return true, err
			}
		}
	}
	for _, t := range w.threads {
		if t.state == running {
			return moved, nil
		}
	}
	return w.meetInSync() || w.meetFirst() || moved, nil
}

// meetInSync lets the threads of one mask meet if all of them that live are there.
func (w *warp) meetInSync() bool {
	for _, t := range w.threads {
		if t.state != atMeeting || !t.asked.meeting.kind.sync {
			continue
		}
		if g, ok := w.inMask(t); ok {
			g.finish()
			return true
		}
	}
	return false
}

// inMask returns the group that t waits for; ok is false if it is not complete.
func (w *warp) inMask(t *thread) (g group, ok bool) {
	for _, o := range w.threads {
		if o.state == ended || t.asked.mask>>o.lane&1 == 0 {
			continue
		}
		if o.state != atMeeting || o.asked.meeting.kind != t.asked.meeting.kind ||
			o.asked.mask != t.asked.mask {
			return g, false
		}
		g[o.lane] = o
	}
	return g, true
}

// meetFirst lets the threads meet that wait without a mask at the place before all others.
func (w *warp) meetFirst() bool {
	var lead *thread
	for _, t := range w.threads {
		if t.waitsHere() && (lead == nil || t.before(lead)) {
			lead = t
		}
	}
	if lead == nil {
		return false
	}
	var g group
	for _, t := range w.threads {
		if t.waitsHere() && t.at(lead) {
			g[t.lane] = t
		}
	}
	g.finish()
	return true
}

// waitsHere reports whether the thread waits for the threads at the same place.
func (t *thread) waitsHere() bool {
	return t.state == atMeeting && !t.asked.meeting.kind.sync
}
