// Package debuginfo describes the functions, variables and types of a kernel for debuggers. [Read]
// takes them from DWARF, and [Writer] makes DWARF of them.
package debuginfo
