package api

import (
	"fmt"
	"io/fs"
	"slices"
	"strconv"
	"strings"
)

// Runtime is the interface of the CUDA runtime library, libcudart, in all releases that there is a
// library for. Functions, errors and fields are in the order of their files.
type Runtime struct {
	Functions []RuntimeFunction
	Errors    []RuntimeError
	Enums     []Enum
	Structs   []RuntimeStruct
	Macros    []Macro
}

// Span is a range of releases: from Since up to and without Until, or without end where Until is 0.
type Span struct{ Since, Until Version }

// RuntimeFunction is one exported symbol of the runtime library.
type RuntimeFunction struct {
	Name   string
	Span          // the libraries that export it
	Group  string // chapter, "memory"
	Needs  Need
	Result string // C type
	Params []Param
}

// Need names the steps of an entry point before the function's own work.
type Need string

const (
	NeedsContext Need = "context" // makes a context current, and remembers the error
	NeedsDriver  Need = "driver"  // loads and initializes the driver, and remembers the error
	NeedsNothing Need = "nothing" // remembers the error
	Unsupported  Need = "none"    // answers that the call is not supported
	ByHand       Need = "self"    // there is no generated entry point
)

var needs = []Need{NeedsContext, NeedsDriver, NeedsNothing, Unsupported, ByHand}

// RuntimeError is an error of the runtime library.
type RuntimeError struct {
	Name   string
	Value  int
	Since  Version
	Before int    // what earlier releases answer in its place
	Driver string // the driver's error that becomes this one; "" for none
	Text   string
}

// RuntimeStruct is a structure of the runtime library, with the fields of all releases.
type RuntimeStruct struct {
	Name   string
	Fields []RuntimeField
}

// RuntimeField is a field, and the releases that have it.
type RuntimeField struct {
	Name string // may carry an array length
	Type string
	Span
}

// Macro is a name for a value of C.
type Macro struct{ Name, Value string }

// LoadRuntime reads the tables of dir, the folder libcuda/runtime.
func LoadRuntime(dir fs.FS) (*Runtime, error) {
	r := &Runtime{}
	for _, part := range []struct {
		path    string
		columns int
		add     func(row []string) error
	}{
		{"api.csv", 7, r.addFunction},
		{"errors.csv", 6, r.addError},
		{"enums.csv", 3, r.addEnumerator},
		{"structs.csv", 5, r.addField},
		{"macros.csv", 2, func(row []string) error {
			r.Macros = append(r.Macros, Macro{row[0], row[1]})
			return nil
		}},
	} {
		if err := readRows(dir, part.path, part.columns, part.add); err != nil {
			return nil, err
		}
	}
	return r, nil
}

// parseSpan reads two releases. The second may be empty.
func parseSpan(since, until string) (s Span, err error) {
	if s.Since, err = ParseVersion(since); err != nil || until == "" {
		return s, err
	}
	if s.Until, err = ParseVersion(until); err == nil && s.Until <= s.Since {
		err = fmt.Errorf("release %s is not after %s", until, since)
	}
	return s, err
}

func (r *Runtime) addFunction(row []string) error {
	f := RuntimeFunction{Name: row[0], Group: row[3], Needs: Need(row[4]), Result: row[5]}
	var err error
	if f.Span, err = parseSpan(row[1], row[2]); err != nil {
		return err
	}
	if slices.ContainsFunc(r.Functions, func(g RuntimeFunction) bool { return g.Name == f.Name }) {
		return fmt.Errorf("function %s appears twice", f.Name)
	}
	if !slices.Contains(needs, f.Needs) {
		return fmt.Errorf("%s needs %q, which is none of %q", f.Name, f.Needs, needs)
	}
	if f.Result == "" {
		f.Result = "cudaError_t"
	} else if f.Needs != ByHand {
		return fmt.Errorf("%s: only functions written by hand return %s", f.Name, f.Result)
	}
	if f.Params, err = parseParams(row[6]); err != nil {
		return fmt.Errorf("%s: %w", f.Name, err)
	}
	r.Functions = append(r.Functions, f)
	return nil
}

func (r *Runtime) addError(row []string) error {
	e := RuntimeError{Name: row[0], Driver: row[4], Text: row[5]}
	var err error
	if e.Value, err = strconv.Atoi(row[1]); err != nil {
		return err
	}
	if e.Since, err = ParseVersion(row[2]); err != nil {
		return err
	}
	if row[3] == "" {
		e.Before = e.Value
	} else if e.Before, err = strconv.Atoi(row[3]); err != nil {
		return err
	}
	if e.Text == "" {
		return fmt.Errorf("error %s has no text", e.Name)
	}
	r.Errors = append(r.Errors, e)
	return nil
}

func (r *Runtime) addEnumerator(row []string) error {
	value, err := strconv.Atoi(row[2])
	if n := len(r.Enums); n == 0 || r.Enums[n-1].Name != row[0] {
		r.Enums = append(r.Enums, Enum{Name: row[0]})
	}
	e := &r.Enums[len(r.Enums)-1]
	e.Values = append(e.Values, Constant{Name: row[1], Value: value})
	return err
}

func (r *Runtime) addField(row []string) error {
	f := RuntimeField{Name: row[1], Type: row[2]}
	var err error
	if f.Span, err = parseSpan(row[3], row[4]); err != nil {
		return err
	}
	if n := len(r.Structs); n == 0 || r.Structs[n-1].Name != row[0] {
		r.Structs = append(r.Structs, RuntimeStruct{Name: row[0]})
	}
	s := &r.Structs[len(r.Structs)-1]
	s.Fields = append(s.Fields, f)
	return nil
}

// Internal is the name of the C function that does the work of f's entry point.
func (f *RuntimeFunction) Internal() string {
	return "runtime_" + strings.TrimPrefix(f.Name, "cuda")
}
