// Package outfile opens files that a process writes while others may be asked to write the same.
//
// A program may be several processes, and all of them read one JACQUARD_STATS. The first takes the
// file; each of the others writes a file of its own beside it, so that nothing is lost. A file is
// taken by an advisory lock, which ends with the process however it ends. Where the file system
// has no locks, files are shared as they are.
//
// [Create] opens a file; [Log] is one that only grows, and ends at the first failure.
package outfile
