package schedule

import (
	"slices"

	"jacquard/simt/branch"
	"jacquard/simt/lane"
	"jacquard/simt/machine"
	"jacquard/simt/program"
)

// mix issues the picks of a policy that mixes warps, up to time until. The block has one time.
func (b *block) mix(until uint64) {
	f := &b.front
	for (f.N > 0 || b.pickIssue()) && f.time < until {
		u := &b.code[f.at]
		switch {
		case b.rota.run(b, until):
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

// rota is the turns of cohorts, one instruction each.
type rota struct {
	policy branch.Turning // nil: the policy forms every issue
	at, to []int32        // by cohort: index of the next instruction, before and after its turns
}

// run issues straight-line code of all cohorts, in turn, up to time until, or a control instruction
// at which none of them parts. It does nothing and reports false if the policy must form the next
// issues, or a listener wants to know of each.
func (r *rota) run(b *block, until uint64) bool {
	u := &b.code[b.front.at]
	if r.policy == nil || u.Control && !u.Passes() || b.stepwise() || b.recorded {
		return false
	}
	list := r.policy.Turns()
	rounds := r.plan(b, list, until)
	if rounds == 0 || !b.meter.Settled(list) {
		return false
	}
	b.told = true
	if !u.Control {
		if number, fault := r.execute(b, list, rounds); fault != nil {
			b.meter.Rounds(list, r.at, rounds-1)
			for i := range number + 1 {
				b.meter.Issue(r.to[i]-1, r.to[i], &list[i].Sel)
			}
			b.stop(fault)
			return true
		}
	}
	b.meter.Rounds(list, r.at, rounds)
	for i := range list {
		c := &list[i]
		if u.Event == branch.Branch {
			b.meter.Uniform(u.At, c.Columns(b.g.policy.warp), r.to[i] == u.To)
		}
		c.PC = b.code[r.to[i]].PC
	}
	r.policy.Took()
	f := &b.front
	f.Sel, f.time = list[len(list)-1].Sel, f.time+uint64(rounds)*uint64(len(list))
	b.ready = f.Warps()
	b.leave()
	return true
}

// plan finds out for how many turns each cohort may run apart from the others, and where that leads.
func (r *rota) plan(b *block, list []branch.Cohort, until uint64) (rounds int32) {
	if len(list) == 0 {
		return 0
	}
	most := (until - b.front.time) / uint64(len(list))
	r.at, r.to = r.at[:0], r.to[:0]
	for i := range list {
		at, _ := b.p.Index(list[i].PC)
		r.at = append(r.at, int32(at))
		most = min(most, uint64(b.code[at].Apart-int32(at)))
		if hook := b.st.Hook; hook != nil { // it is told in order
			last := slices.IndexFunc(b.code[at:at+int(most)], func(u program.Op) bool { return hook.Wants(&u) })
			most = min(most, uint64(last)+1)
		}
	}
	if u := &b.code[b.front.at]; u.Control {
		if b.g.stopped(b.meter.Issued+uint64(len(list))) || b.front.time+uint64(len(list)) > until || !r.ways(b, u, list) {
			return 0
		}
		return 1
	}
	for _, at := range r.at {
		r.to = append(r.to, at+int32(most))
	}
	return int32(most)
}

// ways finds out where cohorts go on after control instruction u. It reports false if one of them
// is elsewhere, or parts there.
func (r *rota) ways(b *block, u *program.Op, list []branch.Cohort) bool {
	for i := range list {
		var taken, left lane.Mask
		for k, m := range list[i].Mask[:list[i].N] {
			t, l := b.way(u, int(list[i].Warp[k]), m)
			taken, left = taken|t, left|l
		}
		switch {
		case r.at[i] != u.At || u.Event == branch.Branch && taken != 0 && left != 0:
			return false
		case u.Event == branch.Branch && left == 0:
			r.to = append(r.to, u.To)
		default:
			r.to = append(r.to, u.At+1)
		}
	}
	return true
}

// execute executes so many rounds. Only the last can fault, at the number of a cohort: the others
// after it do not come to that round.
func (r *rota) execute(b *block, list []branch.Cohort, rounds int32) (number int, fault *machine.Fault) {
	last := b.front.time + uint64(rounds-1)*uint64(len(list)) // the time of the first cohort's last turn
	for i := range list {
		end := r.to[i]
		b.st.Clock = last + uint64(i) - uint64(end-1)
		if fault != nil {
			end--
		}
		if end > r.at[i] {
			b.engine.Run(&list[i].Sel, int(r.at[i]), int(end))
		}
		if b.st.Raised != nil {
			number, fault = i, b.st.Caught()
		}
	}
	return number, fault
}
