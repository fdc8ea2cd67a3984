package findings

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math/bits"
	"os"
	"sync"

	"jacquard/simt/check"
)

// line is a line of the file. Each process has a line when it begins and one when it ends; a finding
// has a line when it is new, and lines with its count.
type line struct {
	PID     int            `json:"pid"`
	Begin   string         `json:"begin,omitempty"` // the kinds that are looked for
	ID      int            `json:"id,omitempty"`    // of a finding in this process, from 1
	Finding *check.Finding `json:"finding,omitempty"`
	Count   uint64         `json:"count,omitempty"` // of the finding, by now
	End     bool           `json:"end,omitempty"`
}

// Log collects the findings of a process, and writes them to a file as they come: what is in the file
// outlives the process, however it ends. Several processes may append to one file. Several goroutines
// may use a Log.
type Log struct {
	list check.Findings

	mu    sync.Mutex
	out   io.Writer // nil: nothing is written
	err   error     // the first
	known map[string]*written
}

// written is a finding as the file has it.
type written struct {
	id     int
	launch int
	count  uint64
}

// OpenLog begins the findings of a process that looks for the kinds of a set. It appends to the file
// at path, or writes none if path is "".
func OpenLog(path string, checks check.Set) (*Log, error) {
	l := &Log{known: map[string]*written{}}
	if path == "" {
		return l, nil
	}
	f, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o666)
	if err != nil {
		return nil, err
	}
	l.out = f
	l.write(line{Begin: checks.String()})
	return l, l.err
}

// Add takes a finding in, and reports whether no finding like it was there. A count is written when
// it has doubled.
func (l *Log) Add(f check.Finding) (first bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	sum, first := l.list.Add(f)
	if l.out == nil {
		return first
	}
	w := l.known[sum.Key()]
	switch {
	case w == nil:
		w = &written{id: len(l.known) + 1}
		l.known[sum.Key()] = w
		fallthrough
	case w.launch != sum.Launch:
		w.launch, w.count = sum.Launch, sum.Count
		l.write(line{ID: w.id, Finding: &sum})
	case bits.Len64(sum.Count) > bits.Len64(w.count):
		w.count = sum.Count
		l.write(line{ID: w.id, Count: sum.Count})
	}
	return first
}

// End writes what is not written yet, and closes the file. It returns the first error.
func (l *Log) End() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.out == nil {
		return l.err
	}
	for _, f := range l.list.List() {
		if w := l.known[f.Key()]; w.count != f.Count {
			l.write(line{ID: w.id, Count: f.Count})
		}
	}
	l.write(line{End: true})
	if c, ok := l.out.(io.Closer); ok {
		c.Close()
	}
	l.out = nil
	return l.err
}

// Report returns what was found so far.
func (l *Log) Report(checks check.Set) *Report {
	r := &Report{Checks: checks, Started: true, Complete: true, Findings: l.list.List()}
	r.follow()
	return r
}

// Follows reports whether an error may follow from a race that is known.
func (l *Log) Follows(f *check.Finding) bool {
	return f.Kind == check.KindInit && newRaces(l.list.List()).cause(f)
}

// write appends a line in one write.
func (l *Log) write(of line) {
	of.PID = os.Getpid()
	text, err := json.Marshal(of)
	if err == nil {
		_, err = l.out.Write(append(text, '\n'))
	}
	if l.err == nil {
		l.err = err
	}
}

// Read makes a report of the file at path. A last line that broke off is left out, as the process was
// killed while it wrote it.
func Read(path string) (*Report, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	r := reading{report: &Report{Complete: true}, found: map[[3]int]*check.Finding{}, begun: map[int]int{}, running: map[int]bool{}}
	number := 0
	for text := range bytes.Lines(data) {
		number++
		if !bytes.HasSuffix(text, []byte("\n")) {
			break
		}
		if err := r.line(text); err != nil {
			return nil, fmt.Errorf("%s:%d: %w", path, number, err)
		}
	}
	return r.end(), nil
}

// reading is a file that is being read.
type reading struct {
	report  *Report
	found   map[[3]int]*check.Finding // by process, its number of begins, and number
	begun   map[int]int               // how often a process began: it may have several drivers
	running map[int]bool              // processes that have not ended
}

func (r *reading) line(text []byte) error {
	var l line
	if err := json.Unmarshal(text, &l); err != nil {
		return err
	}
	key := [3]int{l.PID, r.begun[l.PID], l.ID}
	switch {
	case l.Begin != "":
		checks, err := check.ParseSet(l.Begin)
		r.report.Checks |= checks
		r.report.Started, r.running[l.PID] = true, true
		r.begun[l.PID]++
		return err
	case l.End:
		delete(r.running, l.PID)
	case l.Finding != nil:
		r.found[key] = l.Finding
	case r.found[key] == nil:
		return fmt.Errorf("a count of finding %d of process %d, which is not there", l.ID, l.PID)
	default:
		r.found[key].Count = l.Count
	}
	return nil
}

// end returns the report. Findings of several processes that are alike become one.
func (r *reading) end() *Report {
	var all check.Findings
	for _, f := range r.found {
		all.Add(*f)
	}
	r.report.Findings = all.List()
	r.report.follow()
	r.report.Complete = len(r.running) == 0
	return r.report
}
