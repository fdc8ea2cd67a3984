package check

import "jacquard/simt/lane"

// readLog has the reads of shared memory since the last barrier, until a warp writes there: before,
// nothing conflicts, and often nobody writes up to the next barrier.
type readLog struct {
	rows    []loggedRead
	written bool // cells have the reads
}

// loggedRead is a read of lanes of a warp.
type loggedRead struct {
	issue
	row   lane.Row
	lanes lane.Mask // those to look at
	size  int
	epoch uint32
}

// mostReads is how many reads a log has.
const mostReads = 2048

// begin begins an interval between barriers.
func (r *readLog) begin() { r.rows, r.written = r.rows[:0], false }

// add keeps the present read of lanes m, of size bytes each. It reports false if that is to be noted
// at once.
func (r *readLog) add(x *raceWatcher, m lane.Mask, size int) bool {
	if len(r.rows) == mostReads {
		at := x.at
		r.flush(x)
		x.at = at
	}
	if r.written {
		return false
	}
	if r.rows == nil {
		r.rows = make([]loggedRead, 0, mostReads)
	}
	r.rows = r.rows[:len(r.rows)+1]
	to := &r.rows[len(r.rows)-1]
	to.issue, to.row, to.lanes, to.size, to.epoch = x.at, *x.at.addr, m, size, x.epoch
	return true
}

// flush notes the reads, because a warp writes.
func (r *readLog) flush(x *raceWatcher) {
	if r.written {
		return
	}
	r.written = true
	epoch := x.epoch
	for i := range r.rows {
		from := &r.rows[i]
		x.at, x.epoch = from.issue, from.epoch
		x.at.addr = &from.row
		x.row(from.lanes, from.size)
	}
	x.epoch = epoch
	r.rows = r.rows[:0]
}
