package branch

import (
	"errors"
	"fmt"

	"jacquard/simt/lane"
)

// frameLimit is the most frames a lane may hold: as many as the token stack has entries.
const frameLimit = stackLimit

// frame is an address that a lane leaves for later: where a call returns to, or where a
// break leads.
type frame struct {
	pc   uint32
	call bool
}

// frames are the return and break addresses of the lanes of a warp, a stack for each. One
// stack for the warp would go wrong as soon as lanes are in different calls or loops.
type frames struct {
	of      [lane.Width][]frame
	calls   [lane.Width]uint32 // calls on each lane's stack
	deepest int
}

func (f *frames) reset() {
	for l := range f.of {
		f.of[l] = f.of[l][:0]
	}
	f.calls, f.deepest = [lane.Width]uint32{}, 0
}

// push gives every lane of m one more frame.
func (f *frames) push(m lane.Mask, add frame) error {
	for ; m != 0; m &= m - 1 {
		l := first(m)
		if len(f.of[l]) == frameLimit {
			return fmt.Errorf("control stack overflow: lane %d holds more than %d call and break addresses", l, frameLimit)
		}
		f.of[l] = append(f.of[l], add)
		f.deepest = max(f.deepest, len(f.of[l]))
		if add.call {
			f.calls[l]++
		}
	}
	return nil
}

// popBreak takes the innermost break address from lane l.
func (f *frames) popBreak(l int) (uint32, error) {
	s := f.of[l]
	if len(s) == 0 || s[len(s)-1].call {
		return 0, errors.New("control stack underflow: break out of a loop that was never announced")
	}
	f.of[l] = s[:len(s)-1]
	return s[len(s)-1].pc, nil
}

// popCall takes from lane l the innermost call and the break addresses announced since. It
// reports false if the lane is in no call.
func (f *frames) popCall(l int) (pc uint32, ok bool) {
	if f.calls[l] == 0 {
		return 0, false
	}
	s := f.of[l]
	for !s[len(s)-1].call {
		s = s[:len(s)-1]
	}
	f.of[l] = s[:len(s)-1]
	f.calls[l]--
	return s[len(s)-1].pc, true
}

// breaks takes the innermost break address from every lane of m and returns where the
// lanes go.
func (f *frames) breaks(m lane.Mask) (to []path, err error) {
	for ; m != 0; m &= m - 1 {
		l := first(m)
		pc, err := f.popBreak(l)
		if err != nil {
			return nil, err
		}
		to = group(to, pc, l)
	}
	return to, nil
}

// returns takes the innermost call from every lane of m and returns where the lanes go,
// and which are in no call.
func (f *frames) returns(m lane.Mask) (to []path, outside lane.Mask) {
	for ; m != 0; m &= m - 1 {
		l := first(m)
		if pc, ok := f.popCall(l); ok {
			to = group(to, pc, l)
		} else {
			outside |= 1 << l
		}
	}
	return to, outside
}

// group adds lane l to the path at pc.
func group(to []path, pc uint32, l int) []path {
	for i := range to {
		if to[i].pc == pc {
			to[i].mask |= 1 << l
			return to
		}
	}
	return append(to, path{pc, 1 << l})
}

// fingerprint appends the frames of the lanes of m.
func (f *frames) fingerprint(to []byte, m lane.Mask) []byte {
	for ; m != 0; m &= m - 1 {
		s := f.of[first(m)]
		to = appendWord(to, uint32(len(s)))
		for _, x := range s {
			to = appendWord(to, x.pc<<1|flag(x.call))
		}
	}
	return to
}
