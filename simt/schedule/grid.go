package schedule

import (
	"encoding/binary"
	"slices"
	"sync/atomic"

	"jacquard/simt/check"
	"jacquard/simt/lane"
	"jacquard/simt/machine"
	"jacquard/simt/watch"
	"jacquard/tesla"
)

// grid is a launch in progress: the state that its blocks share.
type grid struct {
	l        *Launch
	policy   prepared
	resident int          // blocks per wave
	shared   machine.Grid // the launch, for engines
	tid      []lane.Row   // $r0 of every warp at entry
	head     []byte       // launch header and parameters, except the block's index
	masks    []lane.Mask  // lanes in use, by warp of a block
	shape    [3]int       // block shape of tid and masks
	pace
	watchable bool // livelock can be detected
	seen      bool // a listener may look at registers
	looks
	overwrites bool // the first turns of a block end before an Op that overwrites
	asked
	workers []*worker // nil: has not begun
	waves   int
	stage   stage
	first   firstSlice // the last one
}

// looks are a launch's searches for mistakes.
type looks struct {
	inStep diagnosis
	checks check.Watch // nil: nobody looks
}

// pace says for how long warps and blocks run at a time.
type pace struct {
	turn  uint64 // rounds in each turn of a warp
	slice uint64 // rounds that a block runs before the next has its turn
}

// asked holds the observers, and the requests of a recorder besides issues.
type asked struct {
	keeps      []bool         // by instruction: its values are kept
	states     bool           // the recorder wants the policy's states
	observer   watch.Observer // of blocks that start
	later      *watch.Later
	recordStep uint64 // rounds between calls of watch.BlockRecorder.Reached
}

// launches counts the launches of the process.
var launches atomic.Uint64

// newGrid prepares a checked launch in the storage of an earlier one, which release left.
func newGrid(l *Launch) (*grid, error) {
	policy, err := l.admit()
	if err != nil {
		return nil, err
	}
	g, ok := policy.grids.Get().(*grid)
	if !ok {
		g = new(grid)
	}
	k := &l.Program.Kernel
	threads := l.Block[0] * l.Block[1] * l.Block[2]
	g.l, g.policy, g.turn, g.watchable = l, policy, l.Order.turn(), l.canLook()
	g.observer, g.later = l.observer()
	g.slice, g.seen = freeSlice, l.Recorder != nil || g.observer != nil
	g.shared = machine.Grid{
		Global: l.Global, Const: &l.Const, Textures: l.Textures, Rows: launchRows(g.shared.Rows, l), Launch: launches.Add(1),
		Alone: (g.workersWanted() == 1 || l.Grid == [2]int{1, 1}) && !l.Global.Shared(),
	}
	g.head = launchHead(g.head[:0], l)
	g.overwrites = l.Program.OverwritesOn(l.Params, l.Block, l.Global)
	g.inStep.begin(g)
	g.resident = k.Arch.Limits().BlocksPerWave(threads, k.Registers, l.sharedBytes())
	if l.Program.Plan.Reference {
		g.slice = g.turn
	}
	if g.shape != l.Block {
		g.shape = l.Block
		g.tid, g.masks = threadIDs(l.Block, threads)
	}
	g.beginCheck()
	if l.Recorder != nil {
		g.keeps, g.states, g.recordStep = l.Recorder.Keeps(), l.Recorder.States(), recordStep
		if g.keeps != nil {
			g.keeps = append(slices.Clip(g.keeps), false) // the instruction after the code, which faults
		}
		if g.keeps != nil || g.states {
			g.recordStep = keepStep
		}
	}
	g.hire(g.workersWanted())
	return g, nil
}

// launchHead appends to head the start of a block's shared memory (docs/isa/launch.md, Shared
// memory): sizes of block and grid, room for the block's index, parameters.
func launchHead(head []byte, l *Launch) []byte {
	for _, v := range [tesla.HeaderBytes / 2]int{0, l.Block[0], l.Block[1], l.Block[2], l.Grid[0], l.Grid[1]} {
		head = binary.LittleEndian.AppendUint16(head, uint16(v))
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
				t++
			}
		}
	}
	for w := range masks {
		masks[w] = lane.All
	}
	masks[warps-1] >>= warps*lane.Width - threads
	return tid, masks
}

// launchRows fills the rows that are constant during a launch. rows are the rows of an earlier
// launch of the program, or nil.
func launchRows(rows []lane.Row, l *Launch) []lane.Row {
	if rows == nil {
		rows = lane.NewRows(len(l.Program.Rows))
	}
	for i := range rows {
		v := l.Program.Rows[i].Value(&l.Const)
		if rows[i][0] == v {
			continue
		}
		for k := range rows[i] {
			rows[i][k] = v
		}
	}
	return rows
}
