// Package cli is the command line of the jacquard tool. Many files: one for each command, with a
// constructor that [Main]'s root command lists.
//
// A command parses its arguments, calls the packages that do the work and prints what
// they answer. Errors travel up as values and become one line on standard error and an
// exit status in errors.go. Read root.go, then errors.go, then any command.
package cli
