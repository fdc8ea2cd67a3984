package watch

import (
	"jacquard/simt/branch"
	"jacquard/simt/lane"
	"jacquard/simt/machine"
	"jacquard/simt/program"
)

// Block is a read-only view of one resident block. Warps are numbered from 0.
type Block struct {
	st       *machine.State
	policy   branch.Policy
	resident int
	masks    []lane.Mask
	time     *uint64
}

// NewBlock makes the view of a block of a state under a policy. resident is the number of blocks
// per wave; masks are the lanes in use of every warp of the block; time is its time.
func NewBlock(st *machine.State, policy branch.Policy, resident int, masks []lane.Mask, time *uint64) *Block {
	return &Block{st, policy, resident, masks, time}
}

// Number returns the block's number in the grid, x fastest.
func (b *Block) Number() int { return b.st.Number }

// Index returns the block's place in the grid, x and y.
func (b *Block) Index() [2]int { return b.st.Index }

// Wave returns the number of the block's wave.
func (b *Block) Wave() int { return b.st.Number / b.resident }

// Time returns the round that all warps of the block had reached when their last turns ended. Warps
// go on for eight turns before an observer that comes later is asked again.
func (b *Block) Time() uint64 { return *b.time }

// Resident returns how many blocks make a wave. The last wave may be shorter.
func (b *Block) Resident() int { return b.resident }

// Mixed reports whether lanes of several warps issue as one warp-instruction: see Issue.
func (b *Block) Mixed() bool { return b.st.Mixed }

// WarpLanes returns the most lanes of a warp. If they are fewer than 32, a warp of the view is a
// home warp: several groups of neighbouring lanes, each a warp that issues by itself.
func (b *Block) WarpLanes() int { return b.st.Lanes }

// Program returns the program that the block runs.
func (b *Block) Program() *program.Program { return b.st.Program }

// Lanes returns the lanes in use of every warp of the block, which the caller must not change.
func (b *Block) Lanes() []lane.Mask { return b.masks }

// Live returns the lanes of warp w that have not ended.
func (b *Block) Live(w int) lane.Mask { return b.policy.Live(w) }

// Places appends the places of the live lanes of warp w, as its divergence policy sees them: each
// lane is in exactly one. The pc of lanes on a straight run may be the start of the run.
func (b *Block) Places(w int, to []branch.Place) []branch.Place {
	return b.policy.Places(w, to)
}

// State appends what the divergence policy keeps of warp w: see branch.Policy.
func (b *Block) State(w int, to branch.State) branch.State { return b.policy.State(w, to) }

// Entries returns the number of entries in the control stack of warp w; ok is false under a policy
// without one.
func (b *Block) Entries(w int) (n int, ok bool) {
	if p, stacked := b.policy.(branch.Stacked); stacked {
		return p.Entries(w)
	}
	return 0, false
}

// Register returns register r of warp w, zeros if the kernel does not have it. Idle lanes may hold
// any value.
func (b *Block) Register(r, w int) lane.Row { return *b.RegisterRow(r, w) }

// RegisterRow is Register without copying. The caller must not change the row, which changes when
// the block goes on.
func (b *Block) RegisterRow(r, w int) *lane.Row {
	rows := b.st.Register(int32(r))
	return rows.At(w)
}

// AddressRegister returns address register a (1 to 7) of warp w.
func (b *Block) AddressRegister(a uint8, w int) lane.Row {
	rows := b.st.Address(a)
	return *rows.At(w)
}

// Condition returns condition register c of warp w.
func (b *Block) Condition(c uint8, w int) lane.Flags { return b.st.Flags[c][w] }

// Shared returns the shared memory, which the caller must not change, and which changes when the
// block goes on.
func (b *Block) Shared() []byte { return b.st.Shared.Bytes() }
