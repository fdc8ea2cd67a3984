package findings

import (
	"fmt"
	"io"
	"math/bits"
	"strings"

	"jacquard/simt/check"
)

// Sanitizer is the form of a report as NVIDIA's tools print it.
type Sanitizer struct {
	Old   bool // the form of cuda-memcheck, else that of compute-sanitizer
	Leaks bool // sum up leaks
	Notes bool // show what the lock step of a warp orders, as warnings
	Limit int  // the most findings that are shown; 0 is all
}

// mark begins each line.
const mark = "========="

// Sanitizer writes a report in the form of NVIDIA's tools.
func (r *Report) Sanitizer(w io.Writer, s *Sanitizer) error {
	var b strings.Builder
	banner := "COMPUTE-SANITIZER"
	if s.Old {
		banner = "CUDA-MEMCHECK"
	}
	fmt.Fprintf(&b, "%s %s\n", mark, banner)
	shown := r.shown(true)
	errors, hazards, warnings := 0, 0, 0
	for i, f := range shown {
		switch {
		case f.Kind == check.KindRace && f.Level == check.Error:
			hazards++
		case s.Notes && f.What == "warp-synchronous": // other notes are below the level that these tools show
			warnings++
		case f.Level == check.Error:
			errors++
		default:
			continue
		}
		if s.Limit > 0 && i >= s.Limit {
			continue
		}
		for _, line := range s.finding(f) {
			fmt.Fprintf(&b, "%s %s\n", mark, line)
		}
		fmt.Fprintf(&b, "%s\n", mark)
	}
	if s.Leaks {
		r.leaks(&b)
	}
	if r.Checks.Has(check.KindRace) {
		fmt.Fprintf(&b, "%s RACECHECK SUMMARY: %s displayed (%s, %s)\n", mark, counted(hazards+warnings, "hazard", "hazards"),
			counted(hazards, "error", "errors"), counted(warnings, "warning", "warnings"))
	}
	if r.Checks != check.SetOf(check.KindRace) {
		fmt.Fprintf(&b, "%s ERROR SUMMARY: %s\n", mark, counted(errors, "error", "errors"))
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// leaks sums up what was left. The bytes are told if those of each allocation are known.
func (r *Report) leaks(b *strings.Builder) {
	var bytes, calls uint64
	known := true
	for i := range r.Findings {
		if f := &r.Findings[i]; f.Kind == check.KindLeak {
			bytes += uint64(f.At.Size)
			calls += f.Count
			known = known && f.Count == 1 && f.At.Size > 0
		}
	}
	if known {
		fmt.Fprintf(b, "%s LEAK SUMMARY: %d bytes leaked in %d allocations\n", mark, bytes, calls)
	} else {
		fmt.Fprintf(b, "%s LEAK SUMMARY: %d allocations leaked\n", mark, calls)
	}
}

// finding returns the lines of a finding.
func (s *Sanitizer) finding(f *check.Finding) (lines []string) {
	if f.Kind == check.KindRace {
		return s.race(f)
	}
	lines = append(lines, s.title(f))
	if f.At.Device != nil {
		lines = append(lines, "    at "+s.at(f, &f.At))
	}
	for _, t := range f.At.Where {
		lines = append(lines, "    by "+thread(f, t))
	}
	if f.Kind == check.KindMemory && f.At.Addr != nil {
		lines = append(lines, fmt.Sprintf("    Address 0x%x is %s", *f.At.Addr, wrong(f)))
	}
	if f.Kind == check.KindSync {
		lines = append(lines, "    "+f.Text)
	}
	stack := f.At.Stack
	if f.At.Device != nil {
		stack = nil
	}
	for _, o := range f.With {
		if o.Device != nil {
			lines = append(lines, fmt.Sprintf("    %s at %s", o.Role, s.at(f, &o)))
		} else if stack == nil {
			lines = append(lines, "    "+act(f, &o))
			stack = o.Stack
		}
	}
	if len(stack) > 0 {
		lines = append(lines, "    Saved host backtrace up to driver entry point")
	}
	for _, frame := range stack {
		lines = append(lines, "    Host Frame:"+hostFrame(frame))
	}
	return lines
}

// title is the first line of a finding that is no race.
func (s *Sanitizer) title(f *check.Finding) string {
	size := fmt.Sprintf("of size %d", f.At.Size)
	if !s.Old {
		size += " bytes"
	}
	switch {
	case f.Kind == check.KindMemory && f.What == "double-free":
		return "Double free: " + f.Text
	case f.Kind == check.KindMemory:
		return fmt.Sprintf("Invalid __%s__ %s %s", f.Space, f.At.Role, size)
	case f.Kind == check.KindInit && f.Space != "" && f.What != "output":
		return fmt.Sprintf("Uninitialized __%s__ memory read %s", f.Space, size)
	case f.Kind == check.KindInit:
		return "Host API uninitialized memory access"
	case f.Kind == check.KindSync:
		return "Barrier error detected. " + barrierErrors[f.What]
	case f.Kind == check.KindLeak && f.What == "device" && f.At.Size > 0:
		address := ""
		if f.At.Addr != nil {
			address = fmt.Sprintf(" at 0x%x", *f.At.Addr)
		}
		return fmt.Sprintf("Leaked %d bytes%s", f.At.Size, address)
	case f.Kind == check.KindAPI:
		return fmt.Sprintf("Program hit an error on CUDA API call to %s: %s", f.At.Call, f.Text)
	}
	return f.Text
}

// barrierErrors are the words for mistakes at barriers.
var barrierErrors = map[string]string{
	"divergent":  "Divergent thread(s) in warp.",
	"partial":    "Divergent thread(s) in block.",
	"different":  "Divergent thread(s) in block.",
	"after-exit": "Missing wait.",
	"endless":    "The wait never ends.",
}

// wrong says what is wrong with an address.
func wrong(f *check.Finding) string {
	switch f.What {
	case "misaligned":
		return "misaligned"
	case "after-free":
		return "out of bounds: its memory was freed"
	}
	return "out of bounds"
}

// race returns the lines of a race.
func (s *Sanitizer) race(f *check.Finding) (lines []string) {
	level := "Error"
	if f.Level == check.Note {
		level = "Warning"
	}
	lines = append(lines, fmt.Sprintf("%s: Race reported between %s access at %s", level, title(f.At.Role), s.at(f, &f.At)))
	for _, o := range f.With {
		lines = append(lines, fmt.Sprintf("    and %s access at %s [%s]", title(o.Role), s.at(f, &o), counted(int(f.Count), "hazard", "hazards")))
	}
	if len(f.With) == 0 {
		lines = append(lines, fmt.Sprintf("    and the same access of another thread [%s]", counted(int(f.Count), "hazard", "hazards")))
	}
	return lines
}

func title(word string) string {
	if word == "" {
		return word
	}
	return strings.ToUpper(word[:1]) + word[1:]
}

// at names an instruction, or a call of the host.
func (s *Sanitizer) at(f *check.Finding, p *check.Site) string {
	u, known := p.User()
	if p.Device == nil {
		if known {
			return fmt.Sprintf("%s in %s:%d", p.Call, u.File, u.Line)
		}
		return p.Call
	}
	kernel := Name(kernelAt(f, p))
	switch {
	case s.Old && known:
		return fmt.Sprintf("0x%08x in %s:%d:%s", p.Device.PC, u.File, u.Line, kernel)
	case s.Old:
		return fmt.Sprintf("0x%08x in %s", p.Device.PC, kernel)
	case known:
		return fmt.Sprintf("%s+0x%x in %s:%d", kernel, p.Device.PC, u.File, u.Line)
	}
	return fmt.Sprintf("%s+0x%x", kernel, p.Device.PC)
}

// thread names the first of the lanes by its index; by its warp if the shape of the block is not
// known.
func thread(f *check.Finding, t check.Thread) string {
	first := bits.TrailingZeros32(uint32(t.Lanes))
	if f.Shape[0] <= 0 || f.Shape[1] <= 0 || t.Lanes == 0 {
		return who(f, t)
	}
	return fmt.Sprintf("thread %s in block (%d,%d,0)", tuple(index(f.Shape, t.Warp, first)), t.Block[0], t.Block[1])
}

// hostFrame names a frame of the host.
func hostFrame(f check.Frame) string {
	name := "unknown"
	if f.Function != "" {
		name = Name(f.Function)
	}
	if f.File != "" {
		name += fmt.Sprintf(" in %s:%d", f.File, f.Line)
	}
	if f.Module != "" {
		name += fmt.Sprintf(" [%s]", f.Module)
	}
	return name
}
