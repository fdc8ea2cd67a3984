// Package cli is the command line of the jacquard tool: one file per command, with a constructor
// that the root command calls, and files of shared parts.
//
// A command parses its arguments, calls the packages that do the work, and prints their answers.
// Errors travel up as values and become one line on standard error and an exit status in errors.go.
//
// Reading order: root.go, errors.go, output.go (files of commands), runfiles.go (files of the
// simulator), knobs.go, then any command.
package cli
