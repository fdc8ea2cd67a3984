package codec

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"jacquard/simt/branch"
	"jacquard/simt/lane"
)

// Step is one issue of a block: one instruction carried out once for lanes at one pc. Unless Mixed,
// it is one warp-instruction per warp.
type Step struct {
	Launch int // number of the launch, from 0
	Block  int // number of the block in the grid, x fastest
	Time   uint64
	Index  int // of the instruction in Kernel.Code
	Mixed  bool

	N        int // number of warps; array elements beyond N mean nothing
	Warp     [lane.MaxWarps]uint8
	Active   [lane.MaxWarps]lane.Mask // lanes that issued, by position
	Executed [lane.MaxWarps]lane.Mask // lanes whose guard held; of a branch, lanes that took it
	// Vetoed are the warps that the join marker sent elsewhere before they executed.
	Vetoed branch.WarpSet

	// States[i] is the divergence policy's state of Warp[i] as the instruction issues; in a mixed
	// issue, States[0] is the state of the whole block. It is empty if it was not recorded. Entries
	// that run are at the pc of the issue.
	States []branch.State

	// Values holds the recorded values of all warps in order. A warp that executed has one value
	// per element of Kernel.Values.
	Values []Value
}

// Count returns the number of warp-instructions.
func (s *Step) Count() int {
	if s.Mixed {
		return 1
	}
	return s.N
}

// Warps returns the warps as a set.
func (s *Step) Warps() (set branch.WarpSet) {
	for _, w := range s.Warp[:s.N] {
		set |= 1 << w
	}
	return set
}

// Keep leaves at most the first n warps.
func (s *Step) Keep(n int) {
	s.N = min(s.N, n)
	set := s.Warps()
	s.Vetoed &= set
	s.States = s.States[:min(len(s.States), s.N)]
	gone := func(v Value) bool { return set>>v.Warp&1 == 0 }
	s.Values = slices.DeleteFunc(slices.Clone(s.Values), gone)
}

// Value is the row of one value of an instruction.
type Value struct {
	Slot
	Warp  int
	Lanes lane.Mask // lanes that executed; the others of Row are 0
	Row   lane.Row  // of a condition register: Z, S, C, O in bits 0 to 3
}

// Stretch is straight-line code that a warp issued, with the fields of simt.Stretch: one
// instruction per round.
type Stretch struct {
	Time     uint64    // of the first instruction
	From, To int32     // indices in the kernel's code, To excluded
	Active   lane.Mask // lanes that issued
	Executed lane.Mask // of the last instruction; all active lanes executed the others
	// Vetoed says that the join marker sent the warp elsewhere; then From is the only instruction.
	Vetoed bool
	State  *branch.State // the policy's state as the first instruction issues; nil: as before
}

// SlotKind is a kind of value.
type SlotKind uint8

const (
	Register        SlotKind = iota // $r after the instruction
	AddressRegister                 // $a after the instruction
	Condition                       // $c after the instruction
	Address                         // address of a load, store or atomic
	Data                            // $r that a store or atomic wrote to memory
)

// slotLetters are the kinds in text.
const slotLetters = "rac@d"

// Slot names a value of an instruction.
type Slot struct {
	Kind   SlotKind
	Number int // of the register
}

// String returns the slot as a file stores it: r12, a1, c0, @, d3.
func (s Slot) String() string {
	if s.Kind == Address {
		return "@"
	}
	return fmt.Sprintf("%c%d", slotLetters[s.Kind], s.Number)
}

// Name returns the slot for display: $r12, $a1, $c0, addr, data $r3.
func (s Slot) Name() string {
	switch s.Kind {
	case Address:
		return "addr"
	case Data:
		return fmt.Sprintf("data $r%d", s.Number)
	}
	return "$" + s.String()
}

// parseSlots is the inverse of joinSlots.
func parseSlots(text string) ([]Slot, error) {
	var list []Slot
	for word := range strings.FieldsSeq(text) {
		k := strings.IndexByte(slotLetters, word[0])
		if k < 0 {
			return nil, fmt.Errorf("unknown value %q", word)
		}
		s := Slot{Kind: SlotKind(k)}
		if s.Kind != Address {
			n, err := strconv.ParseUint(word[1:], 10, 8)
			if err != nil {
				return nil, fmt.Errorf("unknown value %q", word)
			}
			s.Number = int(n)
		}
		if len(list) == mostValues {
			return nil, fmt.Errorf("an instruction with more than %d values", mostValues)
		}
		list = append(list, s)
	}
	return list, nil
}

func joinSlots(list []Slot) string {
	var words []string
	for _, s := range list {
		words = append(words, s.String())
	}
	return strings.Join(words, " ")
}
