package conformance

import (
	"fmt"
	"hash/maphash"
	"math/bits"

	"jacquard/simt/engine"
	"jacquard/simt/lane"
	"jacquard/simt/machine"
)

// watched is code whose engines leave a trail.
type watched struct {
	engine.Code
	trail *trail
	runs  bool // engines that can run on by themselves do so, and the trail has no stations
}

// New returns an engine that leaves a trail.
func (w watched) New(warps int) engine.Engine {
	e := w.Code.New(warps)
	e.Machine().Seen = true
	if r, ok := e.(engine.Runner); ok && w.runs {
		return &runner{r, w.trail}
	}
	return &follower{e, w.trail}
}

// follower is an engine with a trail.
type follower struct {
	engine.Engine
	trail *trail
}

// Run notes the state of the warps after the code.
func (f *follower) Run(s *lane.Sel, from, to int) int {
	end := f.Engine.Run(s, from, to)
	f.trail.add(f.Machine(), s, from, to, end)
	return end
}

// runner is an engine that runs on. Only the ends of its trail matter.
type runner struct {
	engine.Runner
	trail *trail
}

// Run notes the state of the warps after the code.
func (r *runner) Run(s *lane.Sel, from, to int) int {
	end := r.Runner.Run(s, from, to)
	for _, w := range s.Warp[:s.N] {
		r.trail.leave(r.Machine(), int(w))
	}
	return end
}

// RunOn notes the state of the warps after the code.
func (r *runner) RunOn(t *engine.Turn) {
	r.Runner.RunOn(t)
	if t.Relay != nil {
		for m := t.Relay.Touched; m != 0; m &= m - 1 {
			r.trail.leave(r.Machine(), bits.TrailingZeros32(m))
		}
	}
	if t.Warp >= 0 {
		r.trail.leave(r.Machine(), t.Warp)
	}
}

// trail is the record of an engine's run.
type trail struct {
	stations []station
	ends     map[warp]uint64 // a hash of the registers of each warp after its last code
}

// warp is a warp of the grid.
type warp struct{ block, number int }

// station is one call of Run: its instructions, and a hash of the registers of the warps after it.
// A fault leaves registers undefined.
type station struct {
	from, to, end int
	faulted       bool
	hash          uint64
}

var seed = maphash.MakeSeed()

func (t *trail) add(st *machine.State, s *lane.Sel, from, to, end int) {
	at := station{from: from, to: to, end: end, faulted: st.Raised != nil}
	for _, w := range s.Warp[:s.N] {
		if h := t.leave(st, int(w)); !at.faulted {
			at.hash = at.hash*31 + h
		}
	}
	t.stations = append(t.stations, at)
}

// leave notes the registers of a warp, and returns their hash.
func (t *trail) leave(st *machine.State, w int) uint64 {
	if t.ends == nil {
		t.ends = map[warp]uint64{}
	}
	h := fingerprint(st, w)
	t.ends[warp{st.Number, w}] = h
	return h
}

// fingerprint hashes the registers, flags and local memory of a warp.
func fingerprint(st *machine.State, w int) uint64 {
	var h maphash.Hash
	h.SetSeed(seed)
	for n := range st.Program.Kernel.Registers {
		maphash.WriteComparable(&h, *st.RegisterRow(n, w))
	}
	for i := range uint8(8) {
		if st.Program.Addresses>>i&1 != 0 {
			maphash.WriteComparable(&h, *st.Address(i).At(w))
		}
	}
	for i := range st.Flags {
		maphash.WriteComparable(&h, st.Flags[i][w])
	}
	for _, row := range st.LocalOf(w) {
		maphash.WriteComparable(&h, row)
	}
	return h.Sum64()
}

// difference says where two trails part, "" if nowhere.
func (t *trail) difference(got *trail) string {
	have := len(got.stations)
	for i, want := range t.stations {
		switch {
		case i >= have:
			return fmt.Sprintf("only %d stretches of code ran, want %d", have, len(t.stations))
		case got.stations[i] != want:
			return fmt.Sprintf("stretch %d, instructions %d to %d: %+v, want %+v", i, want.from, want.to-1, got.stations[i], want)
		}
	}
	if have > len(t.stations) {
		return fmt.Sprintf("%d stretches of code ran, want %d", have, len(t.stations))
	}
	return ""
}

// differentEnds names a warp whose registers differ at the end, "" if there is none.
func (t *trail) differentEnds(got *trail) string {
	for w, want := range t.ends {
		if got.ends[w] != want {
			return fmt.Sprintf("registers of warp %d of block %d differ at the end", w.number, w.block)
		}
	}
	return ""
}
