package ptxreference

import "jacquard/ptx"

// video returns the operations on the two halves or four bytes of words.
func (b *binder) video() operation {
	in := b.in
	w := wordType{in.Type, 16, signed(in.Type)}
	switch in.Op {
	case ptx.OpVabsdiff4, ptx.OpVadd4, ptx.OpVavrg4, ptx.OpVmax4, ptx.OpVmin4, ptx.OpVset4,
		ptx.OpVsub4:
		w.bits = 8
	}
	f, sat, sum := b.videoLane(w), in.Mods&ptx.Sat != 0, in.Atom == ptx.AtomAdd
	if f == nil {
		return operation{}
	}
	return ternary(ptx.B32, func(x, y, c uint64) (r uint64) {
		for at := 0; at < 32; at += w.bits {
			lane := f(w.lane(x>>at), w.lane(y>>at))
			if sat {
				lane = min(max(lane, w.lane(w.lowest())), w.lane(w.highest()))
			}
			if sum {
				c += uint64(lane)
			}
			r |= uint64(lane) & ones(w.bits) << at
		}
		if sum {
			return c
		}
		return r
	})
}

// lane returns the value of the lowest bits of x.
func (w wordType) lane(x uint64) int64 {
	x &= ones(w.bits)
	if w.signed {
		return signExtend(x, w.bits)
	}
	return int64(x)
}

// videoLane returns what the instruction does with a lane.
func (b *binder) videoLane(w wordType) func(x, y int64) int64 {
	switch b.in.Op {
	case ptx.OpVadd2, ptx.OpVadd4:
		return func(x, y int64) int64 { return x + y }
	case ptx.OpVsub2, ptx.OpVsub4:
		return func(x, y int64) int64 { return x - y }
	case ptx.OpVmin2, ptx.OpVmin4:
		return func(x, y int64) int64 { return min(x, y) }
	case ptx.OpVmax2, ptx.OpVmax4:
		return func(x, y int64) int64 { return max(x, y) }
	case ptx.OpVabsdiff2, ptx.OpVabsdiff4:
		return func(x, y int64) int64 { return max(x-y, y-x) }
	case ptx.OpVavrg2, ptx.OpVavrg4:
		return func(x, y int64) int64 { // one half is rounded away from zero
			if x+y < 0 {
				return (x + y) >> 1
			}
			return (x + y + 1) >> 1
		}
	case ptx.OpVset2, ptx.OpVset4:
		holds := b.comparison(b.in.Type)
		if holds == nil {
			return nil
		}
		return func(x, y int64) int64 {
			return int64(truth(holds(uint64(uint32(x)), uint64(uint32(y)))))
		}
	}
	return nil
}
