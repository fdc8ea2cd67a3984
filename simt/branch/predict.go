package branch

import (
	"slices"

	"jacquard/simt/lane"
)

// Predicting is a Policy that may predict the choices of a warp's arbiter.
type Predicting interface {
	// Predicted returns how often the policy predicted the next pc in this block, and how often no
	// lane was there.
	Predicted() (made, wrong uint64)
}

// predictingFlow is a flow that predicts.
type predictingFlow interface {
	predicted() (made, wrong uint64)
}

// Predicted implements Predicting. Flows that do not predict count nothing.
func (p *perWarp) Predicted() (made, wrong uint64) {
	for _, f := range p.flows[:p.n] {
		if f, ok := f.(predictingFlow); ok {
			m, w := f.predicted()
			made, wrong = made+m, wrong+w
		}
	}
	return made, wrong
}

// predicted is stackless with a branch predictor: C. Collange, "Stack-less SIMT reconvergence at
// low cost" (2011), section 6. After a conditional branch the arbiter takes one issue to find the
// least pc. Meanwhile the warp issues the instruction at the predicted pc, for the lanes at that
// pc. If lanes went both ways, some are there: the predictor only chooses the side that goes first.
// If no lane is there, the issue is empty, and the prediction was wrong.
//
// Unverified: the paper names no predictor. This one has a counter from 0 to 3 for every branch of
// a warp (J. E. Smith 1981): 2 and 3 stand for taken. It begins in the middle, on the side of the
// lower address, and learns from branches that all lanes leave the same way. Other choices wait for
// the arbiter.
type predicted struct {
	paths
	kernel  *predictedKernel
	counter []uint8 // by branch
	guess   guess
	pc      uint32 // the guessed pc
	depth   uint32 // call depth of lanes that may be there
	made    uint64
	wrong   uint64
}

// guess says whether the instruction that issues was predicted.
type guess uint8

const (
	arbitrated guess = iota // not predicted
	guessed                 // predicted, and lanes may be there
	hit                     // lanes are there
	missed                  // no lane is there
)

// predictedKernel is shared by the flows of all warps.
type predictedKernel struct {
	rule  *stackless
	sites []branchSite // by address
	next  []uint32     // by word: the address after the instruction that begins there, or 0
}

// branchSite is a conditional branch whose both sides are in the code.
type branchSite struct{ pc, next, target uint32 }

// newPredicted returns a function that makes flows by the rule with a predictor.
func newPredicted(k *Kernel, rule *stackless) func() Flow {
	shared := &predictedKernel{rule: rule}
	for _, in := range k.Code {
		shared.next = append(shared.next, make([]uint32, int(in.Next/4)-len(shared.next))...)
		shared.next[in.PC/4] = in.Next
	}
	for _, in := range k.Code {
		if in.Kind == Branch && in.Guarded && !in.Indirect && shared.after(in.Next) != 0 && shared.after(in.Target) != 0 {
			shared.sites = append(shared.sites, branchSite{in.PC, in.Next, in.Target})
		}
	}
	return func() Flow { return &predicted{paths: paths{rule: rule}, kernel: shared} }
}

// after returns the address after the instruction at pc, 0 if none begins there.
func (k *predictedKernel) after(pc uint32) uint32 {
	if word := int(pc / 4); pc%4 == 0 && word < len(k.next) {
		return k.next[word]
	}
	return 0
}

// site returns the index of the branch before next to target, or false if it cannot be predicted.
func (k *predictedKernel) site(target, next uint32) (int, bool) {
	i, found := slices.BinarySearchFunc(k.sites, next, func(s branchSite, next uint32) int { return int(s.next) - int(next) })
	return i, found && k.sites[i].target == target
}

// first returns the counter of a branch that has not been issued.
func (s *branchSite) first() uint8 {
	if s.target < s.next {
		return 2
	}
	return 1
}

func (f *predicted) Start(mask lane.Mask) {
	f.counter = f.counter[:0]
	for i := range f.kernel.sites {
		f.counter = append(f.counter, f.kernel.sites[i].first())
	}
	f.guess, f.made, f.wrong = arbitrated, 0, 0
	f.paths.Start(mask)
}

// Pick asks the arbiter, which sorts the paths in any case.
func (f *predicted) Pick() (pc uint32, mask lane.Mask, stop uint32, skippable Kinds) {
	pc, mask, stop, skippable = f.paths.Pick()
	if f.guess == arbitrated {
		return pc, mask, stop, skippable &^ KindsOf(Branch)
	}
	at := slices.IndexFunc(f.list, func(x path) bool { return x.pc == f.pc && f.depthOf(x) == f.depth })
	if at < 0 {
		if f.guess == guessed {
			f.wrong++
		}
		f.guess = missed
		return f.pc, 0, f.kernel.after(f.pc), 0
	}
	f.guess, f.at = hit, at
	return f.pc, f.list[at].mask, f.kernel.after(f.pc), 0
}

// depthOf returns the call depth of a path, which is part of the arbiter's key.
func (f *predicted) depthOf(x path) uint32 {
	if f.kernel.rule.byPC {
		return 0
	}
	return f.paths.depth(x)
}

// issued records that the instruction was issued, and reports whether lanes executed it.
func (f *predicted) issued() (executed bool) {
	executed = f.guess != missed
	f.guess = arbitrated
	return executed
}

// Branch predicts the next issue, unless the branch itself was predicted: then the arbiter is done.
func (f *predicted) Branch(taken lane.Mask, target, next uint32) error {
	free := f.guess == arbitrated
	if !f.issued() {
		return nil
	}
	all, depth := f.active(), f.depthOf(f.list[f.at])
	err := f.paths.Branch(taken, target, next)
	i, found := f.kernel.site(target, next)
	if err != nil || !free || !found {
		return err
	}
	f.made++
	c := &f.counter[i]
	f.guess, f.pc, f.depth = guessed, next, depth
	if *c >= 2 {
		f.pc = target
	}
	switch {
	case taken == all && *c < 3:
		*c++
	case taken == 0 && *c > 0:
		*c--
	}
	return nil
}

func (f *predicted) Advance(pc uint32) {
	if f.issued() {
		f.paths.Advance(pc)
	}
}

// Join does not issue the instruction.
func (f *predicted) Join(pc uint32) (bool, error) {
	if f.guess == missed {
		return true, nil
	}
	return f.paths.Join(pc)
}

func (f *predicted) Annotate(kind EventKind, target, next uint32) error {
	if !f.issued() {
		return nil
	}
	return f.paths.Annotate(kind, target, next)
}

func (f *predicted) Break(taken lane.Mask, next uint32) error {
	if !f.issued() {
		return nil
	}
	return f.paths.Break(taken, next)
}

func (f *predicted) Call(target, next uint32) error {
	if !f.issued() {
		return nil
	}
	return f.paths.Call(target, next)
}

func (f *predicted) Return(taken lane.Mask, next uint32) error {
	if !f.issued() {
		return nil
	}
	return f.paths.Return(taken, next)
}

func (f *predicted) Exit() error {
	if !f.issued() {
		return nil
	}
	return f.paths.Exit()
}

func (f *predicted) Arrive(barrier uint8, next uint32) error {
	if !f.issued() {
		return nil
	}
	return f.paths.Arrive(barrier, next)
}

func (f *predicted) predicted() (made, wrong uint64) { return f.made, f.wrong }

// State gives the counters that have changed, and the guess.
func (f *predicted) State(to State) State {
	for i, s := range f.kernel.sites {
		if c := f.counter[i]; c != s.first() {
			to = append(to, Entry{Kind: PredictorEntry, PC: s.pc, Number: uint32(c)})
		}
	}
	if f.guess != arbitrated {
		to = append(to, running(GuessEntry, f.pc, 0, f.guess == missed))
	}
	from := len(to)
	to = f.paths.State(to)
	for i := range to[from:] {
		to[from+i].Runs = to[from+i].Runs && f.guess != missed
	}
	return to
}
