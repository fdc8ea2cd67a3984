package schedule

import "jacquard/simt/program"

// mix issues the picks of a policy that mixes warps, up to time until. The block has one time.
func (b *block) mix(until uint64) {
	f := &b.front
	for (f.N > 0 || b.pickIssue()) && f.time < until {
		u := &b.code[f.at]
		switch {
		case !u.Control:
			b.straight(u, until-f.time)
		case b.g.stopped(b.meter.Issued):
			b.halt(u)
		default:
			b.control(u)
		}
		if f.N > 0 && f.at == f.stop {
			b.ask()
		}
	}
}

// pickIssue makes the policy's next issue the front.
func (b *block) pickIssue() bool {
	b.ready = 0
	f := &b.front
	if b.done || !b.mixing.Form(&f.Cohort) {
		return false
	}
	f.locate(b.p)
	b.ready = f.Warps()
	return true
}

// straight issues straight-line code for the front: at most most instructions, and one if the
// block is observed.
func (b *block) straight(u *program.Op, most uint64) {
	if b.states {
		b.takeState()
	}
	f := &b.front
	end := u.End
	if f.stop > f.at {
		end = min(end, f.stop)
	}
	if b.watched != nil {
		most = 1
		b.watched.before(b, u)
		b.watched.begin(b.st, u, f.time, &f.Sel, &f.Sel)
	}
	end = f.at + int32(min(uint64(end-f.at), most))
	past := end // the instructions that happened
	if !f.Empty() {
		b.st.Clock = f.time - uint64(f.at)
		end = int32(b.engine.Run(&f.Sel, int(f.at), int(end)))
		if past = end; b.st.Raised != nil {
			past--
		}
	}
	b.meter.Issue(f.at, end, &f.Sel)
	if b.recorded {
		b.note(f.at, past, f.time, &f.Sel, &f.Mask, false)
	}
	f.time += uint64(end - f.at)
	b.moveTo(end)
	switch {
	case b.st.Raised != nil:
		b.stop(b.st.Caught())
	case b.watched != nil:
		b.watched.Issue(&b.watched.issue)
	}
}
