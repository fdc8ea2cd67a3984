package stats

import (
	"fmt"
	"path/filepath"
	"strings"
)

// Target says where the statistics of a run go.
type Target struct {
	Path string
	Kind Kind
}

// Kind is a form in which statistics are written.
type Kind uint8

// The kinds.
const (
	JSON Kind = iota // everything; the only one that is read again
	CSV              // a row for each launch and instruction
)

// WantTarget says what ParseTarget takes.
const WantTarget = "a file that ends in .json or .csv"

// TargetError is a text that names no target.
type TargetError struct{ Text string }

// Error says what is wanted.
func (e *TargetError) Error() string {
	return fmt.Sprintf("statistics: unknown kind of file %q: want %s", e.Text, WantTarget)
}

// ParseTarget reads the name of a target: a file's, whose kind its ending says. The error is a
// *TargetError.
func ParseTarget(text string) (Target, error) {
	switch strings.ToLower(filepath.Ext(text)) {
	case ".json":
		return Target{text, JSON}, nil
	case ".csv":
		return Target{text, CSV}, nil
	}
	return Target{}, &TargetError{text}
}

// String returns the text that ParseTarget reads.
func (t Target) String() string { return t.Path }

// Sink takes the launches of a run. It may be used from several goroutines.
type Sink interface {
	// Add writes a launch, and sets its number. Once writing has failed nothing more is written, and
	// every Add returns the error.
	Add(l *Launch) error

	// Close ends the writing. All that was added is in the files before.
	Close() error
}

// Create begins to write statistics of the run that r describes, in place of what is there. Kernels and
// launches of r are not written.
func (t Target) Create(r *Run) (Sink, error) {
	if t.Kind == CSV {
		return create(t.Path, r, &csvFormat{})
	}
	return create(t.Path, r, &jsonFormat{})
}
