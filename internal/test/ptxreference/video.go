package ptxreference

import (
	"cmp"

	"jacquard/ptx"
)

// video returns the operations on the two halves or four bytes of words.
func (b *binder) video() operation {
	in := b.in
	t, from := in.Type, [...]ptx.Type{in.From, in.From2}
	if in.Op == ptx.OpVset2 || in.Op == ptx.OpVset4 {
		t, from = ptx.U32, [...]ptx.Type{in.Type, in.From}
	}
	n := in.Op.Lanes()
	w, f := wordType{t, 32 / n, signed(t)}, b.videoLane()
	if f == nil || len(in.Args) != 4 {
		return operation{}
	}
	read := func(both uint64, arg, i int) int64 {
		k := (arg-1)*n + i
		if l := in.Args[arg].Lane; l != ptx.WholeLane {
			k = l.Part(i)
		}
		return wordType{from[arg-1], w.bits, signed(from[arg-1])}.lane(both >> (k * w.bits))
	}
	return ternary(ptx.B32, func(x, y, c uint64) uint64 {
		both, r := y<<32|x, c
		for i := range n {
			if !in.Args[0].Lane.Has(i) {
				continue
			}
			lane := f(read(both, 1, i), read(both, 2, i))
			if in.Mods&ptx.Sat != 0 {
				lane = min(max(lane, w.lane(w.lowest())), w.lane(w.highest()))
			}
			if in.Atom == ptx.AtomAdd {
				r += uint64(lane)
				continue
			}
			field := ones(w.bits) << (i * w.bits)
			r = r&^field | uint64(lane)<<(i*w.bits)&field
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

// videoLane returns the operation on a lane.
func (b *binder) videoLane() func(x, y int64) int64 {
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
		return func(x, y int64) int64 { return int64(truth(fulfils(b.in.Cmp, cmp.Compare(x, y)))) }
	}
	return nil
}
