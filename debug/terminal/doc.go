// Package terminal is the debugger's face for a terminal: cuda-gdb's words, a line at a time.
//
// Reading order: terminal.go (lines in, text out), commands.go (the words), program.go (start, stop,
// steps), breakpoints.go, focus.go (which thread, and info), values.go (print, x, set), source.go
// (lines and instructions).
package terminal
