package sinks

import (
	"fmt"
	"io"
	"os"
	"sync"

	"jacquard/internal/plain"
	"jacquard/libcuda/driver/knobs"
	"jacquard/observe/findings"
	"jacquard/simt/check"
)

// Findings is what checkers found in this process. A nil Findings takes nothing in.
type Findings struct {
	wanted check.Set
	file   string                 // "" if out gets the report
	out    io.Writer              // for the report at the end
	taker  func(*findings.Report) // gets the report in its place; may be nil
	log    Log
	list   *findings.Log

	mu     sync.Mutex
	shapes [mostShapes]shape // of blocks, by the last digits of the launch's number
	told   map[string]bool   // lines of the log
}

// mostShapes is how many launches back the shape of blocks is known.
const mostShapes = 256

// shape is that of the blocks of a launch.
type shape struct {
	launch int
	block  [3]int
}

// OpenFindings begins a collection of findings, which Report writes to out, or which the file that the
// knob names gets as they come; nil if the knob asks for none. A taker gets the report in place of
// out.
func OpenFindings(v *knobs.Values, out io.Writer, taker func(*findings.Report), log Log) (*Findings, error) {
	if v.Check.Set == 0 {
		return nil, nil
	}
	list, err := findings.OpenLog(v.Check.Report, v.Check.Set)
	if err != nil {
		return nil, fmt.Errorf("check-report: %w", err)
	}
	return &Findings{wanted: v.Check.Set, file: v.Check.Report, out: out, taker: taker, log: log, list: list}, nil
}

// Begin keeps the shape of the blocks of a launch.
func (l *Findings) Begin(launch *Launch) (end func()) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.shapes[launch.Number%mostShapes] = shape{launch.Number, launch.Request.Block}
	return func() {}
}

// Add takes in a finding if its kind is wanted. If a report comes at the end, the first error of those
// that are alike is told at once.
func (l *Findings) Add(f check.Finding) {
	if l == nil || !l.wanted.Has(f.Kind) {
		return
	}
	if f.Level == 0 {
		f.Level = check.Error
	}
	f.Count = max(f.Count, 1)
	if f.Launch >= 0 && f.Shape == [3]int{} {
		l.mu.Lock()
		if s := &l.shapes[f.Launch%mostShapes]; s.launch == f.Launch {
			f.Shape = s.block
		}
		l.mu.Unlock()
	}
	if l.list.Add(f) && f.Level == check.Error && l.file == "" && l.taker == nil && !l.list.Follows(&f) {
		f.Kernel = findings.Name(f.Kernel)
		l.tell(f.String())
	}
}

// tell logs a line unless it has done so: the instructions of a line may all have its mistake.
func (l *Findings) tell(line string) {
	l.mu.Lock()
	known := l.told[line]
	if !known {
		if l.told == nil {
			l.told = map[string]bool{}
		}
		l.told[line] = true
	}
	l.mu.Unlock()
	if !known {
		l.log.Note("check: %s", line)
	}
}

// Report reports what was found. It is the last call.
func (l *Findings) Report() {
	if l == nil {
		return
	}
	if err := l.list.End(); err != nil {
		l.log.Lost(fmt.Errorf("check-report: %w", err))
	}
	if l.file != "" {
		return
	}
	r := l.list.Report(l.wanted)
	folder, _ := os.Getwd() // unknown is ""
	sources := findings.Sources{Folder: folder}
	r.Branches(&sources)
	r.ByLine()
	if l.taker != nil {
		l.taker(r)
		return
	}
	out := plain.NewWriter(l.out)
	fmt.Fprintln(out, "jacquard: check:")
	err := r.Text(out, &findings.Text{Sources: sources, Notes: true})
	if err == nil {
		err = out.Flush()
	}
	if err != nil {
		l.log.Lost(fmt.Errorf("check: %w", err))
	}
}
