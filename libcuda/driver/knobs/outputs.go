package knobs

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"jacquard/observe/bundle"
	"jacquard/observe/stats"
	"jacquard/observe/trace"
)

// Outputs are the files that a run writes about its launches: statistics, trace and bundle.
type Outputs struct {
	Stats  Stats
	Trace  File[trace.Options]
	Record File[bundle.Options]
}

// Stats is the value of the stats knob.
type Stats struct {
	Count bool
	Write bool         // to To
	To    stats.Target // where statistics go
}

// File is the value of a knob that names a file to write and options of writing it.
type File[O any] struct {
	Path    string // "" for none
	Options O
}

// Outputs parses the knobs of these files. Paths are as the user wrote them: OfProcess replaces %p.
func (s Settings) Outputs() (o Outputs, err error) {
	if o.Stats, err = parseStats(s.Stats); err != nil {
		return o, err
	}
	if o.Trace, err = parseFile(s.Trace, trace.ParsePath); err != nil {
		return o, err
	}
	o.Record, err = parseFile(s.Record, bundle.ParsePath)
	return o, err
}

// Any reports whether there is a file to write.
func (o *Outputs) Any() bool { return o.Stats.Write || o.Trace.Path != "" || o.Record.Path != "" }

// OfProcess returns the files of this process: its number replaces %p in their names, so that each
// process of a program writes files of its own. Folders keep their names, because the program's own
// folder may have %p in its name.
func (o Outputs) OfProcess() Outputs {
	number := strconv.Itoa(os.Getpid())
	for _, path := range []*string{&o.Stats.To.Path, &o.Trace.Path, &o.Record.Path} {
		folder, name := filepath.Split(*path)
		*path = folder + strings.ReplaceAll(name, "%p", number)
	}
	return o
}

// PerProcess reports whether OfProcess changes a path.
func PerProcess(path string) bool { return strings.Contains(filepath.Base(path), "%p") }

// parseStats parses the stats knob: on, off or a target.
func parseStats(value string) (s Stats, err error) {
	switch value {
	case "", "on":
		s.Count = true
	case "off":
	default:
		s.Count, s.Write = true, true
		s.To, err = stats.ParseTarget(value)
	}
	return s, err
}

// parseFile parses a knob that names a file.
func parseFile[O any](value string, parse func(string) (string, O, error)) (f File[O], err error) {
	if value != "" {
		f.Path, f.Options, err = parse(value)
	}
	return f, err
}
