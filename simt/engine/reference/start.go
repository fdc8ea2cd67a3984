package reference

import (
	"encoding/binary"

	"jacquard/simt/lane"
	"jacquard/simt/machine"
	"jacquard/simt/program"
)

// Start is the state in which the blocks of a launch start (docs/isa/launch.md).
type Start struct {
	Program *program.Program
	Grid    [2]int // blocks in x, y
	Block   [3]int // threads in x, y, z
	Params  []byte
	Memory  machine.Grid // Rows are unused
}

// State returns a state with one block before its first instruction, and the block's threads.
// Counts are not priced.
func (g *Start) State(x, y int) (*machine.State, lane.Sel) {
	threads := g.Block[0] * g.Block[1] * g.Block[2]
	warps := (threads + lane.Width - 1) / lane.Width
	st := machine.NewState(g.Program, warps)
	st.Grid = g.Memory
	st.Counts = &machine.Counts{Off: make([]uint64, len(g.Program.Code))}
	st.Number, st.Index = x+y*g.Grid[0], [2]int{x, y}
	g.fillShared(st.Block)
	all := lane.Sel{Full: true}
	for w := range warps {
		all.Add(w, lane.All>>max(0, lane.Width*(w+1)-threads))
	}
	for n := range threads {
		t := thread{st, n / lane.Width, n % lane.Width}
		tid := [3]int{n % g.Block[0], n / g.Block[0] % g.Block[1], n / g.Block[0] / g.Block[1]}
		t.setReg(0, uint32(tid[0]|tid[1]<<16|tid[2]<<26))
	}
	return st, all
}

// fillShared writes the header and the parameters of a block.
func (g *Start) fillShared(b *machine.Block) {
	const header = 16
	b.Shared.Reset(max(g.Program.Kernel.Shared, header+len(g.Params)))
	data := b.Shared.Bytes()
	words := [...]int{0, g.Block[0], g.Block[1], g.Block[2], g.Grid[0], g.Grid[1], b.Index[0], b.Index[1]}
	for i, v := range words {
		binary.LittleEndian.PutUint16(data[2*i:], uint16(v))
	}
	copy(data[header:], g.Params)
}
