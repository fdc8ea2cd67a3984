// Package source says which lines of source the instructions of a kernel are made of. A [Table] is
// part of the files that describe kernels: traces and statistics.
package source
