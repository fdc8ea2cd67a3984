package machine

import (
	"jacquard/simt/lane"
	"jacquard/simt/mem"
	"jacquard/simt/program"
)

// AccessHook is told of accesses to memory and of votes before they happen, warp by warp, in the
// order of the block. It changes nothing. Warps are numbered as in the State.
type AccessHook interface {
	// Wants reports whether the hook wants to be told of what u accesses or votes. The answer is the
	// same throughout a launch. An engine may tell of other instructions, too.
	Wants(u *program.Op) bool

	// Load says that lanes m of warp w will read size bytes each at their addresses, and perhaps
	// lock them (tesla.Lock).
	Load(s *State, u *program.Op, space program.Space, w int, addr *lane.Row, m lane.Mask, size int)

	// LoadWord says that the warps of sel will read size bytes at one address of shared memory.
	LoadWord(s *State, u *program.Op, sel *lane.Sel, addr uint32, size int)

	// Store says that lanes m of warp w will store size bytes of data each at their addresses, and
	// perhaps free a lock (tesla.Unlock).
	Store(s *State, u *program.Op, w int, data *mem.Data, addr *lane.Row, m lane.Mask, size int)

	// Atomic says that lanes m of warp w will change size bytes each at their addresses, with operands
	// data.
	Atomic(s *State, u *program.Op, w int, data *mem.Data, addr *lane.Row, m lane.Mask, size int)

	// Fetch says that lanes m of warp w will fetch texels: their coordinates are in registers.
	Fetch(s *State, u *program.Op, w int, m lane.Mask)

	// Vote says that lanes m of warp w vote, and lanes yes for it.
	Vote(s *State, u *program.Op, w int, m, yes lane.Mask)

	// VoteJoined says that the vote of lanes m of warp w has another answer because lanes of other
	// warps vote with them.
	VoteJoined(s *State, u *program.Op, w int, m lane.Mask)
}
