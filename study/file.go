package study

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/pelletier/go-toml/v2"

	"jacquard/observe/trace"
)

// document is the form of a study file.
type document struct {
	Name   string         `toml:"name"`
	Limit  string         `toml:"limit"`
	Keep   keepTable      `toml:"keep"`
	Matrix map[string]any `toml:"matrix"`
	Run    []runTable     `toml:"run"`
}

// keepTable is [keep]; see Keep.
type keepTable struct {
	Digests    *bool  `toml:"digests"`
	Output     *bool  `toml:"output"`
	Statistics bool   `toml:"statistics"`
	Counts     string `toml:"counts"`
	Trace      string `toml:"trace"`
}

// runTable is one [[run]]: exactly one of the first four is given.
type runTable struct {
	Program   string         `toml:"program"`
	Kernel    string         `toml:"kernel"`
	Test      string         `toml:"test"`
	Bundle    string         `toml:"bundle"`
	Name      string         `toml:"name"`
	Options   []string       `toml:"options"`
	Arguments [][]string     `toml:"arguments"`
	Build     []string       `toml:"build"`
	Split     *int           `toml:"split"` // nil: not given
	Matrix    map[string]any `toml:"matrix"`
	Passes    passesTable    `toml:"passes"`
}

type passesTable struct {
	Status int    `toml:"status"`
	Text   string `toml:"text"`
}

// mostText bounds a study file, so that a device without an end is an error.
const mostText = 64 << 20

// read reads the file at path.
func read(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, mostText+1))
	if err == nil && len(text) > mostText {
		err = &Error{Path: path, Problem: fmt.Sprintf("more than %d MiB: this is no study file", mostText>>20)}
	}
	return text, err
}

// Load reads the study file at path. A mistake in it is an *Error. Files that the study names are
// looked up from the folder of the file.
func Load(path string) (*Study, error) {
	text, err := read(path)
	if err != nil {
		return nil, err
	}
	var d document
	if err := toml.NewDecoder(bytes.NewReader(text)).DisallowUnknownFields().Decode(&d); err != nil {
		return nil, explain(path, err)
	}
	in := newSource(path, text)
	s := &Study{Name: d.Name}
	if s.Path, err = filepath.Abs(path); err != nil {
		return nil, err
	}
	if s.Name == "" {
		base := filepath.Base(path)
		s.Name = base[:len(base)-len(filepath.Ext(base))]
	}
	if d.Limit != "" {
		if s.Limit, err = time.ParseDuration(d.Limit); err != nil || s.Limit <= 0 {
			return nil, in.wrong("limit", "limit = %q: want a duration such as 90s, 10m or 2h", d.Limit)
		}
	}
	if s.Keep, err = d.Keep.keep(in); err != nil {
		return nil, err
	}
	if len(d.Run) == 0 {
		return nil, in.wrong("", "the study runs nothing: want [[run]] with a program, kernel, test or bundle")
	}
	b := &builder{study: s, in: in, shared: d.Matrix}
	for i := range d.Run {
		if err := b.add(i, &d.Run[i]); err != nil {
			return nil, err
		}
	}
	// One cell may read another's output, whose content says nothing about the study.
	s.files = slices.DeleteFunc(s.files, func(path string) bool { return slices.Contains(b.dumped, path) })
	return s, s.unique(in)
}

// keep checks the table.
func (t *keepTable) keep(in *source) (Keep, error) {
	k := Keep{Digests: t.Digests == nil || *t.Digests, Output: t.Output == nil || *t.Output, Statistics: t.Statistics, Trace: t.Trace}
	switch t.Counts {
	case "":
	case "tags", "costs", "tags:costs":
		k.Counts = t.Counts
		if !t.Statistics {
			return k, in.wrong("keep.counts", "counts goes with statistics = true")
		}
	default:
		return k, in.wrong("keep.counts", "counts = %q: want tags, costs or tags:costs", t.Counts)
	}
	if t.Trace != "" && t.Trace != TraceAll {
		if _, _, err := trace.ParsePath("t.jqt:" + t.Trace); err != nil {
			return k, in.wrong("keep.trace", "trace = %q: %v", t.Trace, err)
		}
	}
	return k, nil
}
