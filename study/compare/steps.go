package compare

import (
	"fmt"
	"io"
	"math/bits"
	"strings"

	"jacquard/internal/plain"
	"jacquard/simt"
	"jacquard/simt/branch"
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

	// State is the policy's state of the warp as it issues, or of the block if the policy mixes
	// warps.
	State branch.State
}

// Steps records the first steps of one warp. It is a simt.Recorder.
type Steps struct {
	At    [2]int // the block
	Warp  int
	Limit int // steps to keep; later ones are only counted

	List  []Step
	More  int       // steps that were not kept
	Lanes lane.Mask // in use
	Mixed bool      // the policy mixes warps
}

// Keeps asks for no values.
func (s *Steps) Keeps() []bool { return nil }

// States asks for the policy's state.
func (s *Steps) States() bool { return true }

// Fault has nothing to do: the block ends by itself, also after a fault of another.
func (s *Steps) Fault(*simt.Fault, int) {}

// Block records the block that holds the warp.
func (s *Steps) Block(b *simt.Block) simt.BlockRecorder {
	if b.Index() != s.At || s.Warp >= len(b.Lanes()) {
		return nil
	}
	s.Lanes, s.Mixed = b.Lanes()[s.Warp], b.Mixed()
	return &blockSteps{Steps: s, block: b}
}

// blockSteps records the block of the warp.
type blockSteps struct {
	*Steps
	block *simt.Block
	state branch.State
}

// Run records the issues of the warp.
func (s *blockSteps) Run(w int, list []simt.Stretch) {
	if w != s.Warp {
		return
	}
	for i := range list {
		x := &list[i]
		if x.State != nil {
			s.state = *x.State
		}
		for at := x.From; at < x.To; at++ {
			if len(s.List) >= s.Limit {
				s.More += int(x.To - at)
				break
			}
			op := &s.block.Program().Code[at]
			step := Step{
				Time: x.Time + uint64(at-x.From), PC: op.PC, Text: op.Ins.String(),
				Active: x.Active, Executed: x.Active, Vetoed: x.Vetoed, State: s.state,
			}
			if at == x.To-1 {
				step.Executed = x.Executed
			}
			s.List = append(s.List, step)
		}
	}
}

// Keep is never called.
func (s *blockSteps) Keep(int, *simt.Values) {}

// Reached has nothing to do.
func (s *blockSteps) Reached(uint64) {}

// End has nothing to do.
func (s *blockSteps) End(*simt.Fault) {}

// fewLanes is the most lanes for which a table of steps has one column per lane.
const fewLanes = 8

// StepsKey explains what Write prints.
const StepsKey = "# runs, - its guard is false, v sent elsewhere by the join marker, . waits or has ended;\n" +
	"keeps: what the policy keeps as the step issues, > where its lanes are; see docs/divergence.md"

// Write prints one line per step: time, pc, the lanes as a picture, and the instruction. If the
// warp has few lanes, each has a column with its pc, in brackets if it is active: table 2 of C.
// Collange, "Stack-less SIMT reconvergence at low cost" (2011). A waiting lane shows the pc at
// which it goes on; an ended lane shows none. The policy's state comes last.
func (s *Steps) Write(out io.Writer) error {
	lanes := bits.Len32(uint32(s.Lanes))
	var b strings.Builder
	plain.Fprintf(&b, "time  pc    %-*s", max(lanes, len("lanes")), "lanes")
	if lanes <= fewLanes {
		for l := range lanes {
			plain.Fprintf(&b, "  %-6s", fmt.Sprintf("pc %d", l))
		}
	}
	text := len("instruction")
	for i := range s.List {
		text = max(text, len(s.List[i].Text))
	}
	b.WriteString("  instruction")
	fmt.Fprintf(&b, "%*s  keeps\n", text-len("instruction"), "")
	for i := range s.List {
		step := &s.List[i]
		plain.Fprintf(&b, "%4d  %04x  %-*s", step.Time, step.PC, max(lanes, len("lanes")), step.picture(lanes))
		if lanes <= fewLanes {
			for l := range lanes {
				plain.Fprintf(&b, "  %-6s", s.pcOf(i, l))
			}
		}
		plain.Fprintf(&b, "  %s\n", strings.TrimRight(fmt.Sprintf("%-*s  %s", text, step.Text, s.kept(step, lanes)), " "))
	}
	if s.More > 0 {
		plain.Fprintf(&b, "and %d more\n", s.More)
	}
	_, err := io.WriteString(out, b.String())
	return err
}

// kept returns the policy's state: lanes are drawn if there are few.
func (s *Steps) kept(step *Step, lanes int) string {
	return step.State.Text(s.Mixed, func(m lane.Mask) string {
		if lanes > fewLanes {
			return fmt.Sprintf("%08x", uint32(m))
		}
		waits := Step{Active: m, Executed: m}
		return waits.picture(lanes)
	})
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
