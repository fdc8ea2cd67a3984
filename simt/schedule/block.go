package schedule

import (
	"encoding/binary"
	"fmt"
	"maps"
	"math/bits"
	"slices"
	"strings"

	"jacquard/simt/branch"
	"jacquard/simt/lane"
	"jacquard/simt/machine"
	"jacquard/simt/watch"
)

// grid is a launch in progress: the state that its blocks share.
type grid struct {
	l          *Launch
	policy     prepared
	resident   int          // blocks per wave
	size       int          // blocks per convoy
	shared     machine.Grid // the launch, for engines
	tid        []lane.Row   // $r0 of every warp at entry
	head       []byte       // launch header and parameters, except the block's index
	masks      []lane.Mask  // lanes in use, by warp of a block
	slice      uint64
	watchable  bool      // livelock can be detected
	singleStep bool      // no warp of any block runs ahead, for tests
	keeps      []bool    // by instruction: a recorder wants its values
	recordStep uint64    // the constant; another in tests
	workers    []*worker // nil: has not begun
	waves      int
}

// newGrid prepares a checked launch.
func newGrid(l *Launch) (*grid, error) {
	policy, err := l.Program.policies(l.Policy)
	if err != nil {
		return nil, err
	}
	k := &l.Program.Kernel
	threads := l.Block[0] * l.Block[1] * l.Block[2]
	g := &grid{l: l, policy: policy, slice: l.Program.Plan.Slice(), watchable: l.canLook()}
	g.shared = machine.Grid{Global: l.Global, Const: &l.Const, Textures: l.Textures, Rows: launchRows(l)}
	g.head = launchHead(l)
	g.tid, g.masks = threadIDs(l.Block, threads)
	g.resident = LimitsOf(k.Arch).BlocksPerWave(threads, k.Registers, l.sharedBytes())
	if l.Recorder != nil {
		g.keeps, g.recordStep = l.Recorder.Keeps(), recordStep
		if g.keeps != nil {
			g.recordStep = keepStep
		}
	}
	g.hire(g.wanted())
	g.size = g.convoySize()
	return g, nil
}

// launchHead returns the start of a block's shared memory (docs/isa/launch.md, Shared
// memory): sizes of block and grid, room for the block's index, parameters.
func launchHead(l *Launch) []byte {
	head := make([]byte, headerBytes, headerBytes+len(l.Params))
	for i, v := range [...]int{0, l.Block[0], l.Block[1], l.Block[2], l.Grid[0], l.Grid[1]} {
		binary.LittleEndian.PutUint16(head[2*i:], uint16(v))
	}
	return append(head, l.Params...)
}

// threadIDs returns $r0 at entry (tid.x | tid.y<<16 | tid.z<<26) and the lanes in use of
// every warp. Warps are consecutive groups of 32 in order of x, then y, then z.
func threadIDs(block [3]int, threads int) ([]lane.Row, []lane.Mask) {
	warps := (threads + lane.Width - 1) / lane.Width
	tid, masks := make([]lane.Row, warps), make([]lane.Mask, warps)
	t := 0
	for z := range block[2] {
		for y := range block[1] {
			for x := range block[0] {
				tid[t/lane.Width][t%lane.Width] = uint32(x | y<<16 | z<<26)
				masks[t/lane.Width] |= 1 << (t % lane.Width)
				t++
			}
		}
	}
	return tid, masks
}

// launchRows fills the rows that are constant during a launch.
func launchRows(l *Launch) []lane.Row {
	rows := lane.NewRows(len(l.Program.Rows))
	for i := range rows {
		v := l.Program.Rows[i].Value(&l.Const)
		for k := range rows[i] {
			rows[i][k] = v
		}
	}
	return rows
}

// block is one resident block. Its convoy has the registers and positions of its warps.
type block struct {
	own     machine.Block
	view    *watch.Block // for listeners; nil before the first use
	c       *convoy
	set     branch.WarpSet // its warps in the convoy
	done    bool
	raised  *machine.Fault      // in the instruction being executed
	fault   *machine.Fault      // the reason why the block was stopped
	watched *watched            // nil: not observed
	record  watch.BlockRecorder // nil: not recorded
}

// start makes the block, whose registers are zero, ready to run as a block of the grid: with
// launch header, parameters and thread ids (docs/isa/launch.md).
func (b *block) start(number int) {
	b.done, b.raised, b.fault, b.own.Overrun = false, nil, nil, nil
	g := b.c.g
	if regs := b.c.st.Regs; len(regs) > 0 {
		copy(regs[b.own.First:], g.tid)
	}
	b.own.Shared.Reset(g.l.sharedBytes())
	copy(b.own.Shared.Bytes(), g.head)
	b.renumber(number)
	if b.c.inStep != nil {
		b.c.inStep.Start(b.ordinal())
	}
}

// renumber changes a block that is ready to run to another block of the grid.
func (b *block) renumber(number int) {
	g := b.c.g
	b.own.Number, b.own.Slot = number, number%g.resident
	b.own.Index = [2]int{number, 0}
	if width := g.l.Grid[0]; number >= width { // the division takes as long as the rest
		y := number / width
		b.own.Index = [2]int{number - y*width, y}
	}
	data := b.own.Shared.Bytes()
	binary.LittleEndian.PutUint16(data[12:], uint16(b.own.Index[0]))
	binary.LittleEndian.PutUint16(data[14:], uint16(b.own.Index[1]))
}

// ordinal returns the number of the block in its convoy.
func (b *block) ordinal() int { return b.own.First / b.own.Warps }

// wave returns the number of the block's wave.
func (b *block) wave() int { return b.own.Number / b.c.g.resident }

// seen returns the view of the block for listeners.
func (b *block) seen() *watch.Block {
	if b.view == nil {
		b.view = watch.NewBlock(b.c.st, &b.own, b.c.policy, b.c.g.resident, b.c.g.masks)
	}
	return b.view
}

// end reports to listeners and the ledger that the block ended or was given up.
func (b *block) end() {
	if b.watched != nil {
		b.watched.End()
	}
	b.endRecord()
	if b.c.inStep != nil {
		b.c.meter.InStep.Note(b.own.Number, b.c.inStep.Found(b.ordinal()))
	}
	b.c.meter.Overruns.Note(b.own.Number, b.own.Overrun)
}

// deadlock faults the block, whose live warps all wait at barriers that cannot open. The fault
// lists which lanes wait where.
func (b *block) deadlock(alive branch.WarpSet) {
	c, own := b.c, &b.own
	at := map[uint32][]string{} // by the pc at which they go on
	first := lowestWarp(alive) - own.First
	for w := range own.Warps {
		if alive>>(own.First+w)&1 == 0 {
			continue
		}
		lanes := map[uint32]lane.Mask{}
		for _, p := range c.policy.Places(own.First+w, nil) {
			lanes[p.PC] |= p.Lanes
		}
		for pc, m := range lanes {
			at[pc] = append(at[pc], lanesOf(w, m))
		}
	}
	var where []string
	for _, pc := range slices.Sorted(maps.Keys(at)) {
		where = append(where, b.barrierBefore(pc)+": "+strings.Join(at[pc], ", "))
	}
	arrivals := c.barriers.last[own.First : own.First+own.Warps]
	var time uint64
	for _, a := range arrivals {
		time = max(time, a.time)
	}
	b.fault = c.st.FaultAt(&c.code[arrivals[first].at], time, machine.FaultBarrier, own.First+first,
		c.policy.Live(own.First+first), "no barrier can open; "+strings.Join(where, "; "))
}

// lanesOf names lanes of a warp.
func lanesOf(w int, m lane.Mask) string { return fmt.Sprintf("warp %d lanes %08x", w, uint32(m)) }

// barrierBefore describes the barrier of lanes that go on at pc.
func (b *block) barrierBefore(pc uint32) string {
	if i, ok := b.c.p.Index(pc); ok && i > 0 && b.c.code[i-1].Event == branch.Arrive {
		u := &b.c.code[i-1]
		return fmt.Sprintf("at barrier %d, pc 0x%x", u.Ins.Barrier.ID, u.PC)
	}
	return fmt.Sprintf("on the way to pc 0x%x", pc) // the warp arrived without these lanes
}

func bitCount(m lane.Mask) int { return bits.OnesCount32(uint32(m)) }
