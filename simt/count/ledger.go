package count

import (
	"math/bits"
	"unsafe"

	"jacquard/simt/check"
	"jacquard/simt/lane"
	"jacquard/simt/machine"
	"jacquard/simt/mem"
	"jacquard/simt/program"
)

// A Ledger has the statistics of a launch while it runs, as one worker counted them. A run of
// straight-line code is counted once, as a difference at its two ends, and expanded to
// instructions when read. Ledgers are sums and greatest values: it does not matter which worker
// ran which block.
type Ledger struct {
	machine.Counts
	Each  []Detail // by instruction index
	forks []forked // by Fork.Number; Stats expands them
	sums
}

// sums are the fields of a ledger that are no lists.
type sums struct {
	some   [Slots + 1][Quads + 1]uint64 // issues of some lanes, by slots and by quads
	Issued uint64
	merges uint64
	multi  uint64
	swaps  uint64

	predictions, mispredictions uint64

	paths   int
	Depth   int
	Partial uint64 // barrier arrivals of warps with fewer lanes than at their start

	InStep   earliest[check.Dependence]
	Overruns earliest[machine.Overrun]
	Missed   missedBarriers
}

// earliest is the finding of the block with the lowest number.
type earliest[T any] struct {
	found *T // nil: nothing yet
	block int
}

// Note takes in the finding of a block, by its number in the grid; nil is no finding.
func (e *earliest[T]) Note(block int, found *T) {
	if found != nil && (e.found == nil || block < e.block) {
		e.found, e.block = found, block
	}
}

// Detail counts one instruction as it issues.
type Detail struct {
	vetoed uint64   // issues of join carriers that did not execute
	kept   uint64   // active lanes of vetoed issues
	Branch Outcomes // outcomes that are not in Counts
}

// Begin starts the ledger of a launch, in the storage of an earlier launch of the same program. A
// ledger that is off prices nothing.
func (c *Ledger) Begin(p *program.Program, off bool) {
	instructions, slots := len(p.Code), p.Slots
	if len(c.Access) != slots {
		c.Access = make([]mem.Access, slots)
	}
	for i := range c.Access {
		c.Access[i].Forget()
	}
	if len(c.Off) != instructions {
		access := c.Access
		c.Counts = machine.NewCounts(instructions)
		c.Access = access
	}
	c.Clear()
	c.Priced = !off
	c.Each = append(c.Each[:0], make([]Detail, instructions)...)
	c.forks = append(c.forks[:0], make([]forked, len(p.Forks))...)
	c.sums = sums{}
}

// LedgerBytes returns the approximate size of a program's ledger.
func LedgerBytes(p *program.Program) int {
	issues := int(unsafe.Sizeof(int64(0))) * (lane.Width + 1)
	return len(p.Code)*(issues+int(unsafe.Sizeof(Detail{}))) + p.Slots*int(unsafe.Sizeof(mem.Access{})) +
		len(p.Forks)*int(unsafe.Sizeof(forked{}))
}

// Take adds the ledger of another worker. That ledger must Begin before it counts again.
func (c *Ledger) Take(o *Ledger) {
	c.paths = max(c.paths, o.paths)
	c.Depth = max(c.Depth, o.Depth)
	c.InStep.Note(o.InStep.block, o.InStep.found)
	c.Overruns.Note(o.Overruns.block, o.Overruns.found)
	c.Missed.take(o.Missed)
	c.predictions += o.predictions // also of a block that issues no more
	c.mispredictions += o.mispredictions
	if o.Issued == 0 {
		return
	}
	c.Counts.Take(&o.Counts)
	for i := range o.Each {
		if t := &o.Each[i]; *t != (Detail{}) {
			c.Each[i].add(t)
		}
	}
	for i := range c.Access {
		c.Access[i].Merge(&o.Access[i])
	}
	for i := range o.forks {
		c.forks[i].add(&o.forks[i])
	}
	for i := range o.some {
		addTo(c.some[i][:], o.some[i][:])
	}
	c.Issued += o.Issued
	c.merges += o.merges
	c.multi += o.multi
	c.swaps += o.swaps
	c.Partial += o.Partial
}

func (t *Detail) add(o *Detail) {
	t.vetoed += o.vetoed
	t.kept += o.kept
	t.Branch.add(&o.Branch)
}

func addTo[T int64 | uint64](sums, what []T) {
	for i, v := range what {
		sums[i] += v
	}
}

// slotsAndQuads returns how many aligned groups of eight lanes, and of four, have a lane in m.
func slotsAndQuads(m lane.Mask) (slots, quads int) {
	m |= m >> 2
	m |= m >> 1
	m &= 0x11111111
	quads = bits.OnesCount32(uint32(m))
	m |= m >> 4
	return bits.OnesCount32(uint32(m) & 0x01010101), quads
}

// Wanted says what statistics a launch wants.
type Wanted uint8

// From most to least.
const (
	Instructions Wanted = iota // counts of each instruction, and sums
	Sums
	Nothing // only what needs no counting
)

// Nest makes Depth at least the depths of the instructions that were issued. The depths are by
// instruction; nil is none.
func (c *Ledger) Nest(depths []int) {
	var room [lane.Width + 1]issues
	lists := c.issueLists(room[:0])
	total := int64(0)
	for i, depth := range depths {
		for j := range lists {
			total += lists[j].changes[i]
		}
		if total != 0 {
			c.Depth = max(c.Depth, depth)
		}
	}
}

// Stats fills in the statistics of a launch of p, except shape, waves and time. s may have the
// statistics of an earlier launch, which are lost.
func (c *Ledger) Stats(s *Stats, p *program.Program, wanted Wanted) {
	list := s.ByInstruction
	*s = Stats{}
	s.Kernel, s.Plan, s.DeepestStack, s.PartialBarriers = p.Kernel.Name, p.Plan, c.Depth, c.Partial
	s.InStep, s.Overrun, s.Missed = c.InStep.found, c.Overruns.found, c.Missed.list()
	if wanted == Nothing {
		return
	}
	c.expandForks(p)
	s.Merges, s.MultipleMerges, s.Swaps, s.MostPaths = c.merges, c.multi, c.swaps, max(c.paths, 1)
	s.Predictions, s.Mispredictions = c.predictions, c.mispredictions
	for slots := range c.some {
		for quads, n := range c.some[slots] {
			s.BCC[slots] += n
			s.QuadBCC[quads] += n
		}
	}
	if wanted == Instructions {
		if s.ByInstruction = list; len(list) != len(p.Counted) {
			s.ByInstruction = make([]InstructionStats, len(p.Counted))
		}
	}
	var room [lane.Width + 1]issues
	lists := c.issueLists(room[:0])
	total := int64(0) // issues of the present instruction
	var one InstructionStats
	for i := range p.Counted {
		k, t := &p.Counted[i], &c.Each[i]
		for j := range lists {
			if more := lists[j].changes[i]; more != 0 {
				lists[j].number += more
				total += more
			}
		}
		in := &one
		if wanted == Instructions {
			in = &s.ByInstruction[i]
		}
		if in.Issues != 0 {
			*in = InstructionStats{}
		}
		in.PC = k.PC
		if total == 0 { // most instructions of a long kernel in a small launch
			continue
		}
		in.Off, in.Vetoed, in.Waited = c.Off[i], t.vetoed, c.Waited[i]
		for _, l := range lists {
			if l.number != 0 {
				in.issued(l.lanes, uint64(l.number))
			}
		}
		if k.Control {
			in.Branch = t.Branch
			in.Branch.NotTaken += c.NotTaken[i]
			c.taken(i, &in.Branch)
		}
		in.Threads -= c.Off[i] + t.kept
		if k.Touches {
			c.Access[k.Slot].Total(&in.Memory)
		}
		s.add(k, in)
	}
	s.BCC[Slots] += s.Active[lane.Width]
	s.QuadBCC[Quads] += s.Active[lane.Width]
	for n, issues := range s.Active {
		if issues != 0 { // few numbers of lanes occur
			s.SCC[(n+SlotLanes-1)/SlotLanes] += issues
		}
	}
}

// issues is how often an instruction issued with one number of active lanes. The changes are from
// each instruction to the next.
type issues struct {
	lanes   int
	number  int64
	changes []int64
}

// issueLists appends the lists of issues to list.
func (c *Ledger) issueLists(list []issues) []issues {
	for used := c.Used; used != 0; used &= used - 1 {
		n := bits.TrailingZeros64(used)
		if c.Issues[n] != nil {
			list = append(list, issues{lanes: n, changes: c.Issues[n]})
		}
	}
	return list
}

// taken adds how often all lanes of a warp took the branch at index i.
func (c *Ledger) taken(i int, o *Outcomes) {
	for used := c.Used; used != 0; used &= used - 1 {
		n := bits.TrailingZeros64(used)
		if list := c.Taken[n]; list != nil {
			o.Taken += list[i]
			o.Threads += uint64(n) * list[i]
		}
	}
}

// issued adds issues with a number of active lanes.
func (s *InstructionStats) issued(lanes int, issues uint64) {
	s.Active[lanes] += issues
	s.Issues += issues
	s.Threads += uint64(lanes) * issues
}
