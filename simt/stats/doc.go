// Package stats keeps what the launches of a run counted: it writes statistics files while a
// program runs, reads them again, and sums them up.
//
// A [Run] is a program's launches; each has a [Kernel], with its code, and the [simt.Stats] that it
// counted. The columns in columns.go name the counters: every file format, roll-up and the table in
// docs/statistics.md goes by them.
//
// A file is whole after every launch, because a library is not told of a program's end: a
// program that is killed loses at most the launch under way.
//
// A reader takes at most 256 MiB, whatever the file says; limits.go has the limits that see to
// that, which are those of the architecture where it has some.
//
// Read run.go and columns.go first; then json.go for the format that is read again, writer.go for
// how it is written, reader.go.
package stats
