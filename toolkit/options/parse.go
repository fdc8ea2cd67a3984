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
	for len(args) > 0 {
		a := args[0]
		args = args[1:]
		if len(a) < 2 || a[0] != '-' {
			given = append(given, Given{Value: a})
			continue
		}
		o, value, attached := t.match(a)
		switch {
		case o == nil:
			return nil, &Error{a, "unknown option; --help lists the options"}
		case o.Kind == Flag && !attached:
			value = "true"
		case o.Kind != Flag && !attached:
			if len(args) == 0 {
				return nil, &Error{a, "the value is missing"}
			}
			value, args = args[0], args[1:]
		}
		if o.Kind <= Bool && value != "true" && value != "false" {
			return nil, &Error{a, "want true or false"}
		}
		if o.Kind == Flag && value == "false" {
			given = slices.DeleteFunc(given, func(g Given) bool { return g.Name == o.Long })
			continue
		}
		given = append(given, Given{o.Long, value})
	}
	return given, nil
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
