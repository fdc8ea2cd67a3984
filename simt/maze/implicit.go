package maze

import (
	"fmt"
	"math/bits"
	"slices"
	"strings"

	"jacquard/simt/lane"
	"jacquard/tesla"
)

// checkImplicit returns an error if policy implicit issues anything else than what follows from its
// rules and the way of each thread alone. Other policies have no error, and neither have narrow
// warps: a test of the policies holds these to warps with as many lanes.
func (m *Maze) checkImplicit(policy string, alone *Outcome) error {
	name, options, _ := strings.Cut(policy, ":")
	if name != "implicit" || strings.Contains(options, "warp=") {
		return nil
	}
	got, err := m.allSteps(policy)
	if err != nil {
		return err
	}
	for b, ways := range alone.ways {
		for w := 0; w*lane.Width < len(ways); w++ {
			r := &replay{
				m: m, ways: ways[w*lane.Width : min(len(ways), (w+1)*lane.Width)],
				bySource: strings.Contains(options, "key=source"),
				atOnce:   strings.Contains(options, "meet=once"),
			}
			if err := r.run(); err != nil {
				return fmt.Errorf("block %d, warp %d: %w", b, w, err)
			}
			for i, s := range got[b][w] {
				if i >= len(r.steps) || s != r.steps[i] {
					return fmt.Errorf("block %d, warp %d: issue %d is %v; by the rules of the policy the issues from there are %v",
						b, w, i, s, r.steps[min(i, len(r.steps)):min(i+3, len(r.steps))])
				}
			}
			if len(r.steps) > len(got[b][w]) {
				return fmt.Errorf("block %d, warp %d: %d issues, %d by the rules of the policy", b, w, len(got[b][w]), len(r.steps))
			}
		}
	}
	return nil
}

// replay leads a warp along the ways of its lanes by the rules of S. Collange, M. Daumas, D. Defour,
// D. Parello, "Étude comparée et simulation d'algorithmes de branchements pour le GPGPU" (2009),
// section 5.2. It shares nothing with the policy: the address of a lane is known from its way, and
// what is kept for a lane is what it waits for.
type replay struct {
	m        *Maze
	ways     []way
	bySource bool // a loop is kept only if its branch diverges
	atOnce   bool // an instruction at which several entries end is issued once

	at    [lane.Width]int   // strides of the ways that are done
	waits [lane.Width]*hold // nil: the lane runs
	calls []*call           // the calls that the warp is in, after one for the kernel
	steps []Step
}

// hold is an entry of a stack, with an address where lanes wait, or a call or barrier.
type hold struct {
	pc   uint32
	loop uint32 // the address after the branch back; 0 unless lanes left a loop
}

// call is a call of the warp: its entries of both stacks in one list, in the order in which they were
// pushed.
type call struct {
	list []*hold
	back hold // for lanes that have returned
}

// barrier is what all lanes at a barrier wait for: no maze has two at a time.
var barrier hold

// pc returns where a lane is; false if it has ended.
func (r *replay) pc(l int) (uint32, bool) {
	if l >= len(r.ways) || r.at[l] == len(r.ways[l]) {
		return 0, false
	}
	return r.ways[l][r.at[l]].pc, true
}

// waiting returns the lanes that wait for h: those that run for nil.
func (r *replay) waiting(h *hold) (m lane.Mask) {
	for l := range r.ways {
		if _, live := r.pc(l); live && r.waits[l] == h {
			m |= 1 << l
		}
	}
	return m
}

// hold has lanes wait for h, or run if it is nil.
func (r *replay) hold(m lane.Mask, h *hold) {
	for l := range r.ways {
		if m>>l&1 != 0 {
			r.waits[l] = h
		}
	}
}

func (r *replay) call() *call { return r.calls[len(r.calls)-1] }

func (c *call) push(h *hold) { c.list = append(c.list, h) }

func (c *call) drop(h *hold) {
	c.list = slices.DeleteFunc(c.list, func(x *hold) bool { return x == h })
}

// last returns the last entry of one of the stacks, nil if there is none.
func (c *call) last(loop bool) *hold {
	for _, h := range slices.Backward(c.list) {
		if (h.loop != 0) == loop {
			return h
		}
	}
	return nil
}

// run leads the lanes to their ends.
func (r *replay) run() error {
	r.calls = []*call{{}}
	for {
		running := r.waiting(nil)
		if running == 0 {
			if !r.wake() {
				return nil
			}
			continue
		}
		if err := r.issue(running); err != nil {
			return err
		}
		if here := r.waiting(nil); here != 0 {
			r.compare(here)
		}
	}
}

// wake lets lanes run when none does: those that began to wait last, in the innermost call, then those
// that have returned from it, and at last those at a barrier.
func (r *replay) wake() bool {
	c := r.call()
	var from *hold
	switch n := len(c.list); {
	case n > 0:
		from = c.list[n-1]
		c.list = c.list[:n-1]
	case len(r.calls) > 1:
		from = &c.back
		r.calls = r.calls[:len(r.calls)-1]
	default:
		if r.waiting(&barrier) == 0 {
			return false
		}
		r.scatter(r.waiting(&barrier))
		return true
	}
	if m := r.waiting(from); m != 0 {
		r.hold(m, nil)
		r.compare(m)
	}
	return true
}

// scatter has lanes wait where they are, the least address as the last entry.
func (r *replay) scatter(m lane.Mask) {
	var places []uint32
	for l := range r.ways {
		if pc, live := r.pc(l); live && m>>l&1 != 0 {
			places = append(places, pc)
		}
	}
	slices.Sort(places)
	for _, pc := range slices.Backward(slices.Compact(places)) {
		h := &hold{pc: pc}
		r.call().push(h)
		r.hold(r.those(m, pc), h)
	}
}

// those returns the lanes of m at an address.
func (r *replay) those(m lane.Mask, pc uint32) (some lane.Mask) {
	for l := range r.ways {
		if at, live := r.pc(l); live && at == pc {
			some |= 1 << l
		}
	}
	return some & m
}

// compare compares the address of the lanes that run with the last forward branch.
func (r *replay) compare(running lane.Mask) {
	for ends := 0; ; ends++ {
		top := r.call().last(false)
		l := bits.TrailingZeros32(uint32(running))
		pc, _ := r.pc(l)
		switch {
		case top == nil || pc < top.pc:
			return
		case pc > top.pc:
			wake := r.waiting(top)
			r.hold(running, top)
			r.hold(wake, nil)
			top.pc = pc
			return
		}
		if ends > 0 && !r.atOnce {
			r.steps = append(r.steps, Step{PC: pc})
		}
		more := r.waiting(top)
		r.hold(more, nil)
		r.call().drop(top)
		running |= more
	}
}

// issue issues the next instruction for the lanes that run, all at one address.
func (r *replay) issue(running lane.Mask) error {
	l := bits.TrailingZeros32(uint32(running))
	pc, _ := r.pc(l)
	if r.those(running, pc) != running {
		return fmt.Errorf("lanes %08x should run together at 0x%x, but alone are elsewhere", uint32(running), pc)
	}
	r.steps = append(r.steps, Step{PC: pc, Lanes: running})
	in, next := &r.m.Code[pc/size], pc+size
	var taken lane.Mask
	for l := range r.ways {
		if running>>l&1 != 0 && r.ways[l][r.at[l]].holds {
			taken |= 1 << l
		}
	}
	if in.Op == tesla.OpBraIndirect { // lanes leave for one target at a time
		target := r.ways[l][r.at[l]+1].pc
		taken = 0
		for l := range r.ways {
			if running>>l&1 != 0 && r.ways[l][r.at[l]+1].pc == target {
				taken |= 1 << l
				r.at[l]++
			}
		}
		if taken != running {
			next = pc
		}
		r.branch(running, taken, target, next)
		return nil
	}
	for l := range r.ways {
		if running>>l&1 != 0 {
			r.at[l]++
		}
	}
	switch in.Op {
	case tesla.OpBra:
		r.branch(running, taken, in.Target, next)
	case tesla.OpBreak:
		r.scatter(taken)
	case tesla.OpCall:
		r.calls = append(r.calls, &call{back: hold{pc: next}})
	case tesla.OpPreRet:
		r.calls = append(r.calls, &call{back: hold{pc: in.Target}})
	case tesla.OpRet:
		if c := r.call(); len(r.calls) > 1 {
			r.hold(taken, &c.back)
		}
	case tesla.OpBar:
		if len(r.calls) > 1 {
			return fmt.Errorf("a barrier in a call, at 0x%x", pc)
		}
		r.hold(running, &barrier)
	}
	return nil
}

// branch has those lanes wait that another side of a branch goes before.
func (r *replay) branch(running, taken lane.Mask, target, next uint32) {
	c, left := r.call(), running&^taken
	if target >= next {
		if taken != 0 && left != 0 {
			h := &hold{pc: target}
			c.push(h)
			r.hold(taken, h)
		}
		return
	}
	loop := c.last(true)
	for loop != nil && loop.loop != next && r.waiting(loop) == 0 { // it ended in another way
		c.drop(loop)
		loop = c.last(true)
	}
	known := loop != nil && loop.loop == next
	switch {
	case taken == 0 && known:
		r.hold(r.waiting(loop), nil)
		c.drop(loop)
	case taken != 0:
		if !known && (left != 0 || !r.bySource) {
			loop, known = &hold{pc: next, loop: next}, true
			c.push(loop)
		}
		r.hold(left, loop)
	}
}
