package tags_test

import (
	"fmt"

	"jacquard/observe/tags"
	"jacquard/simt"
	"jacquard/simt/lane"
	"jacquard/tesla"
)

// checker is an observer that compares tags with the values of registers, and counts operands issue
// by issue.
type checker struct {
	wrong  error           // the first register that contradicts its tag
	counts []simt.Operands // by instruction

	program *simt.Program
	effects []simt.Effects
	at      map[*tesla.Instruction]int
	block   [3]int
}

// newChecker returns a checker for a launch, to be attached as its observer.
func newChecker(l *simt.Launch) *checker {
	c := &checker{program: l.Program, block: l.Block, at: map[*tesla.Instruction]int{}, counts: make([]simt.Operands, l.Program.Instructions())}
	for i := range l.Program.Instructions() {
		c.effects = append(c.effects, l.Program.Effects(i))
		c.at[&l.Program.Kernel.Code[i]] = i
	}
	return c
}

// Block returns the observer of a block.
func (c *checker) Block(b *simt.Block) simt.BlockObserver {
	o := &checkedBlock{checker: c}
	for w, m := range b.Lanes() {
		o.live = append(o.live, m)
		for range lane.Width / b.WarpLanes() {
			o.tags = append(o.tags, tags.Start(c.block, len(o.tags), b.WarpLanes()))
		}
		for r := range c.program.Kernel.Registers {
			o.look(b, "at its start", r, w)
		}
	}
	return o
}

// checkedBlock is the observer of one block.
type checkedBlock struct {
	*checker
	live []lane.Mask  // by home warp
	tags []tags.State // by warp
}

// groups calls do for the warps that have lanes of m in a home warp.
func (o *checkedBlock) groups(b *simt.Block, home int, m lane.Mask, do func(tags *tags.State, group lane.Mask)) {
	for lanes, i := b.WarpLanes(), 0; i < lane.Width; i += lanes {
		if group := lane.Group(1<<i, lanes); m&group != 0 {
			do(&o.tags[(home*lane.Width+i)/lanes], group)
		}
	}
}

func (o *checkedBlock) End() {}

// Issue checks the registers that an issue wrote.
func (o *checkedBlock) Issue(i *simt.Issue) {
	index, known := o.at[i.Instruction]
	if !known {
		return
	}
	for w := range i.Warps() {
		if w.Vetoed {
			continue
		}
		executed := w.Executed
		if o.effects[index].Decides {
			executed = w.Active
		}
		o.groups(i.Block, w.Warp, executed, func(tags *tags.State, group lane.Mask) {
			n := tags.Step(i.Instruction, &o.effects[index], executed&group == o.live[w.Warp]&group)
			o.counts[index].Add(&n, 1)
		})
		for _, r := range o.effects[index].Registers {
			o.look(i.Block, fmt.Sprintf("after %04x %v", i.PC, i.Instruction), r, w.Warp)
		}
		if i.Instruction.Marker == tesla.MarkerExit {
			o.live[w.Warp] &^= w.Active
		}
	}
}

// look compares a register with its tag.
func (o *checkedBlock) look(b *simt.Block, when string, r, w int) {
	if o.wrong != nil {
		return
	}
	row := b.Register(r, w)
	o.groups(b, w, lane.All, func(tags *tags.State, group lane.Mask) {
		if tag := tags.Register(r); !holds(tag, &row, o.live[w]&group) {
			o.wrong = fmt.Errorf("block %d, warp %d: $r%d %s is said to be %d in lanes %08x: %x", b.Number(), w, r, when, tag, uint32(o.live[w]&group), row)
		}
	})
}

// holds reports whether a tag is true of lanes of a row.
func holds(tag tags.Tag, row *lane.Row, lanes lane.Mask) bool {
	switch tag {
	case tags.Uniform:
		return same(row, lanes, 0)
	case tags.Split:
		for l, v := range row {
			if lanes>>l&1 != 0 && v&0xffff >= 1<<15 {
				return false
			}
		}
		return same(row, lanes, 16) && linear(row, lanes, func(v uint32) uint32 { return v & 0xffff })
	case tags.Affine:
		return linear(row, lanes, func(v uint32) uint32 { return v })
	}
	return true
}

// same reports whether the bits from shift on are equal in lanes.
func same(row *lane.Row, lanes lane.Mask, shift int) bool {
	first := -1
	for l, v := range row {
		switch {
		case lanes>>l&1 == 0:
		case first < 0:
			first = l
		case v>>shift != row[first]>>shift:
			return false
		}
	}
	return true
}

// linear reports whether b + s*l fits all lanes for some b and s. Two neighbouring lanes give b and
// s; without neighbours there is nothing to contradict.
func linear(row *lane.Row, lanes lane.Mask, of func(uint32) uint32) bool {
	pairs := lanes & (lanes >> 1)
	if pairs == 0 {
		return true
	}
	first := uint32(0)
	for pairs>>first&1 == 0 {
		first++
	}
	step := of(row[first+1]) - of(row[first])
	for l, v := range row {
		if lanes>>l&1 != 0 && of(v) != of(row[first])+step*(uint32(l)-first) {
			return false
		}
	}
	return true
}
