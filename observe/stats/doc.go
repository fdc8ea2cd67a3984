// Package stats stores the counters of a run's launches. It writes statistics files while a program
// runs, reads them, and sums them up.
//
// A [Run] holds a program's launches. Each launch has a [Kernel], with its code, and its
// [simt.Stats]. The columns in columns.go name the counters for every file format, for roll-ups and
// for the table in docs/statistics.md.
//
// A file is complete after every launch, because a library does not learn of a program's end. A
// killed program loses at most the current launch.
//
// A reader takes at most 256 MiB for any file. limits.go has the limits, which equal those of the
// architecture where it has some.
//
// Read run.go and columns.go first; then json.go for the format that can be read again, writer.go
// for writing, reader.go for reading.
package stats
