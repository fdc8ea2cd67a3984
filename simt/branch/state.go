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

// Entry is one thing that a policy keeps. Its kind gives the other fields their meaning.
type Entry struct {
	Kind   EntryKind
	Runs   bool      // the lanes issue next
	Warp   uint8     // home warp of the lanes, under a policy that mixes warps
	PC     uint32    // byte address, NoStop if it has none
	Mask   lane.Mask // lanes
	Number uint32    // NoStop if it has none
}

// EntryKind is the kind of an Entry. Traces contain the numbers: new kinds are added at the end.
type EntryKind uint8

// The kinds. Lanes are the lanes of Mask; they go on at PC if the entry has one.
const (
	PathEntry      EntryKind = iota + 1 // lanes that run together
	LaneEntry                           // lanes whose own pc is PC
	ColdEntry                           // a path that is not compared with others
	LevelEntry                          // level of a reconvergence stack; the lanes meet at Number
	FunctionEntry                       // level with which a call, or the kernel, begins
	PackedEntry                         // lanes of the next level that are not in their home warps
	WarpEntry                           // dynamic warp, at place Number
	WaitEntry                           // lanes that wait at barrier Number of the block
	BlockedEntry                        // lanes that wait until others come
	JoinEntry                           // lanes that meet at a join
	BranchEntry                         // lanes that go on later, one side of a branch
	BreakEntry                          // lanes that a break sends to PC
	CallEntry                           // lanes that return to PC
	QuadEntry                           // lanes that were active before whole quads became active
	IfEntry                             // lanes that go on after an if, or in the next round of a loop
	LoopEntry                           // lanes that go on after a loop
	RoundEntry                          // lanes that go on in the next round of a loop
	BrokeEntry                          // lanes that left a loop
	ReturnedEntry                       // lanes that left a call
	EndedEntry                          // lanes that ended, if the policy keeps them
	CounterEntry                        // lanes active after the end of Number ifs and loops
	IfsEntry                            // lanes whose column in the masks of ifs is Number high; none: the stack
	LoopsEntry                          // the same for the masks of loops
	YieldedEntry                        // lanes that yielded; Number branches since
	JoinedEntry                         // lanes past a join barrier that execute its instruction
	AsideEntry                          // levels that follow are apart from the stack; 1: they wait
	PassedEntry                         // lanes that passed Number more post-dominators than the last
	MajorEntry                          // the pc whose warps issue
	MoreEntry                           // Number entries before this one, which a trace leaves out
	CopyEntry                           // lanes that executed a branch to PC; it is issued again
	GuessEntry                          // PC was predicted to issue next
	PredictorEntry                      // predictor of the branch at PC; its counter is Number
	NextEntry                           // what a narrow warp runs in its turn: Number entries after its first
)

// entryKinds names the kinds.
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

// columns appends an entry for every counter of lanes that counts, in the order of the lowest
// lanes.
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

// Same reports whether two states are equal, except for the pcs of entries that run.
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

// Text returns the state as a line to stand beside the pc and the lanes that run. Entries that run
// are ">", and left out if they are last. lanes formats a mask; mixed says that lanes have home
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

// joins reports whether e holds lanes of another home warp for the entry before it.
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

// number returns the number after a blank, or "".
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
