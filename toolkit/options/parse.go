package options

import (
	"fmt"
	"slices"
	"strings"
)

// Error describes a mistake in a command line.
type Error struct {
	Argument string // as the user wrote it
	Problem  string
}

// Error names the argument and the problem.
func (e *Error) Error() string { return fmt.Sprintf("%s: %s", e.Argument, e.Problem) }

// Parse returns the options and the inputs of a command line, in their order. One dash does as well
// as two. A flag with "=false" takes back what came before. The error is an [*Error].
func (t Table) Parse(args []string) (given []Given, err error) {
	for {
		if given, args, err = t.leading(given, args); err != nil || len(args) == 0 {
			return given, err
		}
		given, args = append(given, Given{Value: args[0]}), args[1:]
	}
}

// ParseLeading is Parse up to the first input, such as the program that a tool runs: rest is the
// input and what follows. An argument "--" before the input ends the options.
func (t Table) ParseLeading(args []string) (given []Given, rest []string, err error) {
	options, rest, ended := args, []string(nil), slices.Index(args, "--")
	if ended >= 0 {
		options, rest = args[:ended], args[ended+1:]
	}
	given, left, err := t.leading(nil, options)
	if len(left) > 0 { // the input comes before "--", which is the program's
		return given, args[len(options)-len(left):], err
	}
	return given, rest, err
}

// leading adds the options before the first input to those given before.
func (t Table) leading(given []Given, args []string) ([]Given, []string, error) {
	for len(args) > 0 {
		a := args[0]
		if len(a) < 2 || a[0] != '-' {
			break
		}
		args = args[1:]
		o, value, attached := t.match(a)
		switch {
		case o == nil:
			return nil, nil, &Error{a, "unknown option; --help lists the options"}
		case o.Kind == Flag && !attached:
			value = "true"
		case o.Kind != Flag && !attached:
			if len(args) == 0 {
				return nil, nil, &Error{a, "the value is missing"}
			}
			value, args = args[0], args[1:]
		}
		if o.Kind <= Bool && value != "true" && value != "false" {
			return nil, nil, &Error{a, "want true or false"}
		}
		if o.Kind == Flag && value == "false" {
			given = slices.DeleteFunc(given, func(g Given) bool { return g.Name == o.Long })
			continue
		}
		given = append(given, Given{o.Long, value})
	}
	return given, args, nil
}

// match returns the option of an argument, nil if there is none, and the value that is attached.
func (t Table) match(a string) (o *Option, value string, attached bool) {
	body := strings.TrimPrefix(a[1:], "-")
	name, value, attached := strings.Cut(body, "=")
	if o = t.find(name); o != nil {
		return o, value, attached
	}
	if strings.HasPrefix(a, "--") {
		return nil, "", false
	}
	o, value = t.joined(body)
	return o, value, true
}
