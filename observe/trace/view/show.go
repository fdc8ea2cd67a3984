package view

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"io"
	"math/bits"
	"strings"

	"jacquard/internal/plain"
	"jacquard/observe/trace"
	"jacquard/simt/lane"
	"jacquard/simt/source"
	"jacquard/tesla"
)

// Show prints a trace as text, one line per warp-instruction: time, warp, pc, active lanes,
// disassembly, and the lanes that executed or took the branch unless all did. With values set, the
// values follow, one line each. If lines of source are known, a comment names the line of the
// issues after it. A line before an issue shows the divergence policy's state, if it changed. The
// error is ErrNothing if the filter selects nothing.
func Show(out io.Writer, f *trace.File, filter *trace.Filter, values bool) error {
	w := bufio.NewWriter(out)
	launch, block := -1, -1
	var at source.Line
	var kept [lane.MaxWarps]string // as printed last, by warp; of a mixed block the first
	for s, err := range f.Steps(filter) {
		if err != nil {
			w.Flush()
			return err
		}
		l := f.Launch(s.Launch)
		if s.Launch != launch {
			fmt.Fprintln(w, title(l))
			launch, block, at = s.Launch, -1, source.Line{}
		}
		if s.Block != block {
			plain.Fprintf(w, "block %d (%d,%d)\n", s.Block, s.Block%l.Grid[0], s.Block/l.Grid[0])
			block, kept = s.Block, [lane.MaxWarps]string{}
		}
		if from := l.Kernel.Source.At(s.Index); from != at {
			plain.Fprintf(w, "// %s\n", cmp.Or(from.String(), "unknown source"))
			at = from
		}
		for k := range s.N {
			showState(w, s, k, &kept)
			fmt.Fprintln(w, Line(l.Kernel, s, k))
			if values {
				showValues(w, s, int(s.Warp[k]))
			}
		}
	}
	if launch < 0 {
		return ErrNothing
	}
	return w.Flush()
}

// ErrNothing says that a filter selects nothing of a trace.
var ErrNothing = errors.New("the trace has no such warp-instructions")

// title describes a launch in one line.
func title(l *trace.Launch) string {
	text := plain.Sprintf("launch %d: %s (%s), grid %dx%d, block %dx%dx%d, policy %s", l.Number, l.Kernel.Name, l.Kernel.Arch,
		l.Grid[0], l.Grid[1], l.Block[0], l.Block[1], l.Block[2], l.Policy)
	switch {
	case l.Error != "":
		text += ": " + l.Error
	case !l.Ended:
		text += ": not recorded to its end"
	}
	return text
}

// Line returns the warp-instruction of the warp at position k of a step, in the form of Show.
func Line(kernel *trace.Kernel, s *trace.Step, k int) string {
	text := fmt.Sprintf("%8d w%-2d %04x %08x  %v", s.Time, s.Warp[k], kernel.PCs[s.Index], uint32(s.Active[k]), kernel.Code[s.Index])
	switch {
	case s.Vetoed>>s.Warp[k]&1 != 0:
		text += "  ; sent elsewhere by the join marker"
	case s.Executed[k] == s.Active[k] || kernel.Code[s.Index].Op == tesla.OpNop:
	case kernel.Decides[s.Index]:
		text += fmt.Sprintf("  ; taken by %08x", uint32(s.Executed[k]))
	default:
		text += fmt.Sprintf("  ; executed by %08x", uint32(s.Executed[k]))
	}
	return text
}

// showState prints the policy's state of the warp at position k of a step, if it changed.
func showState(w io.Writer, s *trace.Step, k int, kept *[lane.MaxWarps]string) {
	if k >= len(s.States) {
		return
	}
	warp, of := int(s.Warp[k]), fmt.Sprintf("w%-2d", s.Warp[k])
	if s.Mixed {
		warp, of = 0, "all"
	}
	text := cmp.Or(s.States[k].Text(s.Mixed, hex), "nothing")
	if kept[warp] != text {
		fmt.Fprintf(w, "%8s %s keeps %s\n", "", of, text)
		kept[warp] = text
	}
}

// hex prints lanes as a number.
func hex(m lane.Mask) string { return fmt.Sprintf("%08x", uint32(m)) }

func showValues(w io.Writer, s *trace.Step, warp int) {
	for i := range s.Values {
		if v := &s.Values[i]; v.Warp == warp {
			plain.Fprintf(w, "%28s = %s\n", v.Name(), row(v))
		}
	}
}

// row prints the values of the lanes that executed: one value if uniform, first and step if affine,
// otherwise all, with a dot per lane that did not execute.
func row(v *trace.Value) string {
	first := bits.TrailingZeros32(uint32(v.Lanes))
	if rest := v.Lanes & (v.Lanes - 1); rest != 0 {
		second := bits.TrailingZeros32(uint32(rest))
		step := (v.Row[second] - v.Row[first]) / uint32(second-first)
		if sequence(v, first, step) {
			if step == 0 {
				return word(v, first)
			}
			return fmt.Sprintf("%x %+d a lane", v.Row[first], int32(step))
		}
	} else {
		return word(v, first)
	}
	var words []string
	for l := range lane.Width {
		if v.Lanes>>l&1 == 0 {
			words = append(words, ".")
			continue
		}
		words = append(words, word(v, l))
	}
	return strings.Join(words, " ")
}

// word prints a lane's value; for a condition register its flags, one letter each.
func word(v *trace.Value, l int) string {
	if v.Kind != trace.Condition {
		return fmt.Sprintf("%x", v.Row[l])
	}
	text := ""
	for i, flag := range "zsco" {
		if v.Row[l]>>i&1 != 0 {
			text += string(flag)
		}
	}
	return cmp.Or(text, "-")
}

// sequence reports whether the values of the lanes that executed rise by step from lane to lane.
func sequence(v *trace.Value, first int, step uint32) bool {
	if step != 0 && v.Kind == trace.Condition {
		return false
	}
	for m := v.Lanes; m != 0; m &= m - 1 {
		l := bits.TrailingZeros32(uint32(m))
		if v.Row[l] != v.Row[first]+uint32(l-first)*step {
			return false
		}
	}
	return true
}

// List prints one line per launch whose number and kernel a filter selects: number, kernel, shape,
// policy, blocks, all warp-instructions recorded. The error is ErrNothing if the trace has launches
// and the filter selects none.
func List(out io.Writer, f *trace.File, filter *trace.Filter) error {
	w := bufio.NewWriter(out)
	listed := 0
	for _, l := range f.Launches {
		if filter.Launch(l.Number, l.Kernel.Name) {
			plain.Fprintf(w, "%s; %d warp-instructions\n", title(l), l.Count)
			listed++
		}
	}
	if listed == 0 && len(f.Launches) > 0 {
		return ErrNothing
	}
	return w.Flush()
}
