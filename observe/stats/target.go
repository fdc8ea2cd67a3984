package stats

import (
	"fmt"
	"path/filepath"
	"strings"
)

// Target says where the statistics of a run go.
type Target struct {
	Path  string // the file
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
)

// The options follow a file name and ask for counts of operands, and of costs.
const (
	tagsOption  = ":tags"
	costsOption = ":costs"
)

// WantTarget describes the texts that ParseTarget accepts.
const WantTarget = "a file that ends in .json, .csv or .parquet, with :tags behind it to count uniform and affine operands or :costs to count replays and spills"

// TargetError reports a text that names no target.
type TargetError struct{ Text string }

// Error says what ParseTarget accepts.
func (e *TargetError) Error() string {
	return fmt.Sprintf("statistics: unknown kind of file %q: want %s", e.Text, WantTarget)
}

// ParseTarget parses a target: a file name, whose extension gives the kind, and options. The error
// is a *TargetError.
func ParseTarget(text string) (Target, error) {
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
func (t Target) Absolute() (_ Target, err error) {
	t.Path, err = filepath.Abs(t.Path)
	return t, err
}

// Create begins to write statistics of the run that r describes; it replaces an existing file. If
// another process is writing that file, the new one is beside it: see Path. Kernels and launches of
// r are not written. The error is one of opening the file; Add and Err report a failed write.
func (t Target) Create(r *Run) (*Writer, error) {
	switch t.Kind {
	case CSV:
		return create(t.Path, r, &csvFormat{})
	case Parquet:
		return create(t.Path, r, &parquetFormat{})
	}
	return create(t.Path, r, &jsonFormat{})
}
