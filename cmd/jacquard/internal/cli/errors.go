package cli

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"jacquard/study/launch"
)

// Exit statuses of the tool; exec passes on the program's own.
const (
	statusOK       = 0
	statusFailed   = 1   // the command failed
	statusUsage    = 2   // the command line is wrong
	statusNotBegun = 125 // exec could not start the program
)

// statusError ends the tool with a status of its own. Without err the tool prints nothing more.
type statusError struct {
	status int
	err    error
}

func (e *statusError) Error() string {
	if e.err == nil {
		return fmt.Sprintf("exit status %d", e.status)
	}
	return e.err.Error()
}

func (e *statusError) Unwrap() error { return e.err }

// usagef returns the error of a wrong command line.
func usagef(format string, args ...any) error {
	return &statusError{statusUsage, fmt.Errorf(format, args...)}
}

// without refuses flags on the command line that would have no effect beside what.
func without(c *cobra.Command, what string, flags ...string) error {
	var given []string
	for _, name := range flags {
		if c.Flags().Changed(name) {
			given = append(given, "--"+name)
		}
	}
	if len(given) == 0 {
		return nil
	}
	return usagef("%s does not go with %s", what, list(given))
}

// errSaid fails a command whose output already says why.
var errSaid = &statusError{status: statusFailed}

// conclude prints err as one line, or one per mistake in PTX, and returns the exit status for it.
func conclude(err error, w io.Writer) int {
	if err == nil {
		return statusOK
	}
	status := statusFailed
	var params *launch.ParamsError
	var own *statusError
	switch {
	case errors.As(err, &own):
		status = own.status
		if own.err == nil {
			return status
		}
	case errors.As(err, &params):
		status = statusUsage
	}
	if lines, ok := mistakes(err); ok {
		fmt.Fprintln(w, strings.Join(lines, "\n"))
		return status
	}
	fmt.Fprintf(w, "jacquard: %s\n", oneLine(err.Error()))
	return status
}

// oneLine keeps an error on one line, whatever it quotes.
func oneLine(s string) string {
	return strings.Join(strings.FieldsFunc(s, func(r rune) bool { return r == '\n' || r == '\r' }), "; ")
}
