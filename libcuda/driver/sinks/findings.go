package sinks

import (
	"io"

	"jacquard/internal/plain"
	"jacquard/libcuda/driver/knobs"
	"jacquard/simt/check"
)

// Findings is what checkers found in this process. A nil Findings takes nothing in.
type Findings struct {
	wanted check.Set
	out    io.Writer
	log    Log
	list   check.Findings
}

// OpenFindings begins a collection of findings, which End reports to out; nil if the knob asks for
// none.
func OpenFindings(v *knobs.Values, out io.Writer, log Log) (*Findings, error) {
	if v.Check.Set == 0 {
		return nil, nil
	}
	return &Findings{wanted: v.Check.Set, out: out, log: log}, nil
}

// Add takes in a finding if its kind is wanted. The first of those that are alike is told at once.
func (l *Findings) Add(f check.Finding) {
	if l == nil || !l.wanted.Has(f.Kind) {
		return
	}
	if _, first := l.list.Add(f); first && f.Level == check.Error {
		l.log.Note("check: %s", f.String())
	}
}

// End reports what was found.
func (l *Findings) End() {
	if l == nil {
		return
	}
	for _, f := range l.list.List() {
		plain.Fprintf(l.out, "jacquard: check: %s: %d times\n", f.String(), f.Count)
	}
}
