package simt

import (
	"slices"
	"unsafe"

	"jacquard/simt/lane"
	"jacquard/simt/machine"
	"jacquard/simt/mem"
)

// counters are the statistics of a launch while it runs, as far as one worker saw it. A straight
// run is counted once, as a difference at its two ends, and expanded to instructions when read.
// They are sums and greatest values, so that it does not matter who ran which block.
type counters struct {
	machine.Counts
	full    []int64     // difference array by instruction index: issues with all lanes active
	some    []histogram // difference arrays: issues of other cohorts, by active lanes; empty until there is one
	each    []detail    // by instruction index
	slots   [Slots + 1]uint64
	issued  uint64
	merges  uint64
	swaps   uint64
	paths   int
	depth   int
	partial uint64 // barrier arrivals of warps with only part of their live lanes active

	inStep   earliest[Dependence]
	overruns earliest[Overrun]
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

// detail is what is counted of one instruction as it executes.
type detail struct {
	vetoed uint64 // issues of join carriers that did not execute
	kept   uint64 // lanes active in these
	waited uint64 // rounds that warps waited at a barrier
	branch Outcomes
}

// waveCounters are what a worker counts of a wave apart.
type waveCounters struct {
	counters
	wave int
}

// begin makes counters of a launch, in the storage of an earlier one of the same kernel. How its accesses lay to each
// other they know already.
func (c *counters) begin(g *grid) {
	instructions, slots := len(g.l.Program.Code), g.l.Program.Slots
	if len(c.Access) != slots {
		c.Access = make([]mem.Access, slots)
	}
	for i := range c.Access {
		c.Access[i].Cost = mem.Cost{}
	}
	*c = counters{
		Counts: machine.Counts{Off: append(c.Off[:0], make([]uint64, instructions)...), Access: c.Access, Priced: !g.l.NoStats},
		full:   append(c.full[:0], make([]int64, instructions+1)...),
		some:   c.some[:0],
		each:   append(c.each[:0], make([]detail, instructions)...),
	}
}

// counterBytes returns about how large the counters of a program are.
func (p *Program) counterBytes() int {
	return len(p.Code)*int(unsafe.Sizeof(histogram{})+unsafe.Sizeof(detail{})) + p.Slots*int(unsafe.Sizeof(mem.Access{}))
}

// aheadAt returns where a worker counts a wave that a fault may leave out, the last it has or a later one.
func (w *worker) aheadAt(g *grid, wave int) *counters {
	if n := len(w.ahead); n > 0 && w.ahead[n-1].wave == wave {
		return &w.ahead[n-1].counters
	}
	var c *waveCounters
	if n := len(w.spare) - 1; n >= 0 {
		c, w.spare = w.spare[n], w.spare[:n]
	} else {
		c = new(waveCounters)
	}
	c.counters.begin(g)
	c.wave = wave
	w.ahead = append(w.ahead, c)
	return &c.counters
}

// settleUp counts what was counted apart of the waves up to one.
func (w *worker) settleUp(wave int) {
	n := 0
	for ; n < len(w.ahead) && w.ahead[n].wave <= wave; n++ {
		w.counters.merge(&w.ahead[n].counters)
	}
	w.forget(n)
}

// forgetAhead leaves out the waves that were counted apart.
func (w *worker) forgetAhead() { w.forget(len(w.ahead)) }

// mostSpare is how many counters of waves a worker has for later ones.
const mostSpare = 16

// forget drops the first n counters of waves.
func (w *worker) forget(n int) {
	if n > 0 {
		w.spare = append(w.spare, w.ahead[:min(n, max(0, mostSpare-len(w.spare)))]...)
		w.ahead = slices.Delete(w.ahead, 0, n)
	}
}

// histograms returns the difference arrays of issues by active lanes.
func (c *counters) histograms() []histogram {
	if len(c.some) == 0 {
		c.some = append(c.some, make([]histogram, len(c.full))...)
	}
	return c.some
}

// merge adds what another worker counted.
func (c *counters) merge(o *counters) {
	c.paths = max(c.paths, o.paths)
	c.depth = max(c.depth, o.depth)
	c.inStep.note(o.inStep.block, o.inStep.found)
	c.overruns.note(o.overruns.block, o.overruns.found)
	if o.issued == 0 {
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
	for i := range c.each {
		c.each[i].add(&o.each[i])
	}
	for i := range c.Access {
		c.Access[i].Cost.Add(&o.Access[i].Cost)
	}
	addTo(c.slots[:], o.slots[:])
	c.issued += o.issued
	c.merges += o.merges
	c.swaps += o.swaps
	c.partial += o.partial
}

func (t *detail) add(o *detail) {
	t.vetoed += o.vetoed
	t.kept += o.kept
	t.waited += o.waited
	t.branch.add(&o.branch)
}

func addTo[T int64 | uint64](sums, what []T) {
	for i, v := range what {
		sums[i] += v
	}
}

// count counts the issue of instructions [from, to) by the lanes of s: one issue a warp, or one
// for all of s if the policy mixes warps.
func (c *convoy) count(from, to int, s *lane.Sel) {
	c.tally(from, to, s)
	if !s.Full || c.parted != 0 {
		for k, m := range s.Mask[:s.N] {
			if w := s.Warp[k]; m != c.last[w] {
				c.part(w, m)
			}
		}
	}
}

// tally is count, but for what it says about parting and meeting.
func (c *convoy) tally(from, to int, s *lane.Sel) {
	steps, issues := uint64(to-from), s.N
	switch {
	case c.mixes:
		issues = 1
		columns, some := s.Columns(), c.histograms()
		n := bitCount(columns)
		some[from][n]++
		some[to][n]--
		c.slots[groups(columns)] += steps
	case s.Full:
		c.full[from] += int64(s.N)
		c.full[to] -= int64(s.N)
	default:
		some := c.histograms()
		starts, ends := &some[from], &some[to]
		for _, m := range s.Mask[:s.N] {
			n := bitCount(m)
			starts[n]++
			ends[n]--
			c.slots[groups(m)] += steps
		}
	}
	c.issued += steps * uint64(issues)
}

// countVetoed counts the issues of a join carrier by the warps that arrived but were sent
// elsewhere instead of executing it.
func (c *convoy) countVetoed(i int, arriving, executing *lane.Sel) {
	k := 0
	for j := range arriving.N {
		if k < executing.N && executing.Warp[k] == arriving.Warp[j] {
			k++
			continue
		}
		m := arriving.Mask[j]
		n, some := bitCount(m), c.histograms()
		some[i][n]++
		some[i+1][n]--
		c.slots[groups(m)]++
		c.issued++
		c.each[i].vetoed++
		c.each[i].kept += uint64(n)
		c.part(arriving.Warp[j], m)
	}
}

// groups returns how many of the aligned groups of eight lanes have a lane in m.
func groups(m lane.Mask) int {
	m |= m >> 4
	m |= m >> 2
	m |= m >> 1
	return int((uint32(m) & 0x01010101) * 0x01010101 >> 24) // the sum of the four bytes
}

// stats expands the counters.
func (g *grid) stats() *Stats {
	l, c := g.l, &g.workers[0].counters
	for _, w := range g.workers[1:] {
		if w != nil {
			c.merge(&w.counters)
		}
	}
	s := &Stats{
		Kernel: l.Program.Kernel.Name, Grid: l.Grid, Block: l.Block,
		Waves: g.waves, Plan: l.Program.Plan, DeepestStack: c.depth, PartialBarriers: c.partial,
		InStep: c.inStep.found, Overrun: c.overruns.found,
	}
	if l.NoStats {
		return s
	}
	s.Merges, s.Swaps, s.MostPaths = c.merges, c.swaps, max(c.paths, 1)
	s.BCC = c.slots
	s.ByInstruction = make([]InstructionStats, l.Program.Instructions())
	full, some := int64(0), histogram{}
	for i := range s.ByInstruction {
		full += c.full[i]
		u, t := &l.Program.Code[i], &c.each[i]
		in := &s.ByInstruction[i]
		in.PC, in.Off, in.Vetoed, in.Waited, in.Branch = u.PC, c.Off[i], t.vetoed, t.waited, t.branch
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
		s.SCC[(n+slotLanes-1)/slotLanes] += issues
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
