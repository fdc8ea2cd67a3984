package trace

import (
	"math/bits"

	"jacquard/simt/branch"
	"jacquard/simt/lane"
)

// predictor guesses the next issue of a block from those before. Writer and reader keep one each
// and feed them the same issues, so that an issue that comes as guessed need not be written.
//
// It assumes that lanes which issued together do so again in the next round, and that what
// follows an instruction is what followed it last time.
type predictor struct {
	follows []int32 // by index: 1 + the index that followed it last; 0: not seen yet
	leads   branch.WarpSet
	mates   [lane.MaxWarps]branch.WarpSet // of a lead: who issued with it
	last    [lane.MaxWarps]int32          // index of the warp's last issue, -1 before the first
	mask    [lane.MaxWarps]lane.Mask      // its lanes
	time    [lane.MaxWarps]uint64         // when it is to issue next
	now     uint64                        // time of the last issue
}

// start forgets everything.
func (p *predictor) start(instructions int, now uint64) {
	if len(p.follows) != instructions {
		p.follows = make([]int32, instructions)
	}
	clear(p.follows)
	p.leads, p.now = 0, now
	for w := range p.last {
		p.last[w], p.mask[w], p.time[w] = -1, lane.All, now
	}
}

// lead returns the warp, lowest of its issue, that is to go next. There must be leads.
func (p *predictor) lead() int {
	best := bits.TrailingZeros16(uint16(p.leads)) & (lane.MaxWarps - 1)
	for rest := p.leads & (p.leads - 1); rest != 0; rest &= rest - 1 {
		if w := bits.TrailingZeros16(uint16(rest)) & (lane.MaxWarps - 1); p.time[w] < p.time[best] {
			best = w
		}
	}
	return best
}

// index returns where warp w is to go on.
func (p *predictor) index(w int) int32 {
	at := p.last[w]
	if at < 0 {
		return 0
	}
	if f := p.follows[at]; f != 0 {
		return f - 1
	}
	return at + 1
}

// note takes in an issue, whose warps and time may have been predicted.
func (p *predictor) note(s *Step, set branch.WarpSet, predicted bool) {
	first := bits.TrailingZeros16(uint16(set))
	if !predicted {
		p.regroup(set, first, s.Time)
	}
	if at := p.last[first]; at >= 0 {
		p.follows[at] = int32(s.Index) + 1
	}
	for k := range s.N {
		w := s.Warp[k] & (lane.MaxWarps - 1)
		p.last[w], p.mask[w], p.time[w] = int32(s.Index), s.Active[k], s.Time+1
	}
	p.now = s.Time
}

// regroup makes set, which issued at a time, one group. Groups that were to go earlier are given
// up: they wait, or ended.
func (p *predictor) regroup(set branch.WarpSet, first int, time uint64) {
	for rest := p.leads; rest != 0; rest &= rest - 1 {
		w := bits.TrailingZeros16(uint16(rest))
		others := p.mates[w] &^ set
		if others == p.mates[w] {
			if p.time[w] < time || p.time[w] == time && w < first {
				p.leads &^= 1 << w
			}
			continue
		}
		p.leads &^= 1 << w
		if others != 0 {
			l := bits.TrailingZeros16(uint16(others))
			p.leads |= 1 << l
			p.mates[l] = others
		}
	}
	p.leads |= 1 << first
	p.mates[first] = set
}
