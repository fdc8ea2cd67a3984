package branch_test

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"strings"

	"jacquard/simt/branch"
	"jacquard/simt/lane"
)

// round covers the time between two calls for cohorts.
type round struct {
	before string // the state of the policy, and the waiting warps
	issues string // the cohorts
	chosen string // the way of each lane
	err    error  // the error that ended the drive
}

// state returns everything that the future may depend on.
func (r *round) state() string { return r.before + r.issues }

// drive runs the program for at most rounds rounds; the program need not end. r draws the ways of
// lanes, and every fourth plain instruction is a barrier. The policy hears of every instruction,
// skippable or not.
func (p program) drive(policy branch.Policy, masks []lane.Mask, r *rand.Rand, rounds int) (list []round) {
	policy.Start(masks)
	ready := make([]branch.Cohort, lane.MaxWarps)
	var waiting branch.WarpSet
	for len(list) < rounds {
		now := round{before: fmt.Sprintf("%04x %s", waiting, stateOf(policy, len(masks)))}
		n := cohorts(policy, ready)
		if n == 0 && waiting == 0 {
			return list
		}
		if n == 0 {
			policy.Release(waiting)
			waiting, now.chosen = 0, "release"
		}
		var issues, chosen strings.Builder
		for k := range n {
			c := &ready[k]
			fmt.Fprintf(&issues, " %x-%x", c.PC, c.Stop)
			for j, w := range c.Warp[:c.N] {
				fmt.Fprintf(&issues, " %d:%x", w, c.Mask[j])
			}
		}
		for k := range n {
			arrived, err := p.step(policy, &ready[k], r, &chosen)
			waiting |= arrived
			if now.err == nil {
				now.err = err
			}
		}
		now.issues, now.chosen = issues.String(), now.chosen+chosen.String()
		if list = append(list, now); now.err != nil {
			return list
		}
	}
	return list
}

// stateOf returns the states of all warps, as bytes.
func stateOf(policy branch.Policy, warps int) (text []byte) {
	for w := range warps {
		for _, e := range policy.State(w, nil) {
			text = append(text, byte(e.Kind), e.Warp, 0)
			if e.Runs {
				text[len(text)-1] = 1
			}
			for _, v := range [...]uint32{e.PC, uint32(e.Mask), e.Number} {
				text = binary.LittleEndian.AppendUint32(text, v)
			}
		}
		text = append(text, 0)
	}
	return text
}

// step executes one instruction, and records which lanes take it.
func (p program) step(policy branch.Policy, c *branch.Cohort, r *rand.Rand, chosen *strings.Builder) (arrived branch.WarpSet, err error) {
	i := int(c.PC / size)
	in := p[i]
	if in.join {
		if err := policy.Join(c); err != nil || c.N == 0 {
			return 0, err
		}
	}
	e := branch.Event{Kind: in.event(), Target: uint32(in.target*size + in.off), Next: uint32((i + 1) * size)}
	if in.kind == plain && !in.join && !in.exit && i%4 == 1 {
		e.Kind = branch.Arrive
	}
	for j := range c.N {
		if e.Lanes[j] = c.Mask[j]; in.cond != 0 {
			e.Lanes[j] &= lane.Mask(r.Uint32())
		}
		binary.Write(chosen, binary.LittleEndian, uint32(e.Lanes[j]))
	}
	if e.Kind == 0 {
		policy.Advance(c, e.Next)
		return 0, nil
	}
	return policy.Control(c, &e)
}
