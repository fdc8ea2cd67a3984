package conformance

import (
	"fmt"
	"hash/maphash"

	"jacquard/simt/engine"
	"jacquard/simt/lane"
	"jacquard/simt/machine"
)

// watched is code whose engines leave a trail.
type watched struct {
	engine.Code
	trail *trail
}

// New returns an engine that leaves a trail.
func (w watched) New(warps int) engine.Engine { return &follower{w.Code.New(warps), w.trail} }

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

// trail is what an engine did, one entry per call of Run.
type trail []station

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
	if !at.faulted {
		at.hash = fingerprint(st, s)
	}
	*t = append(*t, at)
}

// fingerprint hashes the registers, flags and local memory of the warps of s.
func fingerprint(st *machine.State, s *lane.Sel) uint64 {
	var h maphash.Hash
	h.SetSeed(seed)
	for _, w := range s.Warp[:s.N] {
		for n := range st.Program.Kernel.Registers {
			maphash.WriteComparable(&h, *st.RegisterRow(n, int(w)))
		}
		for i := range uint8(8) {
			if st.Program.Addresses>>i&1 != 0 {
				maphash.WriteComparable(&h, *st.Address(i).At(int(w)))
			}
		}
		for i := range st.Flags {
			maphash.WriteComparable(&h, st.Flags[i][w])
		}
		for _, row := range st.LocalOf(int(w)) {
			maphash.WriteComparable(&h, row)
		}
	}
	return h.Sum64()
}

// difference says where two trails part, "" if nowhere.
func (t trail) difference(got *trail) string {
	for i, want := range t {
		switch {
		case i >= len(*got):
			return fmt.Sprintf("only %d stretches of code ran, want %d", len(*got), len(t))
		case (*got)[i] != want:
			return fmt.Sprintf("stretch %d, instructions %d to %d: %+v, want %+v", i, want.from, want.to-1, (*got)[i], want)
		}
	}
	if len(*got) > len(t) {
		return fmt.Sprintf("%d stretches of code ran, want %d", len(*got), len(t))
	}
	return ""
}
