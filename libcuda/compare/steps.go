package compare

import (
	"fmt"
	"io"
	"math/bits"
	"strings"

	"jacquard/cubin/plain"
	"jacquard/simt"
	"jacquard/simt/lane"
)

// Step is one issue of a warp.
type Step struct {
	Time     uint64
	PC       uint32
	Text     string // the instruction
	Active   lane.Mask
	Executed lane.Mask // lanes whose guard held
	Vetoed   bool      // the join marker sent the warp elsewhere
}

// Steps records the first steps of one warp. It is a simt.Observer.
type Steps struct {
	At    [2]int // the block
	Warp  int
	Limit int // steps to keep; later ones are only counted

	List  []Step
	More  int       // steps that were not kept
	Lanes lane.Mask // in use
}

// Block watches the block that holds the warp.
func (s *Steps) Block(b *simt.Block) simt.BlockObserver {
	if b.Index() != s.At || s.Warp >= len(b.Lanes()) {
		return nil
	}
	s.Lanes = b.Lanes()[s.Warp]
	return s
}

// Issue records the warp's part of an issue.
func (s *Steps) Issue(i *simt.Issue) {
	for w := range i.Warps() {
		switch {
		case w.Warp != s.Warp:
		case len(s.List) >= s.Limit:
			s.More++
		default:
			s.List = append(s.List, Step{i.Time, i.PC, i.Instruction.String(), w.Active, w.Executed, w.Vetoed})
		}
	}
}

func (s *Steps) End() {}

// fewLanes is the most lanes for which a table of steps has one column per lane.
const fewLanes = 8

// StepsKey explains the pictures that Write draws.
const StepsKey = "# runs, - its guard is false, v sent elsewhere by the join marker, . waits or has ended"

// Write prints one line per step: time, pc, the lanes as a picture, and the instruction. If the
// warp has few lanes, each has a column with its pc, in brackets if it is active: table 2 of C.
// Collange, "Stack-less SIMT reconvergence at low cost" (2011). A waiting lane shows the pc at
// which it goes on; an ended lane shows none.
func (s *Steps) Write(out io.Writer) error {
	lanes := bits.Len32(uint32(s.Lanes))
	var b strings.Builder
	plain.Fprintf(&b, "time  pc    %-*s", max(lanes, len("lanes")), "lanes")
	if lanes <= fewLanes {
		for l := range lanes {
			plain.Fprintf(&b, "  %-6s", fmt.Sprintf("pc %d", l))
		}
	}
	b.WriteString("  instruction\n")
	for i := range s.List {
		step := &s.List[i]
		plain.Fprintf(&b, "%4d  %04x  %-*s", step.Time, step.PC, max(lanes, len("lanes")), step.picture(lanes))
		if lanes <= fewLanes {
			for l := range lanes {
				plain.Fprintf(&b, "  %-6s", s.pcOf(i, l))
			}
		}
		plain.Fprintf(&b, "  %s\n", step.Text)
	}
	if s.More > 0 {
		plain.Fprintf(&b, "and %d more\n", s.More)
	}
	_, err := io.WriteString(out, b.String())
	return err
}

// picture returns one sign per lane, as StepsKey explains them.
func (s *Step) picture(lanes int) string {
	text := make([]byte, lanes)
	for l := range text {
		bit := lane.Mask(1) << l
		switch {
		case s.Active&bit == 0:
			text[l] = '.'
		case s.Vetoed:
			text[l] = 'v'
		case s.Executed&bit == 0:
			text[l] = '-'
		default:
			text[l] = '#'
		}
	}
	return string(text)
}

// pcOf returns the pc of lane l at step i.
func (s *Steps) pcOf(i, l int) string {
	for k, step := range s.List[i:] {
		switch {
		case step.Active>>l&1 == 0:
		case k == 0:
			return fmt.Sprintf("[%04x]", step.PC)
		default:
			return fmt.Sprintf(" %04x", step.PC)
		}
	}
	return ""
}
