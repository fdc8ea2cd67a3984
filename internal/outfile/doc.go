// Package outfile opens files for a process while other processes may write files of the same name.
//
// A program may be several processes, which all read one JACQUARD_STATS. The first process takes
// the file; each of the others writes a file of its own beside it, so that nothing is lost. A file
// is taken by an advisory lock, which ends with the process in any case. If the file system has no
// locks, processes share the file. Processes that run one after the other know the files of their
// run by a list that [RunVariable] names.
//
// [Create] opens a file; [Log] is a file that only grows, and ends at the first failure; [Files]
// reads the list of a run.
package outfile
