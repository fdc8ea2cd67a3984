package trace

import (
	"math/bits"
	"slices"

	"jacquard/simt/branch"
	"jacquard/simt/lane"
)

// partDecoder reads the issues of one part.
type partDecoder struct {
	predictor
	control cursor
	values  cursor
	words   cursor
	run     int // predicted issues still to come
	left    uint32
	step    Step
	kernel  *Kernel
}

// start begins with a part. Launch and Mixed of the steps are the caller's.
func (d *partDecoder) start(p *part, k *Kernel) {
	d.predictor.start(len(k.Code), p.first)
	d.control, d.values, d.words = cursor{data: p.data[:p.control]}, cursor{data: p.data[p.control:]}, cursor{data: p.words}
	d.run, d.left, d.kernel = 0, p.issues, k
	d.step.Block = int(p.block)
}

// next reads an issue into d.step. It reports false at the end of the part, or if something is
// wrong: then why says what.
func (d *partDecoder) next() (ok bool, why string) {
	if d.left == 0 {
		if d.run != 0 || d.control.at != len(d.control.data) || d.values.at != len(d.values.data) || d.words.at != len(d.words.data) {
			return false, "a part with more issues than it says"
		}
		return false, ""
	}
	d.left--
	has := byte(0)
	if d.run > 0 {
		d.run--
	} else if b := d.control.byte(); b < explicit {
		d.run = int(b)
	} else {
		has = b &^ explicit
	}
	set := d.issue(has)
	if d.control.why != "" {
		return false, d.control.why
	}
	d.note(&d.step, set, has&(hasWarps|hasTime) == 0)
	d.readValues()
	return d.values.why == "", d.values.why
}

// issue reads what is written of an issue and predicts the rest.
func (d *partDecoder) issue(has byte) branch.WarpSet {
	s, c := &d.step, &d.control
	var set branch.WarpSet
	switch {
	case has >= flagsInUse:
		c.fail("an issue with unknown parts")
		return 0
	case has&hasWarps != 0:
		set = branch.WarpSet(c.uvarint(lane.MaxWarps))
	case d.leads != 0:
		set = d.mates[d.lead()]
	}
	if set == 0 {
		c.fail("an issue without warps")
		return 0
	}
	first := bits.TrailingZeros16(uint16(set))
	s.Time = d.time[first]
	if has&hasTime != 0 {
		s.Time = d.now + c.uvarint(64)
	}
	index := int64(d.index(first))
	if has&hasIndex != 0 {
		index += c.varint()
	}
	if index < 0 || index >= int64(len(d.kernel.Code)) {
		c.fail("an instruction that the kernel does not have")
		return 0
	}
	s.Index = int(index)
	s.N, s.Vetoed = 0, 0
	for rest := set; rest != 0; rest &= rest - 1 {
		w := bits.TrailingZeros16(uint16(rest)) & (lane.MaxWarps - 1)
		m := d.mask[w]
		if has&hasActive != 0 {
			m ^= lane.Mask(c.uvarint(lane.Width))
		}
		s.Warp[s.N], s.Active[s.N], s.Executed[s.N] = uint8(w), m, m
		s.N++
	}
	if has&(hasVetoed|hasExecuted) != 0 {
		d.executed(has, set)
	}
	return set
}

// executed reads which lanes did not execute.
func (d *partDecoder) executed(has byte, set branch.WarpSet) {
	s, c := &d.step, &d.control
	if has&hasVetoed != 0 {
		s.Vetoed = branch.WarpSet(c.uvarint(lane.MaxWarps))
	}
	if s.Vetoed&^set != 0 {
		c.fail("a vetoed warp that did not issue")
	}
	for k := range s.N {
		switch {
		case s.Vetoed>>s.Warp[k]&1 != 0:
			s.Executed[k] = 0
		case has&hasExecuted != 0:
			off := lane.Mask(c.uvarint(lane.Width))
			if off&^s.Active[k] != 0 {
				c.fail("a lane that was not active")
			}
			s.Executed[k] &^= off
		}
	}
}

// readValues reads the values of the issue in d.step.
func (d *partDecoder) readValues() {
	s := &d.step
	slots := d.kernel.Values[s.Index]
	s.Values = slices.Grow(s.Values[:0], s.N*len(slots)) // filled in place: a value is large
	if len(slots) == 0 {
		return
	}
	for k := range s.N {
		if s.Executed[k] == 0 {
			continue
		}
		for _, slot := range slots {
			n := len(s.Values)
			s.Values = s.Values[:n+1]
			v := &s.Values[n]
			v.Slot, v.Warp, v.Lanes = slot, int(s.Warp[k]), s.Executed[k]
			d.readRow(&v.Row, v.Lanes)
		}
	}
}
