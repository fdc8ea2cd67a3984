package rollup

import (
	"slices"

	"jacquard/simt/cfg"
	"jacquard/tesla"
)

// Meet says where lanes that part at an instruction meet again, by the code alone: at the immediate
// post-dominator. C. Collange, "Stack-less SIMT reconvergence at low cost" (2011), section 3, rests
// on meeting places at greater addresses than the code before them.
//
// Unverified: that Collins, Tullsen and Wang, whom it quotes for 94 % of SPECint's branches, measure
// this. Their paper of 2004 would settle it.
type Meet uint8

// The values.
const (
	MeetNone   Meet = iota // lanes cannot part at the instruction
	MeetHigher             // above the branch and all code on the ways from it
	MeetCalls              // above all of it but a function that is called on the way: listing 1 there
	MeetLower              // not above all of it
	MeetEnd                // at the end only
	Meets                  // the number of values
)

// meetsOf returns where lanes meet, by instruction.
func meetsOf(code []tesla.Instruction) []Meet {
	list := make([]Meet, len(code))
	g, err := cfg.New(code)
	if err != nil {
		return list // no code
	}
	for _, f := range g.Functions {
		for i := range f.Blocks {
			if b := &f.Blocks[i]; len(b.Succ) > 1 {
				m := &list[b.Last-1]
				*m = max(*m, meetOf(g, f, i)) // functions may share code
			}
		}
	}
	return list
}

// meetOf returns where lanes that part at the end of a block meet.
func meetOf(g *cfg.Graph, f *cfg.Function, from int) Meet {
	to := f.IPostDom[from]
	if to < 0 {
		return MeetEnd
	}
	between := f.Targets(from)
	for next := 0; next < len(between); next++ {
		if b := between[next]; b != to {
			for _, s := range f.Targets(b) {
				if !slices.Contains(between, s) {
					between = append(between, s)
				}
			}
		}
	}
	meet := f.Blocks[to].Start
	if f.Blocks[from].Tail >= meet {
		return MeetLower
	}
	found := MeetHigher
	for _, i := range between {
		b := &f.Blocks[i]
		switch {
		case i == to:
		case b.Start >= meet:
			return MeetLower
		case callsAbove(g, b, meet):
			found = MeetCalls
		}
	}
	return found
}

// callsAbove reports whether a block calls, directly or not, a function with code at pc or above.
func callsAbove(g *cfg.Graph, b *cfg.Block, pc uint32) bool {
	var entered []int
	for _, c := range g.Calls {
		if c.PC == b.Tail {
			entered = append(entered, c.Callee)
		}
	}
	for next := 0; next < len(entered); next++ {
		k := entered[next]
		if blocks := g.Functions[k].Blocks; blocks[len(blocks)-1].Start >= pc {
			return true
		}
		for _, c := range g.Calls {
			if c.Caller == k && !slices.Contains(entered, c.Callee) {
				entered = append(entered, c.Callee)
			}
		}
	}
	return false
}
