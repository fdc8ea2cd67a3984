package check

import (
	"fmt"

	"jacquard/simt/lane"
	"jacquard/simt/program"
)

// Dependence is a place where a kernel relies on the lanes of a warp running in lockstep. It is
// one of:
//
//   - two accesses of a warp to one address in shared or global memory, by different lanes, with no
//     barrier between: in the other order they would read or leave another value;
//   - a vote that has another answer if other lanes take part: it is not unanimous, or a policy that
//     mixes warps joined it with the votes of other warps.
type Dependence struct {
	Kernel string
	Policy string // of the launch, as it was named, if its branch.Choice is Loose; else ""
	Block  [2]int // block index x, y
	Warp   int    // warp within the block
	Space  string // "s" for shared memory, "g" for global, "" for a vote
	Addr   uint32 // byte address, of the lowest lane of Then

	// First and Then are in the order of this launch. Of a vote, they are the lanes with its
	// condition and the lanes without, none if the warp agrees.
	First, Then Access
}

// Access is what lanes of a warp did to one address.
type Access struct {
	PC    uint32 // byte address of the instruction
	Text  string // the instruction, disassembled
	Lanes lane.Mask
	Store bool // a store, otherwise a read
	// Source is "file:line" that the instruction is made of; "" if not known.
	Source string
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
		return fmt.Sprintf("%s the vote at %s (%s) has lanes %08x with its condition and %08x without", where, d.First.place(), d.First.Text, uint32(d.First.Lanes), uint32(d.Then.Lanes))
	}
	return fmt.Sprintf("%s the vote at %s (%s) has another answer with the lanes of other warps that take part in it", where, d.First.place(), d.First.Text)
}

// String names the access, its lanes and its instruction.
func (a Access) String() string {
	verb := "read"
	if a.Store {
		verb = "stored"
	}
	return fmt.Sprintf("%s by lanes %08x at %s (%s)", verb, uint32(a.Lanes), a.place(), a.Text)
}

func (a Access) place() string { return program.Place(a.PC, a.Source) }
