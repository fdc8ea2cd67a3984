package knobs

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"jacquard/internal/spelling"
	"jacquard/observe/bundle"
	"jacquard/observe/stats"
	"jacquard/observe/trace"
	"jacquard/simt"
	"jacquard/tesla"
)

// Type says which values a knob takes.
type Type uint8

// The types of knob.
const (
	TypeChoice     Type = iota // one of the knob's Values
	TypeChoices                // several of them, separated by commas
	TypeCount                  // a decimal number, 0 or more
	TypeCrosscheck             // a library, with options after a colon: see ParseCrosscheck
	TypePath                   // a file, or one of Values
	TypePolicy                 // one of simt.Policies, with options of its own after a colon
	TypeRecord                 // a file, with options after a colon: see bundle.ParsePath
	// TypeStats is one of the knob's Values, or a target for statistics: see stats.ParseTarget.
	TypeStats
	TypeTrace // a file, with options after a colon: see trace.ParsePath
)

// Knob is one setting.
type Knob struct {
	Name    string // of the flag
	Env     string // the environment variable
	Type    Type
	Default string
	Values  []string // of a choice, or words that are no files
	Help    string   // one sentence
}

// All returns the knobs in the order of their names.
func All() []Knob {
	list := slices.Clone(knobs[:])
	for i := range list {
		if k := &list[i]; k.Type == TypePolicy {
			k.Values = simt.Policies()
		}
	}
	return list
}

// Check returns an *Error with one line that lists the good values, or nil if value is good.
func (k *Knob) Check(value string) error {
	if want := k.want(value); want != "" {
		return &Error{Knob: k.Name, Env: k.Env, Value: value, Want: want}
	}
	if k.Type != TypeChoices {
		return nil
	}
	for v := range strings.SplitSeq(value, ",") {
		if !slices.Contains(k.Values, v) {
			return &Error{k.Name, k.Env, v, "want " + tesla.Alternatives(k.Values) + ", or several with commas between"}
		}
	}
	return nil
}

// want describes the good values, "" if value is good.
func (k *Knob) want(value string) string {
	switch k.Type {
	case TypeChoice:
		if !slices.Contains(k.Values, value) {
			return "want " + tesla.Alternatives(k.Values)
		}
	case TypePolicy:
		if want := simt.WantPolicy(value); want != "" {
			return "want " + want
		}
	case TypeCrosscheck:
		if _, err := ParseCrosscheck(value); err != nil {
			return err.Error()
		}
	case TypeRecord:
		path, _, err := bundle.ParsePath(value)
		if bad := new(bundle.OptionError); errors.As(err, &bad) {
			return bad.Text + ": want " + bad.Want
		}
		return k.wantFile(path)
	case TypeTrace:
		path, _, err := trace.ParsePath(value)
		if bad := new(trace.OptionError); errors.As(err, &bad) {
			return bad.Text + ": want " + bad.Want
		}
		return k.wantFile(path)
	case TypeStats:
		if _, err := parseStats(value); err != nil {
			return "want " + tesla.Alternatives(append(slices.Clone(k.Values), stats.WantTarget))
		}
	case TypePath:
		return k.wantFile(value)
	case TypeCount:
		if _, err := strconv.ParseUint(value, 10, 64); err != nil {
			return "want a number, 0 or more"
		}
	}
	return ""
}

// switches are the words that turn things on and off.
var switches = [...]string{"on", "off", "true", "false", "yes", "no", "1", "0"}

// wantFile describes the good values of a knob that names a file, "" if path is good. A switch is
// no path: its user takes the knob for a choice, and would get a file called on.
func (k *Knob) wantFile(path string) string {
	if !slices.Contains(switches[:], path) || slices.Contains(k.Values, path) {
		return ""
	}
	return "want " + tesla.Alternatives(append(slices.Clone(k.Values), "a file, as ./"+path))
}

// Error is a value that a knob does not take.
type Error struct {
	Knob, Env, Value string
	Want             string // the good values, described
}

// Error names the environment variable and the good values.
func (e *Error) Error() string {
	return fmt.Sprintf("%s: unknown value %q: %s", e.Env, e.Value, e.Want)
}

// From reads the knobs from an environment: lookup is os.LookupEnv or a function like it.
func From(lookup func(string) (string, bool)) Settings {
	var s Settings
	for _, k := range knobs {
		*s.field(k.Name), _ = lookup(k.Env)
	}
	return s
}

// Prefix begins the name of every environment variable of the simulator.
const Prefix = "JACQUARD_"

// Misspelled returns a line for each variable of an environment whose name is almost a knob's
// name. The environment is as os.Environ returns it.
func Misspelled(environment []string) (lines []string) {
	known := func(yield func(string) bool) {
		for _, k := range knobs {
			if !yield(strings.TrimPrefix(k.Env, Prefix)) {
				return
			}
		}
	}
	for _, v := range environment {
		env, _, _ := strings.Cut(v, "=")
		name, ours := strings.CutPrefix(env, Prefix)
		if !ours {
			continue
		}
		if near := spelling.Nearest(strings.ToUpper(name), known); near != "" && near != name {
			lines = append(lines, fmt.Sprintf("%s is no setting: did you mean %s%s?", env, Prefix, near))
		}
	}
	slices.Sort(lines)
	return lines
}
