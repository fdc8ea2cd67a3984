package branch

import (
	"errors"
	"fmt"
	"slices"

	"jacquard/simt/lane"
)

// frame is an address that a lane keeps for later: where a call returns to, or where a
// break leads.
type frame struct {
	pc   uint32
	call bool
}

// frames are the return and break addresses of the lanes of a warp, one stack per lane. A single
// stack for the warp fails when lanes are in different calls or loops. Lanes
// that run together share entries: a lane's stack is the entries that hold it, in order.
type frames struct {
	held    []sharedFrame
	calls   [lane.Width]uint32 // calls on each lane's stack
	deepest int                // most shared frames so far
	went    []path             // scratch of breaks and returns
}

type sharedFrame struct {
	frame
	lanes lane.Mask // never empty
}

func (f *frames) reset() {
	f.held, f.calls, f.deepest = f.held[:0], [lane.Width]uint32{}, 0
}

// push gives every lane of m one more frame.
func (f *frames) push(m lane.Mask, add frame) error {
	if m == 0 {
		return nil
	}
	if add.call {
		for m := m; m != 0; m &= m - 1 {
			f.calls[first(m)]++
		}
	}
	n := len(f.held)
	if n >= stackLimit {
		if err := f.checkLimit(m); err != nil {
			return err
		}
	}
	if n > 0 && f.held[n-1].frame == add && f.held[n-1].lanes&m == 0 {
		f.held[n-1].lanes |= m
		return nil
	}
	f.held = append(f.held, sharedFrame{add, m})
	f.deepest = max(f.deepest, n+1)
	return nil
}

// checkLimit returns an error if a lane of m holds stackLimit frames, the limit of the token
// stack.
func (f *frames) checkLimit(m lane.Mask) error {
	var count [lane.Width]int
	for _, e := range f.held {
		for both := e.lanes & m; both != 0; both &= both - 1 {
			count[first(both)]++
		}
	}
	if l := slices.IndexFunc(count[:], func(n int) bool { return n >= stackLimit }); l >= 0 {
		return fmt.Errorf("control stack overflow: lane %d holds more than %d call and break addresses",
			l, stackLimit)
	}
	return nil
}

// breaks takes the innermost break address from every lane of m and returns where the
// lanes go. The paths are valid until the next call.
func (f *frames) breaks(m lane.Mask) (to []path, err error) {
	f.went = f.went[:0]
	for i := len(f.held) - 1; m != 0; i-- {
		if i < 0 {
			return nil, errUnannounced
		}
		e := &f.held[i]
		hit := e.lanes & m
		if hit == 0 {
			continue
		}
		if e.call {
			return nil, errUnannounced
		}
		f.group(e.pc, hit)
		m &^= hit
		f.drop(i, hit)
	}
	return f.sorted(), nil
}

var errUnannounced = errors.New("control stack underflow: break out of a loop that was never announced")

// returns takes from every lane of m the innermost call and the break addresses announced
// since. It returns where the lanes go, and the lanes that are in no call. The paths are valid
// until the next call.
func (f *frames) returns(m lane.Mask) (to []path, outside lane.Mask) {
	for m := m; m != 0; m &= m - 1 {
		if l := first(m); f.calls[l] == 0 {
			outside |= 1 << l
		} else {
			f.calls[l]--
		}
	}
	m &^= outside
	f.went = f.went[:0]
	for i := len(f.held) - 1; m != 0; i-- {
		e := &f.held[i]
		hit := e.lanes & m
		if e.call && hit != 0 {
			f.group(e.pc, hit)
			m &^= hit
		}
		f.drop(i, hit)
	}
	return f.sorted(), outside
}

// drop takes lanes out of shared frame i.
func (f *frames) drop(i int, m lane.Mask) {
	e := &f.held[i]
	if e.lanes &^= m; e.lanes == 0 {
		f.held = slices.Delete(f.held, i, i+1)
	}
}

// group adds the lanes of m to the path at pc.
func (f *frames) group(pc uint32, m lane.Mask) {
	for i := range f.went {
		if f.went[i].pc == pc {
			f.went[i].mask |= m
			return
		}
	}
	f.went = append(f.went, path{pc, m})
}

// sorted returns the paths in the order of their lowest lanes.
func (f *frames) sorted() []path {
	if len(f.went) > 1 {
		slices.SortFunc(f.went, func(a, b path) int { return first(a.mask) - first(b.mask) })
	}
	return f.went
}

// fingerprint appends the frames of the lanes of m.
func (f *frames) fingerprint(to []byte, m lane.Mask) []byte {
	for _, e := range f.held {
		if both := e.lanes & m; both != 0 {
			to = append(appendPath(to, path{e.pc, both}), byte(flag(e.call)))
		}
	}
	return append(to, 0xff)
}
