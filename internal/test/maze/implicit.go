package maze

import (
	"fmt"
	"math/bits"
	"slices"
	"strings"

	"jacquard/simt/lane"
	"jacquard/tesla"
)

// replay leads a warp along the ways of its lanes by the rules of S. Collange, M. Daumas, D.
// Defour, D. Parello, "Étude comparée et simulation d'algorithmes de branchements pour le GPGPU"
// (2009), section 5.2. It shares no code with the policy: the way of a lane gives its address, and
// the only state of a lane is the thing that it waits for.
type replay struct {
	follower
	bySource bool // a loop is kept only if its branch diverges
	atOnce   bool // an instruction at which several entries end is issued once

	waits [lane.Width]*hold // nil: the lane runs
	calls []*call           // the calls that the warp is in, after one for the kernel
}

func newReplay(f follower, options string) rules {
	return &replay{
		follower: f,
		bySource: strings.Contains(options, "key=source"),
		atOnce:   strings.Contains(options, "meet=once"),
	}
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

// waiting returns the lanes that wait for h; for nil, the lanes that run.
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
		if err := r.next(running); err != nil {
			return err
		}
		if here := r.waiting(nil); here != 0 {
			r.compare(here)
		}
	}
}

// wake lets lanes run when none does: first the lanes that began to wait last, in the innermost
// call, then lanes that have returned from it, and at last lanes at a barrier.
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

// next issues the next instruction for the lanes that run, all at one address.
func (r *replay) next(running lane.Mask) error {
	i, err := r.issue(running)
	if err != nil {
		return err
	}
	switch i.op {
	case tesla.OpBra, tesla.OpBraIndirect:
		r.branch(running, i.taken, i.target, i.next)
	case tesla.OpBreak:
		r.scatter(i.taken)
	case tesla.OpCall:
		r.calls = append(r.calls, &call{back: hold{pc: i.next}})
	case tesla.OpPreRet:
		r.calls = append(r.calls, &call{back: hold{pc: i.target}})
	case tesla.OpRet:
		if c := r.call(); len(r.calls) > 1 {
			r.hold(i.taken, &c.back)
		}
	case tesla.OpBar:
		if len(r.calls) > 1 {
			return fmt.Errorf("a barrier in a call, at 0x%x", i.pc)
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
