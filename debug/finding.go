package debug

import (
	"math"
	"math/bits"
	"slices"

	"jacquard/simt/check"
)

// Finding is a mistake that a checker found.
type Finding struct {
	check.Finding `json:"finding"`

	Report string `json:"report"` // for people, in several lines
}

// Checks are the checkers of a launch. They tell of a mistake within the issue that makes it, or when
// a barrier opens behind an issue.
type Checks interface {
	// Begin prepares the request of the launch. In each run, first is told of each error when it
	// happens first, and may panic to give up the run.
	Begin(first func(check.Finding))

	// Faulted returns what the checkers make of the error that ended the last run.
	Faulted(err error) []check.Finding

	// Report returns a finding for people, in several lines.
	Report(f check.Finding) string

	// Stages reports whether a run without an observer may begin again by itself.
	Stages() bool

	// Back makes the checkers as they were before the launch: the last run does not count.
	Back()

	// End says that the launch is over.
	End()
}

// foundAt is where the program was stopped for a finding.
type foundAt struct {
	launch int
	pos    Position
}

// keysOf returns the keys of findings.
func keysOf(list []check.Finding) (keys []string) {
	for i := range list {
		keys = append(keys, list[i].Key())
	}
	return keys
}

// reports adds the reports to findings.
func reports(r *run, list []check.Finding) (all []Finding) {
	for _, f := range list {
		f.At.Where = slices.Clone(f.At.Where) // checkers add lanes
		all = append(all, Finding{f, r.Checks.Report(f)})
	}
	return all
}

// with returns a list with a finding, unless it has one that is alike.
func with(list []check.Finding, f check.Finding) []check.Finding {
	if slices.Contains(keysOf(list), f.Key()) {
		return list
	}
	return append(list, f)
}

// firstOf returns the first thread of a finding.
func firstOf(r *run, f *check.Finding) Focus {
	t := f.At.Where[0]
	return Focus{Block: t.Block[0] + t.Block[1]*r.launch.Grid[0], Warp: t.Warp, Lane: bits.TrailingZeros32(uint32(t.Lanes))}
}

// stopsFor reports whether a finding stops the launch: it is an error of a kind that is caught, with
// a thread, and none like it has stopped an earlier launch, or this run.
func stopsFor(r *run, f *check.Finding) bool {
	s := r.s
	if r.before == nil || f.Level != check.Error || !s.catch.Findings.Has(f.Kind) || len(f.At.Where) == 0 {
		return false
	}
	key := f.Key()
	was, known := s.stoppedAt[key]
	return !slices.Contains(r.told, key) && (!known || was.launch == r.Number)
}

// raise is told of a finding. The launch stops before the issue that makes it: it runs again up to
// there. If nobody watches the block, the place is not known, and another run finds it out.
func (r *run) raise(f check.Finding) {
	s := r.s
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.off.Load() || s.run != r || r.left || !stopsFor(r, &f) {
		return
	}
	focus := firstOf(r, &f)
	o := r.blocks[focus.Block]
	if o != nil && o.st == nil {
		o = nil
	}
	switch t := &r.trip; {
	case t.on && t.scan != nil && t.scan.kind == ReverseContinue:
		passes(r, f, o)
	case t.on && t.scan == nil: // it is before the place
		r.told = append(r.told, f.Key())
	case t.on && (!t.scan.finding || slices.Contains(t.scan.told, f.Key())):
	case o == nil:
		r.steps = stepping{}
		r.trip = trip{on: true, until: Position{Block: focus.Block, Time: math.MaxUint64}, scan: &scan{finding: true, told: r.told}}
		r.giveUp()
	default:
		r.arisen = with(r.arisen, f)
		if !o.issuing {
			goToFindings(r, o)
		}
	}
}

// passes notes the place of a finding on the way back.
func passes(r *run, f check.Finding, o *blockWatch) {
	was, known := r.s.stoppedAt[f.Key()]
	switch {
	case known:
	case o != nil:
		was.pos = o.at
		stopFor(r, []check.Finding{f}, o.at)
	default:
		return
	}
	c := r.trip.scan
	if c.stop == nil || c.stop.Reason != ReasonFinding || *c.found != was.pos {
		c.arisen = nil
	}
	c.arisen = with(c.arisen, f)
	c.found, c.stop = &was.pos, &Stop{Reason: ReasonFinding} // its findings may grow
}

// stopFor keeps the place of findings.
func stopFor(r *run, list []check.Finding, pos Position) {
	if r.s.stoppedAt == nil {
		r.s.stoppedAt = map[string]foundAt{}
	}
	for _, key := range keysOf(list) {
		r.s.stoppedAt[key] = foundAt{r.Number, pos}
	}
}

// knows makes this run not stop again for findings of a place at which it is stopped.
func knows(r *run, pos Position) {
	for key, was := range r.s.stoppedAt {
		if was == (foundAt{r.Number, pos}) {
			r.told = append(r.told, key)
		}
	}
}

// stopAtFindings is goToFindings for a caller without the lock.
func stopAtFindings(r *run, o *blockWatch) {
	r.s.mu.Lock()
	defer r.s.mu.Unlock()
	if !r.left {
		goToFindings(r, o)
	}
}

// findingStop returns the stop for findings of one place.
func findingStop(r *run, list []check.Finding) *Stop {
	return &Stop{Reason: ReasonFinding, Focus: firstOf(r, &list[0]), Text: list[0].String(), Findings: reports(r, list)}
}

// goToFindings makes the launch run again, and stop before the last issue of a block, which made
// findings. The caller holds the lock.
func goToFindings(r *run, o *blockWatch) {
	stopFor(r, r.arisen, o.at)
	stop := findingStop(r, r.arisen)
	r.steps = stepping{}
	r.trip = trip{on: true, to: o.at, lane: stop.Focus.Lane, stop: stop}
	r.giveUp()
}

// faulted returns what checkers make of a fault, of the kinds that are caught.
func faulted(r *run, err error) []Finding {
	if r.Checks == nil {
		return nil
	}
	return reports(r, slices.DeleteFunc(r.Checks.Faulted(err), func(f check.Finding) bool { return !r.s.catch.Findings.Has(f.Kind) }))
}
