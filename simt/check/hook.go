package check

import (
	"jacquard/simt/lane"
	"jacquard/simt/machine"
	"jacquard/simt/mem"
	"jacquard/simt/program"
)

// InStep is the AccessHook that finds code which relies on the lanes of a warp running in step.
type InStep struct {
	blocks []*stepWatch // by block of the state
}

// NewInStep makes the hook for the blocks of a state. The policy is named if it may run lanes
// apart.
func NewInStep(st *machine.State, policy string) *InStep {
	x := &InStep{}
	for _, b := range st.Blocks {
		x.blocks = append(x.blocks, newStepWatch(st, b, policy))
	}
	return x
}

// Start says that a block of the state starts, by its place there.
func (x *InStep) Start(block int) { x.blocks[block].start() }

// Opened says that a barrier of a block opened.
func (x *InStep) Opened(block int) { x.blocks[block].passed() }

// Found returns the first dependence of a block, nil if there is none.
func (x *InStep) Found(block int) *Dependence { return x.blocks[block].found }

// of returns the watch of a warp's block, and the warp's number in the block.
func (x *InStep) of(st *machine.State, w int) (*stepWatch, int) {
	b := st.Home(w)
	return x.blocks[b.First/b.Warps], w - b.First
}

// Load is for machine.AccessHook, like the other methods below.
func (x *InStep) Load(st *machine.State, u *program.Op, space program.Space, w int, addr *lane.Row, m lane.Mask, size int) {
	s, w := x.of(st, w)
	s.load(u, space, w, addr, m, size)
}

// LoadWord is for machine.AccessHook.
func (x *InStep) LoadWord(st *machine.State, u *program.Op, sel *lane.Sel, addr uint32, size int) {
	for k, v := range sel.Warp[:sel.N] {
		s, w := x.of(st, int(v))
		s.loadWord(u, w, sel.Mask[k], addr, size)
	}
}

// Store is for machine.AccessHook.
func (x *InStep) Store(st *machine.State, u *program.Op, w int, data *mem.Data, addr *lane.Row, m lane.Mask, size int) {
	s, w := x.of(st, w)
	s.store(u, w, data, addr, m, size)
}

// Vote is for machine.AccessHook.
func (x *InStep) Vote(st *machine.State, u *program.Op, w int, m, yes lane.Mask) {
	s, w := x.of(st, w)
	s.vote(u, w, m, yes)
}

// VoteJoined is for machine.AccessHook.
func (x *InStep) VoteJoined(st *machine.State, u *program.Op, w int, m lane.Mask) {
	s, w := x.of(st, w)
	s.joined(u, w, m)
}
