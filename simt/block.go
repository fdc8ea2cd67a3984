package simt

import (
	"encoding/binary"
	"math/bits"

	"jacquard/simt/branch"
	"jacquard/simt/lane"
	"jacquard/simt/mem"
)

// grid is a launch at work: what its blocks share.
type grid struct {
	l          *Launch
	scheme     prepared
	resident   int        // blocks a wave
	size       int        // blocks a convoy
	rows       []lane.Row // Program.rows with their values
	tid        []lane.Row // $r0 of every warp at entry
	head       []byte     // launch header and parameters, but for the block's index
	masks      []lane.Mask
	slice      uint64
	watchable  bool      // livelock can be told
	apart      bool      // no warp of any block runs ahead, for tests
	keeps      []bool    // by instruction: a recorder wants its values
	recordStep uint64    // see there; another for tests
	workers    []*worker // nil: has not come
	waves      int
}

// newGrid prepares a checked launch.
func newGrid(l *Launch) (*grid, error) {
	scheme, err := l.Program.policies(l.Policy)
	if err != nil {
		return nil, err
	}
	k := &l.Program.Kernel
	threads := l.Block[0] * l.Block[1] * l.Block[2]
	g := &grid{l: l, scheme: scheme, slice: l.Program.plan.slice(), watchable: l.canLook()}
	g.rows = launchRows(l)
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

// Block is one resident block: what it computes with, and what is its own. Where its warps
// stand its convoy knows. The lead of a convoy is a block too, that sees the registers of all.
type Block struct {
	*counters // of the worker that runs the block, perhaps those of the wave
	g         *grid
	p         *Program
	code      []uop
	convoy    *convoy
	first     int            // its first warp in the convoy
	set       branch.WarpSet // its warps there
	number    int            // place in the grid, x fastest
	warps     int

	file
	shared mem.Shared

	origin  uint64 // time minus instruction index: an instruction at index i issues at origin+i
	done    bool
	raised  *Fault     // what the instruction being executed did wrong
	fault   *Fault     // what the block did wrong: it is stopped
	watched *watched   // nil: nobody observes the block
	keeps   []bool     // nil: nobody records values
	steps   *stepWatch // nil: nobody asks whether lanes must run in step
	overrun *Overrun   // the first of the block; nil: none yet

	recorder BlockRecorder // nil: nobody records the block

	guarded   lane.Sel                 // scratch of guard
	chosen    lane.Sel                 // scratch of lane-masked moves
	holds     [lane.MaxWarps]lane.Mask // outcome of a comparison, by position in the selection
	everyLane lane.Sel                 // scratch of loose: masks of all lanes
	rows      mem.Rows                 // scratch of accesses to memory
	words     [lane.MaxWarps]uint32    // a word for each warp, by position in the selection
	carry     [lane.MaxWarps]lane.Flags
	indirect  [lane.MaxWarps]indirect // of the indirect branch being executed
	accessing []lane.Row              // by warp: addresses of the access being recorded
}

// newBlock makes a block whose registers are in f.
func newBlock(g *grid, f file) *Block {
	b := &Block{p: g.l.Program, code: g.l.Program.code, warps: len(g.masks), file: f}
	b.allLanes()
	for w := range b.warps {
		b.banks[w] = &b.shared
	}
	return b
}

// allLanes prepares the scratch of loose, and of accesses to memory.
func (b *Block) allLanes() {
	b.rows.Lanes, b.everyLane.Full = b.p.lanes, true
	for i := range b.everyLane.Mask {
		b.everyLane.Mask[i] = lane.All
	}
}

// start makes the block, whose registers are zero, ready to run as a block of the grid: with
// launch header, parameters and thread ids (docs/isa/launch.md).
func (b *Block) start(number int) {
	b.done, b.raised, b.fault, b.overrun = false, nil, nil, nil
	if len(b.regs) > 0 {
		copy(b.regs, b.g.tid)
	}
	l := b.g.l
	b.shared.Reset(l.sharedBytes())
	copy(b.shared.Bytes(), b.g.head)
	b.renumber(number)
	if b.steps != nil {
		b.steps.start()
	}
}

// renumber makes another block of the grid of one that is ready to run.
func (b *Block) renumber(number int) {
	b.number = number
	data, index := b.shared.Bytes(), b.Index()
	binary.LittleEndian.PutUint16(data[12:], uint16(index[0]))
	binary.LittleEndian.PutUint16(data[14:], uint16(index[1]))
}

// Index returns the block's place in the grid, x and y.
func (b *Block) Index() [2]int {
	width := b.g.l.Grid[0]
	if b.number < width { // a division takes as long as all else that a block is numbered for
		return [2]int{b.number, 0}
	}
	y := b.number / width
	return [2]int{b.number - y*width, y}
}

// wave returns the number of the block's wave.
func (b *Block) wave() int { return b.number / b.g.resident }

// slot returns the block's place among those of its wave.
func (b *Block) slot() int { return b.number % b.g.resident }

// end takes leave of a block that ended or was given up.
func (b *Block) end() {
	if b.watched != nil {
		b.watched.End()
	}
	b.endRecord()
	if b.steps != nil {
		b.inStep.note(b.number, b.steps.found)
	}
	b.overruns.note(b.number, b.overrun)
}

func bitCount(m lane.Mask) int { return bits.OnesCount32(uint32(m)) }
