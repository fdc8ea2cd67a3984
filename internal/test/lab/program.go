package lab

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// Program is a program of the laboratory with what it says about itself.
type Program struct {
	Name     string    // folder and file without ".cu": "race/last_block"
	Output   string    // what the program prints on a simulator without a checker
	Exit     int       // its exit status there
	Findings []Finding // by line; none if the program is right
	Notes    []Finding // what a checker may tell without calling the program wrong, by line
}

// Finding is what a checker finds, and where.
type Finding struct {
	Line  int      // of the program, from 1
	Kind  string   // memory, race, init, sync, api or leak
	What  []string // words of that kind; any one of them is right
	Space string   // of the memory; "" where the kind has no spaces
	With  []int    // lines of the other places, ascending; nil if the program names none
}

// Read returns the programs in the folders of folder, by name.
func Read(folder string) ([]*Program, error) {
	paths, err := filepath.Glob(filepath.Join(folder, "*", "*.cu"))
	if err != nil {
		return nil, err
	}
	var all []*Program
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		name := filepath.Base(filepath.Dir(path)) + "/" + strings.TrimSuffix(filepath.Base(path), ".cu")
		p, err := Parse(name, string(text))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		all = append(all, p)
	}
	return all, nil
}

// Parse reads the comments of a program. An error begins with the line.
func Parse(name, text string) (*Program, error) {
	r := reader{program: &Program{Name: name}, labels: map[string]*Finding{}, with: map[string][]int{}}
	line := 0
	for s := range strings.Lines(text) {
		line++
		if err := r.line(line, strings.TrimRight(s, "\n")); err != nil {
			return nil, fmt.Errorf("line %d: %w", line, err)
		}
	}
	return r.program, r.finish()
}

// finish gives findings the lines of their other places.
func (r *reader) finish() error {
	for label, lines := range r.with {
		f := r.labels[label]
		if f == nil {
			return fmt.Errorf("line %d: no finding or note has the label %q", lines[0], label)
		}
		f.With = lines
		delete(r.labels, label)
	}
	for label, f := range r.labels {
		return fmt.Errorf("line %d: no place says \"with %s\"", f.Line, label)
	}
	for _, f := range r.findings {
		r.program.Findings = append(r.program.Findings, *f)
	}
	for _, f := range r.notes {
		r.program.Notes = append(r.program.Notes, *f)
	}
	if r.none == (len(r.findings) > 0) {
		return fmt.Errorf("line 1: want findings, or else the line \"// no finding\"")
	}
	return nil
}

// String gives a finding as its comment has it, with the line.
func (f Finding) String() string {
	s := fmt.Sprintf("%d: %s %s", f.Line, f.Kind, strings.Join(f.What, "|"))
	if f.Space != "" {
		s += " " + f.Space
	}
	if f.With != nil {
		s += fmt.Sprintf(" with %v", f.With)
	}
	return s
}
