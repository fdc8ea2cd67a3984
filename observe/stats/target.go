package stats

import (
	"fmt"
	"path/filepath"
	"strings"
)

// Target says where the statistics of a run go.
type Target struct {
	Path  string // the file; for Barra, the prefix of the file names
	Kind  Kind
	Tags  bool // count uniform and affine operands, too
	Costs bool // count costs that papers describe, too
}

// Kind is a format of statistics.
type Kind uint8

const (
	JSON    Kind = iota // everything; the only one that Read reads
	CSV                 // one row per launch and instruction
	Parquet             // the same rows
	Barra               // Barra's files: one per kernel
)

// barraPrefix begins a target of kind Barra.
const barraPrefix = "barra:"

// The options follow a file name and ask for counts of operands, and of costs.
const (
	tagsOption  = ":tags"
	costsOption = ":costs"
)

// WantTarget describes the texts that ParseTarget accepts.
const WantTarget = "a file that ends in .json, .csv or .parquet, with :tags behind it to count uniform and affine operands or :costs to count replays and spills, or barra:PREFIX"

// TargetError reports a text that names no target.
type TargetError struct{ Text string }

// Error says what ParseTarget accepts.
func (e *TargetError) Error() string {
	return fmt.Sprintf("statistics: unknown kind of file %q: want %s", e.Text, WantTarget)
}

// ParseTarget parses a target: a file name, whose extension gives the kind, or barra: and a prefix
// of file names. The error is a *TargetError.
func ParseTarget(text string) (Target, error) {
	if prefix, ok := strings.CutPrefix(text, barraPrefix); ok {
		return Target{Path: prefix, Kind: Barra}, nil
	}
	t := Target{Path: text}
	for {
		if path, ok := strings.CutSuffix(t.Path, tagsOption); ok && !t.Tags {
			t.Path, t.Tags = path, true
		} else if path, ok := strings.CutSuffix(t.Path, costsOption); ok && !t.Costs {
			t.Path, t.Costs = path, true
		} else {
			break
		}
	}
	switch strings.ToLower(filepath.Ext(t.Path)) {
	case ".json":
		t.Kind = JSON
	case ".csv":
		t.Kind = CSV
	case ".parquet":
		t.Kind = Parquet
	default:
		return Target{}, &TargetError{text}
	}
	return t, nil
}

// String returns a text that ParseTarget parses to t.
func (t Target) String() string {
	if t.Kind == Barra {
		return barraPrefix + t.Path
	}
	text := t.Path
	if t.Tags {
		text += tagsOption
	}
	if t.Costs {
		text += costsOption
	}
	return text
}

// Absolute returns the target with an absolute path, for a program that may change its folder.
func (t Target) Absolute() (Target, error) {
	folder, name := filepath.Split(t.Path) // a prefix may end in a separator
	folder, err := filepath.Abs(folder)
	t.Path = folder + string(filepath.Separator) + name
	return t, err
}

// Sink takes the launches of a run. Several goroutines may use it.
type Sink interface {
	// Add writes a launch. After a failed write nothing more is written, and every Add returns the
	// error.
	Add(l *Launch) error

	// Path returns the name of the file, or the prefix of Barra's files.
	Path() string

	// Err returns the error that ended the writing, nil if there was none.
	Err() error

	// Close closes the files. Every launch is already written.
	Close() error
}

// Create begins to write statistics of the run that r describes; it replaces existing files.
// Kernels and launches of r are not written. The error is one of opening a file, or of a missing
// folder.
func (t Target) Create(r *Run) (Sink, error) {
	switch t.Kind {
	case CSV:
		return create(t.Path, r, &csvFormat{})
	case Parquet:
		return create(t.Path, r, &parquetFormat{})
	case Barra:
		return createBarra(t.Path)
	}
	return create(t.Path, r, &jsonFormat{})
}
