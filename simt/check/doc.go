// Package check has checkers: hooks that look at what a kernel does, and change nothing.
//
// hook.go and instep.go find code that relies on the lanes of a warp running in step, with
// memory.go and votes.go for what lanes did since the last barrier; dependence.go is what they
// report.
package check
