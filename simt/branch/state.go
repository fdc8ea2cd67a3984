package branch

import (
	"fmt"
	"strings"

	"jacquard/simt/lane"
)

// State is the control state of a warp, or of a block whose warps a policy mixes, as a list of
// entries that need no knowledge of the policy. A stack has its bottom first; lists of paths are in
// the order of the policy.
type State []Entry

// Entry is one thing that a policy keeps. Its kind says what the other fields are.
type Entry struct {
	Kind   EntryKind
	Runs   bool      // its lanes issue next
	Warp   uint8     // home warp of the lanes, under a policy that mixes warps
	PC     uint32    // byte address, NoStop if it has none
	Mask   lane.Mask // lanes
	Number uint32    // NoStop if it has none
}

// EntryKind is what an Entry is. The numbers are those of the trace format: new kinds are added at
// the end.
type EntryKind uint8

// The kinds. Lanes are those of Mask; they go on at PC if the entry has one.
const (
	PathEntry      EntryKind = iota + 1 // lanes that run together
	LaneEntry                           // lanes whose own pc is PC
	ColdEntry                           // a path that is not compared with others
	LevelEntry                          // of a reconvergence stack; the lanes meet at Number
	FunctionEntry                       // a level with which a call begins, or the kernel
	PackedEntry                         // lanes of the next level are not in their home warps
	WarpEntry                           // of a dynamic warp, whose place is Number
	WaitEntry                           // lanes that wait at barrier Number of the block
	BlockedEntry                        // lanes that came to where others must come too
	JoinEntry                           // lanes that meet at a join
	BranchEntry                         // lanes that go on later, one side of a branch
	BreakEntry                          // lanes that a break sends to PC
	CallEntry                           // lanes that return to PC
	QuadEntry                           // lanes that were active before whole quads became it
	IfEntry                             // lanes that go on after an if, or in the next round of a loop
	LoopEntry                           // lanes that go on after a loop
	RoundEntry                          // lanes that go on in the next round of a loop
	BrokeEntry                          // lanes that left a loop
	ReturnedEntry                       // lanes that left a call
	EndedEntry                          // lanes that ended, if the policy keeps them
	CounterEntry                        // lanes active after the end of Number ifs and loops
	IfsEntry                            // lanes whose column in the masks of ifs is Number high; none: the stack
	LoopsEntry                          // the same in the masks of loops
	YieldedEntry                        // lanes that yielded; Number branches since
	JoinedEntry                         // lanes past a join barrier that execute its instruction
	AsideEntry                          // the levels that follow are apart from the stack, 1 if they wait
	PassedEntry                         // lanes that passed Number post-dominators more than the last
	MajorEntry                          // the pc whose warps issue
	MoreEntry                           // Number entries before this, which a trace leaves out
	CopyEntry                           // lanes that executed a branch to PC, which is issued again
	GuessEntry                          // PC was predicted to issue next
	PredictorEntry                      // of the branch at PC, whose counter is Number
	NextEntry                           // what a narrow warp runs in its turn: Number entries after its first
)

// entryKinds are the kinds in words.
var entryKinds = [...]string{
	PathEntry: "path", LaneEntry: "lane", ColdEntry: "cold", LevelEntry: "level",
	FunctionEntry: "function", PackedEntry: "packed", WarpEntry: "warp", WaitEntry: "wait",
	BlockedEntry: "blocked", JoinEntry: "join", BranchEntry: "branch", BreakEntry: "break",
	CallEntry: "call", QuadEntry: "quad", IfEntry: "if", LoopEntry: "loop", RoundEntry: "round",
	BrokeEntry: "broke", ReturnedEntry: "returned", EndedEntry: "ended", CounterEntry: "counter",
	IfsEntry: "ifs", LoopsEntry: "loops", YieldedEntry: "yielded", JoinedEntry: "joined",
	AsideEntry: "aside", PassedEntry: "passed", MajorEntry: "major", MoreEntry: "more",
	CopyEntry: "copy", GuessEntry: "guess", PredictorEntry: "predictor", NextEntry: "next",
}

// String returns the kind in a word.
func (k EntryKind) String() string {
	if int(k) < len(entryKinds) && k > 0 {
		return entryKinds[k]
	}
	return fmt.Sprintf("kind%d", uint8(k))
}

// entryOf returns an entry without a number.
func entryOf(k EntryKind, pc uint32, m lane.Mask) Entry {
	return Entry{Kind: k, PC: pc, Mask: m, Number: NoStop}
}

// running returns the entry of lanes at pc that issue next, if the warp can run.
func running(k EntryKind, pc uint32, m lane.Mask, runs bool) Entry {
	e := entryOf(k, pc, m)
	e.Runs = runs
	return e
}

// columns appends an entry for every value of a lane's counter that counts, in the order of the
// lowest lanes.
func columns(to State, k EntryKind, column *[lane.Width]uint32, counts func(uint32) bool) State {
	begin := len(to)
next:
	for l, c := range column {
		if !counts(c) {
			continue
		}
		for i := range to[begin:] {
			if e := &to[begin+i]; e.Number == c {
				e.Mask |= 1 << l
				continue next
			}
		}
		to = append(to, Entry{Kind: k, PC: NoStop, Mask: 1 << l, Number: c})
	}
	return to
}

// Same reports whether two states are equal, whatever the pcs of entries that run.
func (s State) Same(o State) bool {
	if len(s) != len(o) {
		return false
	}
	for i, e := range s {
		if e.Runs && o[i].Runs {
			e.PC = o[i].PC
		}
		if e != o[i] {
			return false
		}
	}
	return true
}

// Text returns the state in a line that stands beside the pc and the lanes that run: entries that
// run are ">", and missing if they are last. Lanes formats a mask; mixed says that lanes have home
// warps.
func (s State) Text(mixed bool, lanes func(lane.Mask) string) string {
	var b strings.Builder
	for i := 0; i < len(s); {
		from, e := i, s[i]
		for i++; mixed && i < len(s) && s[i].joins(&s[i-1]); i++ {
		}
		if e.Runs && i == len(s) && e.Number == NoStop {
			break
		}
		if b.Len() > 0 {
			b.WriteString(", ")
		}
		b.WriteString(e.head())
		switch number := e.number(); {
		case mixed:
			b.WriteString(number)
			for _, e := range s[from:i] {
				if !e.Runs && e.Mask != 0 {
					fmt.Fprintf(&b, " w%d:%s", e.Warp, lanes(e.Mask))
				}
			}
		case e.Runs || e.Mask == 0:
			b.WriteString(number)
		default:
			b.WriteString(" " + lanes(e.Mask) + number)
		}
	}
	return b.String()
}

// joins reports whether e has lanes of another home warp for the entry before it.
func (e *Entry) joins(before *Entry) bool {
	same := *e
	same.Warp, same.Mask = before.Warp, before.Mask
	return same == *before && e.Warp > before.Warp
}

// head returns the kind and the pc.
func (e *Entry) head() string {
	switch {
	case e.Runs:
		return ">"
	case e.PC == NoStop:
		return e.Kind.String()
	}
	return fmt.Sprintf("%v %04x", e.Kind, e.PC)
}

// number returns the number after a blank, "" if there is none.
func (e *Entry) number() string {
	switch {
	case e.Number == NoStop:
		return ""
	case e.Kind == LevelEntry || e.Kind == FunctionEntry:
		return fmt.Sprintf(" to %04x", e.Number)
	case e.Kind == WarpEntry || e.Kind == BlockedEntry:
		return fmt.Sprintf(" #%d", e.Number)
	}
	return fmt.Sprintf(" %d", e.Number)
}
