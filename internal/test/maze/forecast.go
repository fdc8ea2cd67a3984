package maze

import (
	"math/bits"
	"strings"

	"jacquard/simt/lane"
	"jacquard/tesla"
)

// forecast leads a warp by the rules of C. Collange, "Stack-less SIMT reconvergence at low cost"
// (2011): of the lanes in the deepest call, those at the lowest address run. With a predictor
// (section 6), the issue after a conditional branch is at the address that it names, as
// docs/divergence.md says.
type forecast struct {
	follower
	byPC     bool // calls do not matter
	predicts bool

	depth   [lane.Width]int // calls
	waiting lane.Mask       // at a barrier
	trust   map[uint32]int  // by address of a branch: 2 and 3 say that it is taken
	made    uint64          // predictions
	wrong   uint64
}

func newForecast(f follower, options string) rules {
	return &forecast{
		follower: f,
		byPC:     strings.Contains(options, "key=pc"),
		predicts: strings.Contains(options, "next=predicted"),
		trust:    map[uint32]int{},
	}
}

// place is the key that the arbiter compares.
type place struct {
	pc    uint32
	depth int
}

func (f *forecast) place(l int) place {
	pc, _ := f.pc(l)
	if f.byPC {
		return place{pc, 0}
	}
	return place{pc, f.depth[l]}
}

// lanesAt returns the lanes of m at a place.
func (f *forecast) lanesAt(m lane.Mask, where place) (there lane.Mask) {
	for ; m != 0; m &= m - 1 {
		if l := bits.TrailingZeros32(uint32(m)); f.place(l) == where {
			there |= 1 << l
		}
	}
	return there
}

// arbiter returns the place of the lanes that run.
func (f *forecast) arbiter(m lane.Mask) (least place) {
	least = f.place(bits.TrailingZeros32(uint32(m)))
	for ; m != 0; m &= m - 1 {
		p := f.place(bits.TrailingZeros32(uint32(m)))
		if p.depth > least.depth || p.depth == least.depth && p.pc < least.pc {
			least = p
		}
	}
	return least
}

func (f *forecast) run() error {
	var guess *place // of the next issue
	for {
		ready := f.live() &^ f.waiting
		if ready == 0 {
			if f.waiting == 0 {
				return nil
			}
			f.waiting = 0
			continue
		}
		at := f.arbiter(ready)
		if guess != nil {
			at = *guess
		}
		running := f.lanesAt(ready, at)
		if running == 0 {
			f.fetch(at.pc, 0)
			f.wrong++
			guess = nil
			continue
		}
		i, err := f.issue(running)
		if err != nil {
			return err
		}
		f.follow(&i, running)
		if guess == nil && f.conditional(&i) {
			guess = &place{f.predict(&i, running), at.depth}
		} else {
			guess = nil
		}
	}
}

// follow updates the state of lanes that issued.
func (f *forecast) follow(i *issue, running lane.Mask) {
	more := 0
	switch i.op {
	case tesla.OpCall, tesla.OpPreRet:
		more = 1
	case tesla.OpRet:
		running, more = i.taken, -1
	case tesla.OpBar:
		f.waiting |= running
	}
	for ; running != 0; running &= running - 1 {
		f.depth[bits.TrailingZeros32(uint32(running))] += more
	}
}

// conditional reports whether the predictor predicts the instruction: a conditional branch with
// both sides in the code.
func (f *forecast) conditional(i *issue) bool {
	end := uint32(len(f.m.Code)) * size
	return f.predicts && i.op == tesla.OpBra && i.guarded && !i.ends && i.target < end && i.next < end
}

// predict returns where the predictor says that lanes go, and has it learn where they went.
func (f *forecast) predict(i *issue, running lane.Mask) uint32 {
	trust, known := f.trust[i.pc]
	if !known {
		trust = 1
		if i.target < i.next {
			trust = 2
		}
	}
	f.made++
	to := i.next
	if trust >= 2 {
		to = i.target
	}
	switch i.taken {
	case running:
		trust = min(trust+1, 3)
	case 0:
		trust = max(trust-1, 0)
	}
	f.trust[i.pc] = trust
	return to
}
