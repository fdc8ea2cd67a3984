package source

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
)

// Line is a line of a file; the zero Line is unknown.
type Line struct {
	File string // as the compiler was given it
	Line int    // from 1
}

// String returns "file:line", "" for the zero Line.
func (l Line) String() string {
	if l == (Line{}) {
		return ""
	}
	return fmt.Sprintf("%s:%d", l.File, l.Line)
}

// Table has the line of each instruction of a kernel; nil if none is known.
type Table []Line

// New returns the table of instructions at pcs. of is that of the kernel, nil without a line table.
func New(pcs []uint32, of func(pc uint32) Line) Table {
	if of == nil {
		return nil
	}
	t := make(Table, len(pcs))
	for i, pc := range pcs {
		t[i] = of(pc)
	}
	return t
}

// At returns the line of instruction i.
func (t Table) At(i int) Line {
	if t == nil {
		return Line{}
	}
	return t[i]
}

// Size returns the bytes of the names of files, each once.
func (t Table) Size() int {
	size, seen := 0, map[string]bool{}
	for _, l := range t {
		if !seen[l.File] {
			seen[l.File] = true
			size += len(l.File)
		}
	}
	return size
}

// Limits of a table in a file.
const (
	mostInstructions = 1 << 17
	mostNames        = 1 << 17 // bytes of the names of files
)

// tableJSON is a table in a file: by instruction, the number of a file from 1 and a line, or two
// zeros.
type tableJSON struct {
	Files []string `json:"files"`
	File  numbers  `json:"file"`
	Line  numbers  `json:"line"`
}

// MarshalJSON writes a table that a reader takes: null if its names are too long.
func (t Table) MarshalJSON() ([]byte, error) {
	if t == nil || len(t) > mostInstructions || t.Size() > mostNames {
		return []byte("null"), nil
	}
	j := tableJSON{Files: []string{}, File: numbers{}, Line: numbers{}}
	known := map[string]int{}
	for _, l := range t {
		if known[l.File] == 0 && l != (Line{}) {
			j.Files = append(j.Files, l.File)
			known[l.File] = len(j.Files)
		}
		j.File = append(j.File, known[l.File])
		j.Line = append(j.Line, l.Line)
	}
	return json.Marshal(&j)
}

// UnmarshalJSON reads a table. It refuses one that no writer makes.
func (t *Table) UnmarshalJSON(data []byte) error {
	*t = nil
	if string(data) == "null" {
		return nil
	}
	if len(data) > mostNames*8+mostInstructions*32 {
		return fmt.Errorf("a table of lines of %d bytes", len(data))
	}
	var j tableJSON
	if err := json.Unmarshal(data, &j); err != nil {
		return err
	}
	if len(j.File) != len(j.Line) {
		return fmt.Errorf("a table with %d files and %d lines", len(j.File), len(j.Line))
	}
	table := make(Table, len(j.File))
	for i, n := range j.File {
		line := j.Line[i]
		switch {
		case n < 0 || n > len(j.Files) || line < 0 || line > math.MaxInt32:
			return fmt.Errorf("a table with line %d of file %d", line, n)
		case n > 0:
			table[i] = Line{j.Files[n-1], line}
		}
	}
	if size := table.Size(); size > mostNames {
		return fmt.Errorf("a table whose files have names of %d bytes", size)
	}
	*t = table
	return nil
}

// numbers are one number per instruction.
type numbers []int

// UnmarshalJSON refuses more numbers than a kernel has instructions.
func (n *numbers) UnmarshalJSON(data []byte) error {
	count := bytes.Count(data, []byte{','}) + 1
	if count > mostInstructions {
		return fmt.Errorf("lines of more than %d instructions", mostInstructions)
	}
	*n = make(numbers, 0, count)
	return json.Unmarshal(data, (*[]int)(n))
}
