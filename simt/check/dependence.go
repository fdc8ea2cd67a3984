package check

import (
	"fmt"

	"jacquard/simt/lane"
)

// Dependence is a place where a kernel relies on the lanes of a warp running in step. Either two
// accesses of a warp to one place in shared or global memory, by different lanes, with no barrier
// between, of which the second would have found or left something else before the first. Or a vote
// that has another answer if other lanes take part: one that is not unanimous, or one that a policy
// which mixes warps made one with those of other warps.
type Dependence struct {
	Kernel      string
	Policy      string // of the launch, as it was named, if it may run the lanes apart; else ""
	Block       [2]int // block index x, y
	Warp        int    // warp within the block
	Space       string // "s" for shared memory, "g" for global, "" of a vote
	Addr        uint32 // byte address, of the lowest lane of Then
	First, Then Access // in the order of this launch; of a vote, lanes with its condition and those without, none if the warp agrees
}

// Access is what lanes of a warp did to a place in memory.
type Access struct {
	PC    uint32 // byte address of the instruction
	Text  string // the instruction, disassembled
	Lanes lane.Mask
	Store bool // a store, otherwise a read
}

// String returns one line that names kernel, block, warp, address, and pcs and lanes of both.
func (d *Dependence) String() string {
	note := ""
	if d.Policy != "" {
		note = ", which divergence policy " + d.Policy + " does not promise"
	}
	where := fmt.Sprintf("kernel %s relies on the lanes of a warp running in step%s: in block (%d,%d), warp %d,", d.Kernel, note, d.Block[0], d.Block[1], d.Warp)
	switch {
	case d.Space != "":
		return fmt.Sprintf("%s %s[0x%x] is %s and then %s, with no barrier between", where, d.Space, d.Addr, d.First, d.Then)
	case d.Then.Lanes != 0:
		return fmt.Sprintf("%s the vote at pc 0x%x (%s) has lanes %08x with its condition and %08x without", where, d.First.PC, d.First.Text, uint32(d.First.Lanes), uint32(d.Then.Lanes))
	}
	return fmt.Sprintf("%s the vote at pc 0x%x (%s) has another answer with the lanes of other warps that take part in it", where, d.First.PC, d.First.Text)
}

// String names the access, its lanes and its place.
func (a Access) String() string {
	verb := "read"
	if a.Store {
		verb = "stored"
	}
	return fmt.Sprintf("%s by lanes %08x at pc 0x%x (%s)", verb, uint32(a.Lanes), a.PC, a.Text)
}
