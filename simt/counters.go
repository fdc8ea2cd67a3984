package simt

import "jacquard/simt/lane"

// counters are the statistics of a launch while it runs, as far as one worker saw it. A straight
// run is counted once, as a difference at its two ends, and expanded to instructions when read.
// They are sums and greatest values, so that it does not matter who ran which block.
type counters struct {
	issues  []int64  // difference array by instruction index
	lanes   []int64  // difference array: active lanes
	off     []uint64 // active lanes with a false guard
	vetoed  []uint64 // issues of join carriers that did not execute
	active  [lane.Width + 1]uint64
	slots   [Slots + 1]uint64 // issues by groups of lanes with an active one
	issued  uint64
	merges  uint64
	swaps   uint64
	paths   int
	depth   int
	partial uint64 // barrier arrivals of warps with only part of their live lanes active
	inStep  *Dependence
	at      int // the block of inStep
}

func (c *counters) init(instructions int) {
	c.issues = make([]int64, instructions+1)
	c.lanes = make([]int64, instructions+1)
	c.off = make([]uint64, instructions)
	c.vetoed = make([]uint64, instructions)
}

// merge adds what another worker counted.
func (c *counters) merge(o *counters) {
	addTo(c.issues, o.issues)
	addTo(c.lanes, o.lanes)
	addTo(c.off, o.off)
	addTo(c.vetoed, o.vetoed)
	addTo(c.active[:], o.active[:])
	addTo(c.slots[:], o.slots[:])
	c.issued += o.issued
	c.merges += o.merges
	c.swaps += o.swaps
	c.partial += o.partial
	c.paths = max(c.paths, o.paths)
	c.depth = max(c.depth, o.depth)
	c.relies(o.at, o.inStep)
}

// relies notes what was found in a block; that of the first block stays.
func (c *counters) relies(block int, found *Dependence) {
	if found != nil && (c.inStep == nil || block < c.at) {
		c.inStep, c.at = found, block
	}
}

func addTo[T int64 | uint64](sums, what []T) {
	for i, v := range what {
		sums[i] += v
	}
}

// count counts the issue of instructions [from, to) by the lanes of s: one issue a warp, or one
// for all of s if the policy mixes warps.
func (b *Block) count(from, to int, s *lane.Sel) {
	c := b.counters
	steps := uint64(to - from)
	issues, lanes := s.N, 0
	switch {
	case b.mixes:
		columns := s.Columns()
		issues, lanes = 1, bitCount(columns)
		c.active[lanes] += steps
		c.slots[groups(columns)] += steps
	case s.Full:
		lanes = lane.Width * s.N
		c.active[lane.Width] += steps * uint64(s.N)
		c.slots[Slots] += steps * uint64(s.N)
	default:
		for _, m := range s.Mask[:s.N] {
			n := bitCount(m)
			lanes += n
			c.active[n] += steps
			c.slots[groups(m)] += steps
		}
	}
	if !s.Full || b.parted != 0 {
		for k, m := range s.Mask[:s.N] {
			if w := s.Warp[k]; m != b.parts[w].last {
				b.follow(w, m)
			}
		}
	}
	c.issued += steps * uint64(issues)
	c.issues[from] += int64(issues)
	c.issues[to] -= int64(issues)
	c.lanes[from] += int64(lanes)
	c.lanes[to] -= int64(lanes)
}

// countVetoed counts the issues of a join carrier by the warps that arrived but were sent
// elsewhere instead of executing it.
func (b *Block) countVetoed(i int, arriving, executing *lane.Sel) {
	c := b.counters
	k := 0
	for j := range arriving.N {
		if k < executing.N && executing.Warp[k] == arriving.Warp[j] {
			k++
			continue
		}
		m := arriving.Mask[j]
		c.active[bitCount(m)]++
		c.slots[groups(m)]++
		c.issued++
		c.vetoed[i]++
		b.follow(arriving.Warp[j], m)
	}
}

// groups returns how many of the aligned groups of eight lanes have a lane in m.
func groups(m lane.Mask) int {
	m |= m >> 4
	m |= m >> 2
	m |= m >> 1
	return bitCount(m & 0x01010101)
}

// stats expands the counters.
func (g *grid) stats() *Stats {
	l, c := g.l, &g.workers[0].counters
	for i := range g.workers[1:] {
		c.merge(&g.workers[1+i].counters)
	}
	s := &Stats{
		Kernel: l.Program.Kernel.Name, Grid: l.Grid, Block: l.Block,
		Waves: g.waves, Plan: l.Program.plan, DeepestStack: c.depth, PartialBarriers: c.partial,
		InStep: c.inStep,
	}
	if l.NoStats {
		return s
	}
	s.Active = c.active
	s.ByInstruction = make([]InstructionStats, l.Program.Instructions())
	s.BCC = c.slots
	for n, issues := range c.active {
		s.SCC[(n+slotLanes-1)/slotLanes] += issues
	}
	s.Merges, s.Swaps, s.MostPaths = c.merges, c.swaps, max(c.paths, 1)
	var issues, lanes int64
	for i := range s.ByInstruction {
		issues += c.issues[i]
		lanes += c.lanes[i]
		s.ByInstruction[i] = InstructionStats{
			PC:      l.Program.code[i].pc,
			Issues:  uint64(issues) + c.vetoed[i],
			Threads: uint64(lanes) - c.off[i],
			Off:     c.off[i],
			Vetoed:  c.vetoed[i],
		}
		s.WarpInstructions += s.ByInstruction[i].Issues
		s.ThreadInstructions += s.ByInstruction[i].Threads
		s.add(&l.Program.code[i], &s.ByInstruction[i])
	}
	return s
}
