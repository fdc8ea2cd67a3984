// Package launch runs one kernel on the simulated driver without a host program.
//
// [Run] takes a [Job]: an image, a kernel, a shape and parameters. [OfBuild] makes the job of a
// test.json, [ParseArg] a parameter from a word of a command line, and [ParseShow] parses which
// part of a buffer to print and how. Reading order: job.go, run.go, build.go, arg.go, buffer.go,
// show.go.
package launch
