// Package launch runs one kernel on the simulated driver without a host program.
//
// [Run] takes a [Job]: an image, a kernel, a shape and parameters; [ParseArg] makes
// parameters out of what a user writes on a command line, and [ParseShow] says which part
// of a buffer to print and how. Reading order: job.go, run.go, arg.go, buffer.go, show.go.
package launch
