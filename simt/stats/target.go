package stats

import (
	"fmt"
	"path/filepath"
	"strings"
)

// Target says where the statistics of a run go.
type Target struct {
	Path string // the file; of Barra's, what the files' names begin with
	Kind Kind
	Tags bool // uniform and affine operands are to be counted too
}

// Kind is a form in which statistics are written.
type Kind uint8

// The kinds.
const (
	JSON    Kind = iota // everything; the only one that is read again
	CSV                 // a row for each launch and instruction
	Parquet             // the same
	Barra               // the files that Barra wrote: one a kernel
)

// barraPrefix begins the name of a target of kind Barra.
const barraPrefix = "barra:"

// tagsOption follows the name of a file if operands are to be counted.
const tagsOption = ":tags"

// WantTarget says what ParseTarget takes.
const WantTarget = "a file that ends in .json, .csv or .parquet, with :tags behind it to count uniform and affine operands, or barra:PREFIX"

// TargetError is a text that names no target.
type TargetError struct{ Text string }

// Error says what is wanted.
func (e *TargetError) Error() string {
	return fmt.Sprintf("statistics: unknown kind of file %q: want %s", e.Text, WantTarget)
}

// ParseTarget reads the name of a target: a file's, whose kind its ending says, or barra: and
// what the names of files are to begin with. The error is a *TargetError.
func ParseTarget(text string) (Target, error) {
	if prefix, ok := strings.CutPrefix(text, barraPrefix); ok {
		return Target{Path: prefix, Kind: Barra}, nil
	}
	path, tags := strings.CutSuffix(text, tagsOption)
	switch strings.ToLower(filepath.Ext(path)) {
	case ".json":
		return Target{path, JSON, tags}, nil
	case ".csv":
		return Target{path, CSV, tags}, nil
	case ".parquet":
		return Target{path, Parquet, tags}, nil
	}
	return Target{}, &TargetError{text}
}

// String returns the text that ParseTarget reads.
func (t Target) String() string {
	switch {
	case t.Kind == Barra:
		return barraPrefix + t.Path
	case t.Tags:
		return t.Path + tagsOption
	}
	return t.Path
}

// Absolute returns the target with an absolute path, for a program that may change its folder.
func (t Target) Absolute() (Target, error) {
	folder, name := filepath.Split(t.Path) // what names begin with may end in a separator
	folder, err := filepath.Abs(folder)
	t.Path = folder + string(filepath.Separator) + name
	return t, err
}

// Sink takes the launches of a run. It may be used from several goroutines.
type Sink interface {
	// Add writes a launch, and sets its number. Once writing has failed nothing more is written,
	// and every Add returns the error.
	Add(l *Launch) error

	// Path returns where they go: the file, or what the names of Barra's files begin with.
	Path() string

	// Err returns why nothing more is written, nil if all is well.
	Err() error

	// Close ends the writing. All that was added is in the files before.
	Close() error
}

// Create begins to write statistics of the run that r describes, in place of what is there. Kernels
// and launches of r are not written. The error is one of opening a file, or of a folder that is not
// there.
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
