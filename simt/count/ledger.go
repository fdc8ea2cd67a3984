package count

import (
	"unsafe"

	"jacquard/simt/check"
	"jacquard/simt/lane"
	"jacquard/simt/machine"
	"jacquard/simt/mem"
	"jacquard/simt/program"
)

// A Ledger is the statistics of a launch while it runs, as far as one worker saw it. A straight
// run is counted once, as a difference at its two ends, and expanded to instructions when read.
// They are sums and greatest values: which worker ran which block does not matter.
type Ledger struct {
	machine.Counts
	full    []int64     // difference array by instruction index: issues with all lanes active
	some    []histogram // difference arrays: issues of other cohorts, by active lanes; empty until there is one
	Each    []Detail    // by instruction index
	slots   [Slots + 1]uint64
	Issued  uint64
	merges  uint64
	swaps   uint64
	paths   int
	Depth   int
	Partial uint64 // barrier arrivals of warps with only part of their live lanes active

	inStep   earliest[check.Dependence]
	overruns earliest[machine.Overrun]
}

// earliest is what was found in the first block, by number, in which something was.
type earliest[T any] struct {
	found *T // nil: nothing yet
	block int
}

// note takes in what was found in a block; nil is nothing.
func (e *earliest[T]) note(block int, found *T) {
	if found != nil && (e.found == nil || block < e.block) {
		e.found, e.block = found, block
	}
}

// histogram counts issues by active lanes.
type histogram [lane.Width + 1]int64

// Detail is what is counted of one instruction as it executes.
type Detail struct {
	vetoed uint64 // issues of join carriers that did not execute
	kept   uint64 // lanes active in these
	Waited uint64 // rounds that warps waited at a barrier
	Branch Outcomes
}

// Begin makes a ledger of a launch, in the storage of an earlier one of the same program. How its
// accesses lay to each other the ledger knows already. A ledger that is off knows what has issued,
// and prices nothing.
func (c *Ledger) Begin(p *program.Program, off bool) {
	instructions, slots := len(p.Code), p.Slots
	if len(c.Access) != slots {
		c.Access = make([]mem.Access, slots)
	}
	for i := range c.Access {
		c.Access[i].Cost = mem.Cost{}
	}
	*c = Ledger{
		Counts: machine.Counts{Off: append(c.Off[:0], make([]uint64, instructions)...), Access: c.Access, Priced: !off},
		full:   append(c.full[:0], make([]int64, instructions+1)...),
		some:   c.some[:0],
		Each:   append(c.Each[:0], make([]Detail, instructions)...),
	}
}

// LedgerBytes returns about how large the ledger of a program is.
func LedgerBytes(p *program.Program) int {
	return len(p.Code)*int(unsafe.Sizeof(histogram{})+unsafe.Sizeof(Detail{})) + p.Slots*int(unsafe.Sizeof(mem.Access{}))
}

// histograms returns the difference arrays of issues by active lanes.
func (c *Ledger) histograms() []histogram {
	if len(c.some) == 0 {
		c.some = append(c.some, make([]histogram, len(c.full))...)
	}
	return c.some
}

// Merge adds what another worker counted.
func (c *Ledger) Merge(o *Ledger) {
	c.paths = max(c.paths, o.paths)
	c.Depth = max(c.Depth, o.Depth)
	c.inStep.note(o.inStep.block, o.inStep.found)
	c.overruns.note(o.overruns.block, o.overruns.found)
	if o.Issued == 0 {
		return
	}
	addTo(c.full, o.full)
	if len(o.some) > 0 {
		some := c.histograms()
		for i := range some {
			addTo(some[i][:], o.some[i][:])
		}
	}
	addTo(c.Off, o.Off)
	for i := range c.Each {
		c.Each[i].add(&o.Each[i])
	}
	for i := range c.Access {
		c.Access[i].Cost.Add(&o.Access[i].Cost)
	}
	addTo(c.slots[:], o.slots[:])
	c.Issued += o.Issued
	c.merges += o.merges
	c.swaps += o.swaps
	c.Partial += o.Partial
}

func (t *Detail) add(o *Detail) {
	t.vetoed += o.vetoed
	t.kept += o.kept
	t.Waited += o.Waited
	t.Branch.add(&o.Branch)
}

func addTo[T int64 | uint64](sums, what []T) {
	for i, v := range what {
		sums[i] += v
	}
}

// groups returns how many of the aligned groups of eight lanes have a lane in m.
func groups(m lane.Mask) int {
	m |= m >> 4
	m |= m >> 2
	m |= m >> 1
	return int((uint32(m) & 0x01010101) * 0x01010101 >> 24) // the sum of the four bytes
}

// Stats returns what the ledger of a launch of p says. Shape, waves and time are the caller's to
// fill in.
func (c *Ledger) Stats(p *program.Program, off bool) *Stats {
	s := &Stats{
		Kernel: p.Kernel.Name, Plan: p.Plan, DeepestStack: c.Depth, PartialBarriers: c.Partial,
		InStep: c.inStep.found, Overrun: c.overruns.found,
	}
	if off {
		return s
	}
	s.Merges, s.Swaps, s.MostPaths = c.merges, c.swaps, max(c.paths, 1)
	s.BCC = c.slots
	s.ByInstruction = make([]InstructionStats, p.Instructions())
	full, some := int64(0), histogram{}
	for i := range s.ByInstruction {
		full += c.full[i]
		u, t := &p.Code[i], &c.Each[i]
		in := &s.ByInstruction[i]
		in.PC, in.Off, in.Vetoed, in.Waited, in.Branch = u.PC, c.Off[i], t.vetoed, t.Waited, t.Branch
		in.Active[lane.Width] = uint64(full)
		in.Issues, in.Threads = uint64(full), lane.Width*uint64(full)
		if len(c.some) > 0 {
			addTo(some[:], c.some[i][:])
			in.partly(&some)
		}
		in.Threads -= c.Off[i] + t.kept
		s.BCC[Slots] += uint64(full)
		if u.TouchesMemory() {
			in.Memory = c.Access[u.Slot].Cost
		}
		s.add(u, in)
	}
	for n, issues := range s.Active {
		s.SCC[(n+SlotLanes-1)/SlotLanes] += issues
	}
	return s
}

// partly counts issues by active lanes.
func (s *InstructionStats) partly(by *histogram) {
	for n, issues := range by {
		s.Active[n] += uint64(issues)
		s.Issues += uint64(issues)
		s.Threads += uint64(n) * uint64(issues)
	}
}

// NoteInStep takes in what was found in a block, by number; nil is nothing. NoteOverrun does the
// same.
func (c *Ledger) NoteInStep(block int, found *check.Dependence) { c.inStep.note(block, found) }

// NoteOverrun takes in an overrun of a block; nil is none.
func (c *Ledger) NoteOverrun(block int, found *machine.Overrun) { c.overruns.note(block, found) }
