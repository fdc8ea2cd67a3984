package stats

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"time"

	"jacquard/tesla"
)

// Limits of a reader for any file: 256 MiB altogether, half of it for the launches that Load keeps.
// A file with more is refused. The number of launches is unlimited if each is handed on and
// forgotten with the next.
const (
	mostHead     = 1 << 20 // bytes of a file before its records
	mostRecord   = 1 << 24 // bytes of a record
	mostKernels  = 1 << 16
	mostCode     = 1 << 17 // instructions of a kernel: a mebibyte of code
	mostCodes    = 1 << 18 // instructions of all kernels of a file
	mostSource   = 1 << 24 // bytes of the names of source files
	mostString   = 1 << 14 // bytes per name or message
	mostPolicies = 1 << 10 // of all launches
	mostCounters = 1 << 8  // counters per launch, unknown ones included
	mostBins     = 2 * 33  // numbers per sparse histogram
	mostKept     = 1 << 27 // bytes of the launches that Load keeps
)

// limitError reports that a file exceeds a limit.
type limitError struct{ reason string }

func (e *limitError) Error() string { return e.reason }

// tooMany is the error for a list of more than most elements.
func tooMany(what string, most int) error {
	return &limitError{fmt.Sprintf("more than %d %s", most, what)}
}

// elements unmarshals a list of at most most elements into list, with one allocation. data is valid
// JSON.
func elements[T any](data []byte, list *[]T, most int, what string) error {
	n := bytes.Count(data, []byte{','}) + 1
	if n > most {
		return tooMany(what, most)
	}
	*list = make([]T, 0, n)
	return json.Unmarshal(data, list)
}

// counters are counters by name.
type counters[T any] map[string]T

// UnmarshalJSON refuses more counters than any version will have.
func (c *counters[T]) UnmarshalJSON(data []byte) error {
	*c = nil
	dec := json.NewDecoder(bytes.NewReader(data))
	switch t, err := dec.Token(); {
	case err != nil || t == nil:
		return err
	case t != json.Delim('{'):
		return &limitError{"something else where counters belong"}
	}
	*c = counters[T]{}
	for dec.More() {
		name, err := dec.Token()
		if err != nil {
			return err
		}
		if len(*c) == mostCounters {
			return tooMany("counters", mostCounters)
		}
		var value T
		if err := dec.Decode(&value); err != nil {
			return err
		}
		(*c)[name.(string)] = value
	}
	return nil
}

// column is one counter of every instruction.
type column []uint64

// UnmarshalJSON refuses more numbers than a kernel has instructions.
func (c *column) UnmarshalJSON(data []byte) error {
	return elements(data, (*[]uint64)(c), mostCode, "instructions")
}

// bins is a sparse histogram.
type bins []uint64

// UnmarshalJSON refuses more numbers than a sparse histogram has.
func (b *bins) UnmarshalJSON(data []byte) error {
	return elements(data, (*[]uint64)(b), mostBins, "numbers of a histogram of lanes")
}

// histograms holds one histogram per instruction.
type histograms []bins

// UnmarshalJSON refuses more histograms than a kernel has instructions.
func (h *histograms) UnmarshalJSON(data []byte) error {
	if bytes.Count(data, []byte{'['})-1 > mostCode {
		return tooMany("instructions", mostCode)
	}
	return json.Unmarshal(data, (*[]bins)(h))
}

// wordList is code: the words of each instruction, in hexadecimal.
type wordList []string

// UnmarshalJSON refuses more instructions than a kernel has.
func (w *wordList) UnmarshalJSON(data []byte) error {
	return elements(data, (*[]string)(w), mostCode, "instructions")
}

// unread is text for people; a reader ignores it.
type unread []string

// UnmarshalJSON ignores the text.
func (u *unread) UnmarshalJSON([]byte) error { return nil }

// meter is a reader of pieces of bounded length.
type meter struct {
	from io.Reader
	left int64 // bytes left for this piece
}

// errLong ends a piece that exceeds its length.
var errLong = errors.New("too long")

func (m *meter) Read(b []byte) (int, error) {
	if m.left <= 0 {
		return 0, errLong
	}
	n, err := m.from.Read(b[:min(int64(len(b)), m.left)])
	m.left -= int64(n)
	return n, err
}

// within reports whether v is in 0..most.
func within(v, most int) bool { return 0 <= v && v <= most }

// short refuses texts longer than mostString.
func short(texts ...string) error {
	for _, s := range texts {
		if len(s) > mostString {
			return &limitError{fmt.Sprintf("a text of %d bytes: want at most %d", len(s), mostString)}
		}
	}
	return nil
}

// check refuses kernels that no device can run.
func (j *kernelJSON) check(a tesla.Arch) error {
	l := a.Limits()
	if !within(j.Registers, mostRegisters) || !within(j.Shared, l.Shared) || !within(j.Local, l.Local) {
		return fmt.Errorf("a kernel with %d registers, %d bytes of shared and %d of local memory: no device has them", j.Registers, j.Shared, j.Local)
	}
	return short(j.Name)
}

// mostRegisters is the number of registers that an instruction can name.
const mostRegisters = 128

// check refuses launches that no device can run.
func (j *launchJSON) check(a tesla.Arch) error {
	l := a.Limits()
	if err := l.CheckShape(j.Grid, j.Block); err != nil {
		return fmt.Errorf("a launch of %w", err)
	}
	switch most := math.MaxInt64 / float64(time.Second); {
	case j.Number != nil && !within(*j.Number, math.MaxInt32),
		!within(j.Shared, l.Shared), !within(j.Waves, j.Grid[0]*j.Grid[1]), j.MostPaths < 0, j.DeepestStack < 0, !(j.Seconds >= 0 && j.Seconds < most):
		return errors.New("a launch with numbers that cannot be")
	}
	for n, issues := range j.JoinAtLanes {
		if issues > j.ActiveLanes[n] {
			return errors.New("a launch with more issues of joinat than issues")
		}
	}
	return short(j.Policy, j.Device, j.Plan, j.Error, j.InStep, j.Overrun)
}
